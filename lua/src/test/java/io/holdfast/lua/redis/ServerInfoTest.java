package io.holdfast.lua.redis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ServerInfoTest {

    @ParameterizedTest
    @ValueSource(strings = {"redis_mode", "server_mode"})
    void a_server_says_what_it_is_in_the_words_of_redis_or_of_valkey(String mode) {
        String info = "# Server\r\n" + mode
                + ":cluster\r\nrun_id:ca35\r\n# Replication\r\nrole:master\r\nmaster_replid:8610\r\n"
                + "# Memory\r\nmaxmemory_policy:noeviction\r\n# Persistence\r\nloading:0\r\n";
        assertThat(ServerInfo.read(info))
                .isEqualTo(new ServerInfo("ca35:8610", "master", "cluster", false, "noeviction"));
    }
}
