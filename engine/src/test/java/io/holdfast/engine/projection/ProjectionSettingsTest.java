package io.holdfast.engine.projection;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class ProjectionSettingsTest {

    @ParameterizedTest(name = "{0} ms of work, {1} ms of rest")
    @CsvSource({"0, 50", "10, 40", "12, 38", "13, 39", "20, 60", "60, 180", "100, 200", "5000, 200"})
    void a_reader_rests_until_the_next_beat_or_three_times_its_work_but_no_longer_than_a_poll(long spent, long rest) {
        assertThat(ProjectionSettings.standard().rest(Duration.ofMillis(spent))).isEqualTo(Duration.ofMillis(rest));
    }
}
