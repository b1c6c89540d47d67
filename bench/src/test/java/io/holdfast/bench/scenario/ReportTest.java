package io.holdfast.bench.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.bench.Options;
import io.holdfast.bench.report.Figure;
import io.holdfast.bench.report.Surroundings;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class ReportTest {

    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final Report report = new Report(
            "hold",
            new Options(Duration.ofSeconds(1), Duration.ofSeconds(1), 16, 5, 100, true, Optional.empty()),
            new Surroundings(Map.of("cores", "2"), Map.of("redis", "6"), Map.of("postgres.fsync", "on")),
            new PrintStream(said, true, StandardCharsets.UTF_8));

    private String text() {
        return said.toString(StandardCharsets.UTF_8);
    }

    @Test
    void it_begins_with_machine_versions_and_durability() {
        assertThat(text()).contains("machine     cores: 2", "version     redis: 6", "durability  postgres.fsync: on");
    }

    @Test
    void a_figure_that_is_missed_is_said_and_leaves_the_sums_alone() {
        report.figure(Figure.atLeast("x", 2, 2, 1));
        assertThat(report.end().checksOk()).isTrue();
        assertThat(text()).contains("figure  x: 1.00, bound >= 2.00: NOT MET", "sums: all agree");
    }

    @Test
    void anything_that_is_off_is_said_and_fails_the_run() {
        report.off(List.of());
        report.off(List.of("p: 2 acknowledged, 1 in the journals"));
        assertThat(report.end().checksOk()).isFalse();
        assertThat(text()).contains("OFF  p: 2 acknowledged, 1 in the journals", "sums: OFF");
    }
}
