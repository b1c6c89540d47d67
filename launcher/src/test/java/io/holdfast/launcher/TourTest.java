package io.holdfast.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class TourTest {

    /** Where other tests do not look for a free one at the same moment. */
    private static final String PORT = "18180";

    @Test
    void every_promise_of_the_tour_is_kept() {
        assertThat(Launcher.run("dev", "--tour", "--port", PORT)).isZero();
    }
}
