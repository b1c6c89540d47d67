package io.holdfast.engine.projection;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class ProjectionSettingsTest {

    @ParameterizedTest(name = "{0} ms of work on {1} events, {2} ms of rest")
    @CsvSource({
        "0, 0, 50",
        "10, 1, 40",
        "12, 99, 38",
        "13, 99, 39",
        "20, 50, 60",
        "60, 50, 180",
        "100, 1, 200",
        "5000, 4000, 200",
        // the more events, the longer the beat
        "0, 100, 100",
        "10, 199, 90",
        "10, 250, 140",
        "10, 300, 190",
        "10, 4000, 190",
        "50, 4000, 150",
        "60, 4000, 180",
    })
    void a_reader_rests_until_the_next_beat_or_three_times_its_work_but_no_longer_than_a_poll(
            long spent, int events, long rest) {
        assertThat(ProjectionSettings.standard().rest(Duration.ofMillis(spent), events))
                .isEqualTo(Duration.ofMillis(rest));
    }
}
