package io.holdfast.reservation.view;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.reservation.conformance.MigratedDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** What the archiving of journals takes and what it leaves. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class JournalArchiveTest {

    private static final String OLD = "m:soup:2026-01-10";

    private HikariDataSource database;

    @BeforeEach
    void open() throws SQLException {
        database = MigratedDatabase.fresh("journalarchive");
        pool(OLD, "2026-01-10", "ARCHIVED");
        reservation("a", OLD, "CONFIRMED", 2);
        reservation("b", OLD, "CANCELED", 1);
        passed();
    }

    @AfterEach
    void close() {
        database.close();
    }

    private void sql(String statement) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement s = connection.createStatement()) {
            s.execute(statement);
        }
    }

    private List<String> read(String query) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (Connection connection = database.getConnection();
                Statement s = connection.createStatement();
                ResultSet r = s.executeQuery(query)) {
            while (r.next()) {
                rows.add(r.getString(1));
            }
        }
        return rows;
    }

    private void journal(String id, int sequence) throws SQLException {
        sql("insert into event_journal (persistence_id, sequence_number, writer, event_ser_id, event_ser_manifest,"
                + " event_payload) values ('" + id + "', " + sequence + ", 'w', 1, 'm', '{}')");
    }

    private void pool(String pool, String day, String status) throws SQLException {
        journal("stock-pool|" + pool, 1);
        sql("insert into pool_view (pool, merchant, dish, day, status, suspect, created_at, updated_at,"
                + " sequence_number) values ('" + pool + "', 'm', 'soup', '" + day + "', '" + status
                + "', false, now(), now(), 1)");
    }

    private void reservation(String id, String pool, String status, int events) throws SQLException {
        for (int sequence = 1; sequence <= events; sequence++) {
            journal("reservation|" + id, sequence);
        }
        sql("insert into reservation_view (reservation_id, status, pool, merchant, dish, order_id, order_item_id,"
                + " order_type, quantity, attention_at, created_at, updated_at, sequence_number, state)"
                + " values ('" + id
                + "', '"
                + status + "', '" + pool + "', 'm', 'soup', 'o', 'i', 'INSTANT', 1, now(), now(), now(), "
                + events
                + ", '{}')");
    }

    /** Every projection has handled everything so far. */
    private void passed() throws SQLException {
        sql("insert into projection_offset (projection, slice_from, slice_to, xid, ordering) select p, 16 * s, 16"
                + " * s + 15, pg_current_xact_id(), 0 from unnest(array['owed', 'reservation_view']) p,"
                + " generate_series(0, 7) s on conflict (projection, slice_from, slice_to) do update set xid ="
                + " excluded.xid");
    }

    private List<String> archived() throws SQLException {
        sql("select journal_archive('2026-02-01', 100)");
        return read("select persistence_id || '#' || sequence_number from event_journal_archive order by 1");
    }

    @Test
    void whole_journals_of_ended_reservations_go_and_pools_stay() throws SQLException {
        assertThat(archived()).containsExactly("reservation|a#1", "reservation|a#2", "reservation|b#1");
        assertThat(read("select persistence_id from event_journal")).containsExactly("stock-pool|" + OLD);
        assertThat(read("select reservation_id from reservation_view")).hasSize(2);
        assertThat(archived()).as("again").hasSize(3);
    }

    @Test
    void a_pool_that_is_not_archived_or_whose_day_is_not_past_keeps_its_own() throws SQLException {
        pool("m:soup:2026-01-11", "2026-01-11", "CLOSED");
        reservation("c", "m:soup:2026-01-11", "CONFIRMED", 1);
        pool("m:soup:2026-02-01", "2026-02-01", "ARCHIVED");
        reservation("d", "m:soup:2026-02-01", "CONFIRMED", 1);
        passed();
        assertThat(archived())
                .noneMatch(row -> row.contains("|c") || row.contains("|d"))
                .hasSize(3);
    }

    @Test
    void a_pool_with_a_reservation_that_has_not_ended_is_left_whole() throws SQLException {
        reservation("late", OLD, "REFUNDING", 1);
        passed();
        assertThat(archived()).isEmpty();
    }

    @Test
    void what_a_projection_has_not_handled_or_the_view_does_not_show_stays() throws SQLException {
        sql("update projection_offset set xid = '0' where projection = 'owed' and slice_from = 16");
        assertThat(archived()).isEmpty();
        passed();
        journal("reservation|b", 2);
        passed();
        assertThat(archived()).containsExactly("reservation|a#1", "reservation|a#2");
    }
}
