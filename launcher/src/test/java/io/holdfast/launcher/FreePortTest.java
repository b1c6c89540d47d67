package io.holdfast.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class FreePortTest {

    private static final InetAddress HERE = InetAddress.ofLiteral("127.0.0.1");
    private static final int FIRST = 18_480;

    @Test
    void two_that_look_at_once_are_given_two_although_nobody_listens_yet() {
        int one = FreePort.from(FIRST);
        int other = FreePort.from(FIRST);
        assertThat(other).isGreaterThan(one);
        assertThat(FreePort.claim(one)).isFalse();
    }

    @Test
    void what_another_process_has_claimed_is_passed_over() throws IOException {
        int free = FreePort.from(FIRST);
        try (var elsewhere = new DatagramSocket(new InetSocketAddress(HERE, free + 1))) {
            assertThat(FreePort.from(elsewhere.getLocalPort())).isGreaterThan(elsewhere.getLocalPort());
        }
    }

    @Test
    void what_somebody_listens_on_is_passed_over_and_not_claimed() throws IOException {
        int taken;
        try (var listening = new ServerSocket(0, 1, HERE)) {
            taken = listening.getLocalPort();
            assertThat(FreePort.claim(taken)).isFalse();
        }
        assertThat(FreePort.claim(taken)).isTrue();
    }
}
