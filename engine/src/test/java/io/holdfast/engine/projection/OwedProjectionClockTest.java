package io.holdfast.engine.projection;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.localstack.SharedStack;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/**
 * A writer whose clock was ahead and who died: what it owed must not wait for its clock to come true. Found by simulation with clock
 * jumps.
 */
@DisplayNameGeneration(ReplaceUnderscores.class)
class OwedProjectionClockTest {

    private static final String AHEAD = "2999-01-01T00:00:00Z";
    private JournalDatabase database;

    @BeforeEach
    void begin() {
        database = JournalDatabase.on(SharedStack.postgres());
    }

    @AfterEach
    void end() {
        database.close();
    }

    @Test
    void an_effect_owed_by_a_clock_that_was_ahead_is_due_now() throws SQLException {
        assertThat(dueWithinAMinute(
                        "{\"type\":\"HoldRequested\",\"at\":\"" + AHEAD + "\",\"wake_at\":\"" + AHEAD + "\"}"))
                .isTrue();
    }

    @Test
    void a_stall_recorded_by_a_clock_that_was_ahead_is_due_after_its_own_wait() throws SQLException {
        assertThat(dueWithinAMinute(
                        "{\"type\":\"EffectStalled\",\"at\":\"" + AHEAD + "\",\"wake_at\":\"2999-01-01T00:00:15Z\"}"))
                .isTrue();
    }

    @Test
    void a_moment_named_by_data_is_taken_as_it_is() throws SQLException {
        assertThat(dueWithinAMinute(
                        "{\"type\":\"HoldGranted\",\"at\":\"2026-01-01T00:00:00Z\",\"wake_at\":\"" + AHEAD + "\"}"))
                .isFalse();
    }

    @Test
    void an_effect_owed_by_a_clock_that_was_right_or_behind_keeps_its_age() throws SQLException {
        project("{\"type\":\"HoldRequested\",\"at\":\"2026-01-01T00:00:00Z\",\"wake_at\":\"2026-01-01T00:00:00Z\"}");
        assertThat(database.one("select wake_at = timestamptz '2026-01-01T00:00:00Z' from owed"))
                .isEqualTo("t");
    }

    private boolean dueWithinAMinute(String json) throws SQLException {
        project(json);
        return database.one("select wake_at < now() + interval '1 minute' from owed")
                .equals("t");
    }

    private void project(String json) throws SQLException {
        JournalRow row = new JournalRow("m|e", 1, 1, 1, "", json.getBytes(StandardCharsets.UTF_8));
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            new OwedProjection().handleAll(connection, List.of(row));
            connection.commit();
        }
    }
}
