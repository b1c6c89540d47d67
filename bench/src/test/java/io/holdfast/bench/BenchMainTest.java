package io.holdfast.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.bench.report.Result;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class BenchMainTest {

    @Test
    void an_unknown_scenario_is_refused() {
        assertThat(BenchMain.run("holdd")).isEqualTo(2);
        assertThat(BenchMain.run()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--seconds", "--outstanding", "--pools", "--many", "--warm-up"})
    void an_option_with_which_nothing_would_be_done_is_refused(String option) {
        assertThat(BenchMain.run("hold", option, "0")).isEqualTo(2);
        assertThat(BenchMain.run("all", option, "-1")).isEqualTo(2);
    }

    @Test
    void results_that_could_not_be_written_are_refused_before_anything_runs(@TempDir Path folder) {
        assertThat(BenchMain.run(
                        "hold", "--json", folder.resolve("no/such/folder.json").toString()))
                .isEqualTo(2);
    }

    @Test
    void one_run_whose_sums_are_off_makes_the_exit_code_1_whatever_comes_after_it() {
        assertThat(BenchMain.code(List.of())).isZero();
        assertThat(BenchMain.code(List.of(result(true), result(true)))).isZero();
        assertThat(BenchMain.code(List.of(result(true), result(false), result(true))))
                .isEqualTo(1);
    }

    private static Result result(boolean agrees) {
        return new Result(
                "hold", 1, 1, null, null, null, null, null, null, null, null, agrees, Map.of(), Map.of(), Map.of());
    }

    @Test
    void what_there_is_can_be_listed() {
        assertThat(BenchMain.run("--list")).isZero();
    }
}
