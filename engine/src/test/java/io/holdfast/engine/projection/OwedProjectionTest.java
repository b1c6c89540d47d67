package io.holdfast.engine.projection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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

@DisplayNameGeneration(ReplaceUnderscores.class)
class OwedProjectionTest {

    private static final String ONE = "2026-01-01T00:00:01.123456Z";
    private static final String TWO = "2026-01-01T00:00:02Z";

    private final OwedProjection owed = new OwedProjection();
    private JournalDatabase database;

    @BeforeEach
    void begin() {
        database = JournalDatabase.on(SharedStack.postgres());
    }

    @AfterEach
    void end() {
        database.close();
    }

    private static JournalRow owing(String id, long sequenceNumber, String wakeAt) {
        return row(
                id,
                sequenceNumber,
                "{\"v\":1,\"data\":{\"wake_at\":\"not this\",\"list\":[{}]},\"wake_at\":\"" + wakeAt + "\"}");
    }

    private static JournalRow resting(String id, long sequenceNumber) {
        return row(id, sequenceNumber, "{\"v\":1,\"type\":\"Done\",\"data\":{\"wake_at\":\"2026-01-01T00:00:00Z\"}}");
    }

    private static JournalRow row(String id, long sequenceNumber, String json) {
        return new JournalRow(id, sequenceNumber, 1, sequenceNumber, "", json.getBytes(StandardCharsets.UTF_8));
    }

    private void handle(JournalRow... rows) throws SQLException {
        try (Connection c = database.connect()) {
            c.setAutoCommit(false);
            owed.handleAll(c, List.of(rows));
            c.commit();
        }
    }

    private List<String> table() throws SQLException {
        return database.query(
                "select machine || ' ' || persistence_id || ' ' || to_char(wake_at at time zone 'UTC', 'SS.US')"
                        + " from owed order by persistence_id");
    }

    @Test
    void the_last_event_of_an_entity_says_whether_and_when_it_is_due() throws SQLException {
        handle(owing("m|1", 1, ONE), owing("m|2", 1, ONE), owing("n|a:b|c", 1, TWO), resting("m|3", 1));
        assertThat(table()).containsExactly("m m|1 01.123456", "m m|2 01.123456", "n n|a:b|c 02.000000");
        handle(owing("m|1", 2, TWO), resting("m|2", 2));
        assertThat(table()).containsExactly("m m|1 02.000000", "n n|a:b|c 02.000000");
    }

    @Test
    void within_a_batch_only_the_last_counts() throws SQLException {
        handle(owing("m|1", 1, ONE), resting("m|1", 2), owing("m|2", 1, ONE), resting("m|2", 2), owing("m|2", 3, TWO));
        assertThat(table()).containsExactly("m m|2 02.000000");
    }

    @Test
    void an_older_event_changes_nothing() throws SQLException {
        handle(owing("m|1", 5, TWO));
        handle(owing("m|1", 4, ONE));
        handle(resting("m|1", 3));
        assertThat(table()).containsExactly("m m|1 02.000000");
    }

    @Test
    void an_entity_that_begins_again_beside_new_ones_is_as_if_it_had_not() throws SQLException {
        handle(owing("m|1", 1, ONE), owing("m|1", 2, TWO), owing("m|2", 1, ONE));
        handle(
                owing("m|3", 1, ONE),
                owing("m|1", 1, ONE),
                owing("m|2", 1, ONE),
                owing("m|2", 2, TWO),
                owing("m|4", 1, TWO));
        assertThat(table()).containsExactly("m m|1 02.000000", "m m|2 02.000000", "m m|3 01.123456", "m m|4 02.000000");
    }

    @Test
    void clearing_takes_the_slices_asked_for() throws SQLException {
        for (int i = 0; i < 50; i++) {
            handle(owing("m|" + i, 1, ONE));
        }
        try (Connection c = database.connect()) {
            owed.clear(c, new Slices(0, 63));
            assertThat(database.one("select bool_and(hashtext(persistence_id) & 127 > 63)::text from owed"))
                    .isEqualTo("true");
            owed.clear(c, Slices.all());
        }
        assertThat(table()).isEmpty();
    }

    @Test
    void a_payload_it_can_not_read_is_not_taken_for_an_entity_at_rest() {
        for (String json : List.of("", "[]", "{\"v\":", "{\"wake_at\":\"soon\"}", "{\"wake_at\":3}")) {
            assertThatThrownBy(() -> handle(row("m|1", 1, json))).isInstanceOf(RuntimeException.class);
        }
    }
}
