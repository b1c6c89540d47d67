package io.holdfast.reservation.view;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.engine.entity.Entry;
import io.holdfast.engine.entity.Meta;
import io.holdfast.engine.journal.JournalCodec;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.projection.JournalRow;
import io.holdfast.engine.projection.Slices;
import io.holdfast.reservation.conformance.MigratedDatabase;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.DifferenceReport;
import io.holdfast.reservation.domain.PoolOperation;
import io.holdfast.reservation.domain.Sale;
import io.holdfast.reservation.domain.StockPoolEvent;
import io.holdfast.reservation.domain.StockPoolEvent.OperationAccepted;
import io.holdfast.reservation.domain.StockPoolEvent.OperationRefused;
import io.holdfast.reservation.domain.StockPoolEvent.PoolArchived;
import io.holdfast.reservation.domain.StockPoolEvent.PoolClosed;
import io.holdfast.reservation.domain.StockPoolEvent.PoolInitialized;
import io.holdfast.reservation.domain.StockPoolEvent.PoolPaused;
import io.holdfast.reservation.domain.StockPoolEvent.PoolRebuilt;
import io.holdfast.reservation.domain.StockPoolEvent.PoolReopened;
import io.holdfast.reservation.domain.StockPoolEvent.PoolResumed;
import io.holdfast.reservation.domain.StockPoolEvent.RebuildStarted;
import io.holdfast.reservation.domain.StockPoolEvent.SuspicionRaised;
import io.holdfast.reservation.domain.StockPoolEvent.TotalAdjusted;
import io.holdfast.reservation.domain.StockPoolEvent.VerificationDiffered;
import io.holdfast.reservation.domain.StockPoolMachine;
import io.holdfast.reservation.domain.StockPoolRefusal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class PoolViewTest {

    private static final Instant START = Instant.parse("2026-07-25T12:30:00.123456Z");
    private static final String SOUP = "m-1:soup:2026-07-25";
    private static final Books FULL = Books.expected(1, 1, 10, 0, 0);
    private static final OperationAccepted ASKED = new OperationAccepted(new PoolOperation.Init("init-1", 10));
    private static final PoolInitialized CREATED = new PoolInitialized("init-1", FULL);

    private static HikariDataSource database;

    private final PoolViewProjection projection = new PoolViewProjection();
    private final JournalCodec<StockPoolEvent> codec = JournalCodec.of(StockPoolEvent.class);
    private final Map<String, Long> lastSequence = new HashMap<>();

    @BeforeAll
    static void open() {
        database = MigratedDatabase.fresh("pool_view");
    }

    @AfterAll
    static void shut() {
        database.close();
    }

    @AfterEach
    void clean() throws SQLException {
        sql("truncate pool_view");
    }

    private List<JournalRow> rows(String pool, StockPoolEvent... events) {
        List<JournalRow> rows = new ArrayList<>();
        for (StockPoolEvent event : events) {
            long sequence = lastSequence.merge(pool, 1L, Long::sum);
            Meta meta = new Meta(
                    START.plusSeconds(sequence),
                    new Cause("c", "", Cause.Kind.REQUEST, "shop", Optional.empty()),
                    Optional.empty());
            rows.add(new JournalRow(
                    StockPoolMachine.NAME + "|" + pool,
                    sequence,
                    100 + sequence,
                    sequence,
                    "",
                    codec.encode(new Entry.Happened<>(event, meta))));
        }
        return rows;
    }

    private void handle(List<JournalRow> rows) throws SQLException {
        try (Connection connection = database.getConnection()) {
            projection.handleAll(connection, rows);
        }
    }

    private void journal(String pool, StockPoolEvent... events) throws SQLException {
        handle(rows(pool, events));
    }

    private static void sql(String statement) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement s = connection.createStatement()) {
            s.execute(statement);
        }
    }

    /** Status, whether suspect, total, deficit, baseline version, day. */
    private static String row(String pool) throws SQLException {
        try (Connection connection = database.getConnection();
                var s = connection.prepareStatement("select concat_ws(' ', status, suspect, coalesce(total::text, '-'),"
                        + " coalesce(deficit::text, '-'), coalesce(baseline_version::text, '-'), coalesce(day::text,"
                        + " '-')) from pool_view where pool = ?")) {
            s.setString(1, pool);
            try (ResultSet r = s.executeQuery()) {
                return r.next() ? r.getString(1) : "nothing";
            }
        }
    }

    @Test
    void a_row_follows_the_life_of_its_pool() throws SQLException {
        journal(SOUP, ASKED);
        assertThat(row(SOUP)).isEqualTo("INITIALIZING f - - - 2026-07-25");
        journal(SOUP, CREATED);
        assertThat(row(SOUP)).isEqualTo("OPEN f 10 0 1 2026-07-25");
        journal(SOUP, new OperationAccepted(new PoolOperation.Adjust("a", 2, OptionalLong.empty())));
        journal(SOUP, new TotalAdjusted("a", 2, Books.expected(1, 5, 2, 4, 1)));
        assertThat(row(SOUP)).isEqualTo("OPEN f 2 3 2 2026-07-25");
        journal(SOUP, new PoolPaused("p", Books.expected(1, 6, 2, 3, 1)));
        assertThat(row(SOUP)).isEqualTo("PAUSED f 2 2 2 2026-07-25");
        journal(SOUP, new OperationRefused("x", StockPoolRefusal.BASELINE_CHANGED));
        assertThat(row(SOUP)).isEqualTo("PAUSED f 2 2 2 2026-07-25");
        journal(SOUP, new PoolResumed("r", Books.expected(1, 6, 2, 3, 1)), new PoolClosed("c", FULL));
        journal(SOUP, new PoolArchived("e", FULL));
        assertThat(row(SOUP)).isEqualTo("ARCHIVED f 10 0 2 2026-07-25");
    }

    @Test
    void a_suspicion_is_shown_beside_the_state_it_goes_back_to() throws SQLException {
        var report = new DifferenceReport(FULL, Optional.empty(), 0, 0, List.of(), "Redis has no such pool");
        journal(SOUP, ASKED, CREATED, new PoolPaused("p", FULL), new SuspicionRaised("restart", 1));
        assertThat(row(SOUP)).startsWith("PAUSED t");
        journal(SOUP, new VerificationDiffered(1, report, START));
        assertThat(row(SOUP)).startsWith("PAUSED t");
        journal(SOUP, new PoolReopened(2, Optional.of(Books.expected(1, 9, 10, 2, 0))));
        assertThat(row(SOUP)).startsWith("PAUSED f 10");
    }

    @Test
    void a_pool_that_is_loaded_anew_is_doubtful_until_it_is_done() throws SQLException {
        journal(SOUP, ASKED, CREATED, new PoolClosed("c", FULL), new RebuildStarted(1, 2, "a rebuild was asked for"));
        assertThat(row(SOUP)).startsWith("CLOSED t");
        journal(SOUP, new PoolRebuilt(1, Books.expected(2, 9, 10, 2, 0), 4, START));
        assertThat(row(SOUP)).startsWith("CLOSED f 10");
    }

    @Test
    void a_creation_that_was_refused_leaves_a_pool_that_is_none() throws SQLException {
        journal(SOUP, ASKED, new OperationRefused("init-1", StockPoolRefusal.OPERATION_MALFORMED));
        assertThat(row(SOUP)).startsWith("NEW f");
        journal(SOUP, ASKED, CREATED);
        assertThat(row(SOUP)).startsWith("OPEN f");
    }

    @Test
    void events_that_come_again_change_nothing_and_those_of_other_machines_are_not_ours() throws SQLException {
        List<JournalRow> rows = rows(SOUP, ASKED, CREATED, new PoolClosed("c", FULL));
        handle(rows);
        handle(rows);
        handle(rows.subList(0, 2));
        assertThat(row(SOUP)).startsWith("CLOSED");
        handle(List.of(new JournalRow("reservation|r-1", 1, 1, 1, "", new byte[] {'x'})));
    }

    @Test
    void the_pool_of_a_sale_has_no_day() throws SQLException {
        journal("sale:phone", ASKED, CREATED);
        assertThat(row("sale:phone")).isEqualTo("OPEN f 10 0 1 -");
    }

    @Test
    void the_versions_of_secrets_that_sales_keep_are_known_until_they_are_archived() throws SQLException {
        var versions = new SaleKeyVersions(database);
        assertThat(versions.inUse()).isEmpty();
        journal("sale:soup", ASKED, CREATED);
        for (int version : List.of(7, 3)) {
            for (String sku : List.of("a", "b")) {
                journal("sale:" + sku + version, asked(version), CREATED);
            }
        }
        journal("sale:new", asked(9));
        assertThat(versions.inUse()).containsExactly(3, 7, 9);

        journal("sale:a7", new PoolClosed("c", FULL), new PoolArchived("e", FULL));
        assertThat(versions.inUse()).containsExactly(3, 7, 9);
        journal("sale:b7", new PoolClosed("c", FULL), new PoolArchived("e", FULL));
        assertThat(versions.inUse()).containsExactly(3, 9);
    }

    private static OperationAccepted asked(int keyVersion) {
        Instant opens = Instant.parse("2026-07-25T12:30:00Z");
        var sale = new Sale(1, opens, opens.plusSeconds(60), keyVersion);
        return new OperationAccepted(new PoolOperation.Init("init-1", 10, Optional.empty(), Optional.of(sale)));
    }

    @Test
    void what_is_forgotten_is_what_the_slices_hold() throws SQLException {
        journal(SOUP, ASKED, CREATED);
        try (Connection connection = database.getConnection()) {
            projection.clear(connection, Slices.all());
        }
        assertThat(row(SOUP)).isEqualTo("nothing");
    }
}
