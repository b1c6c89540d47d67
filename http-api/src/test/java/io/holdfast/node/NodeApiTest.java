package io.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.net.URI;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which answers a script may wait for to become other ones. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class NodeApiTest {

    private static RuntimeException refused(int status) {
        return NodeApi.refused(
                URI.create("http://node"),
                status,
                JsonNodeFactory.instance.objectNode().put("code", "SOME_CODE").put("detail", "So it is."));
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 401, 403, 404, 405, 422})
    void what_was_asked_wrongly_stays_wrong(int status) {
        assertThat(refused(status))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith("http://node answered " + status + ": SOME_CODE, So it is.");
    }

    @ParameterizedTest
    @ValueSource(ints = {408, 409, 500, 503})
    void how_things_stand_may_change(int status) {
        assertThat(refused(status))
                .isInstanceOf(StartException.class)
                .hasMessage("http://node answered " + status + ": SOME_CODE, So it is.");
    }

    @Test
    void whoever_is_not_known_is_told_how_to_say_who_calls() {
        assertThat(refused(401)).hasMessageContaining("--token-file").hasMessageContaining("HOLDFAST_TOKEN");
    }
}
