package io.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class LoggingWithoutContextTest {

    @Test
    void what_is_put_into_the_context_of_a_thread_is_not_kept() {
        var provider = new LoggingWithoutContext();
        provider.initialize();

        provider.getMDCAdapter().put("entity", "reservation|1");

        assertThat(provider.getMDCAdapter().get("entity")).isNull();
        assertThat(provider.getMDCAdapter().getCopyOfContextMap()).isNullOrEmpty();
    }
}
