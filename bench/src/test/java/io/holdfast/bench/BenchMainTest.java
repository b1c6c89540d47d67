package io.holdfast.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class BenchMainTest {

    @Test
    void an_unknown_scenario_is_refused() {
        assertThat(BenchMain.run("holdd")).isEqualTo(2);
        assertThat(BenchMain.run()).isEqualTo(2);
    }

    @Test
    void what_there_is_can_be_listed() {
        assertThat(BenchMain.run("--list")).isZero();
    }
}
