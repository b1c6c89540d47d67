package io.holdfast.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class TourTest {

    @Test
    void every_promise_of_the_tour_is_kept() {
        assertThat(Launcher.run("dev", "--tour")).isZero();
    }
}
