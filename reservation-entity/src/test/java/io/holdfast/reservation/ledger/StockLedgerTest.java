package io.holdfast.reservation.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.engine.projection.JournalRow;
import io.holdfast.engine.projection.Slices;
import io.holdfast.reservation.conformance.MigratedDatabase;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.Refund;
import io.holdfast.reservation.domain.ReservationEvent;
import io.holdfast.reservation.domain.StockMove;
import io.holdfast.reservation.domain.StockPoolEvent;
import io.holdfast.reservation.view.ReservationViewProjection;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class StockLedgerTest {

    private static final String SOUP = "m-1:soup:2026-07-25";

    private static HikariDataSource database;

    private final ReservationViewProjection projection = new ReservationViewProjection();
    private final LedgerQueries ledger = new LedgerQueries(database);
    private final AnomalyQueries anomalies = new AnomalyQueries(database);

    @BeforeAll
    static void open() {
        database = MigratedDatabase.fresh("stockledger");
    }

    @AfterAll
    static void close() {
        database.close();
    }

    @AfterEach
    void clean() throws SQLException {
        sql("truncate reservation_view, stock_ledger, stock_book, anomaly");
    }

    // ---- what the tests do

    private interface Work {
        void in(Connection connection) throws SQLException;
    }

    private static void transaction(Work work) throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            work.in(connection);
            connection.commit();
        }
    }

    private void project(List<JournalRow> rows) throws SQLException {
        transaction(connection -> projection.handleAll(connection, rows));
    }

    private void projectInBatches(List<JournalRow> rows, Random random, int longest) throws SQLException {
        int from = 0;
        while (from < rows.size()) {
            int to = Math.min(rows.size(), from + 1 + random.nextInt(longest));
            project(rows.subList(from, to));
            from = to;
        }
    }

    private static void sql(String statement) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement s = connection.createStatement()) {
            s.execute(statement);
        }
    }

    private static List<String> read(String query) throws SQLException {
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

    /** Every row of every table, as text. */
    private static Map<String, List<String>> tables() throws SQLException {
        Map<String, List<String>> tables = new LinkedHashMap<>();
        for (String table : List.of("stock_ledger", "stock_book", "stock_snapshot", "reservation_view", "anomaly")) {
            tables.put(table, read("select t::text from " + table + " t order by t::text collate \"C\""));
        }
        return tables;
    }

    private static StockMove numbers(Books books) {
        return StockMove.begun(books);
    }

    /** The same events, each entity's in their order and otherwise as chance has it. */
    private static List<JournalRow> shuffled(List<JournalRow> rows, Random random) {
        Map<String, List<JournalRow>> byEntity = new LinkedHashMap<>();
        rows.forEach(row -> byEntity.computeIfAbsent(row.persistenceId(), _ -> new ArrayList<>())
                .add(row));
        List<List<JournalRow>> queues = new ArrayList<>(byEntity.values());
        List<JournalRow> mixed = new ArrayList<>();
        while (!queues.isEmpty()) {
            int chosen = random.nextInt(queues.size());
            mixed.add(queues.get(chosen).removeFirst());
            if (queues.get(chosen).isEmpty()) {
                queues.remove(chosen);
            }
        }
        return mixed;
    }

    // ---- sums

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void the_sums_of_the_latest_book_are_what_redis_holds_and_so_is_the_snapshot(long seed) throws SQLException {
        var story = Story.random(SOUP, seed, 120);
        projectInBatches(story.journal(), new Random(seed), 40);
        Balance balance = ledger.balance(story.pool).orElseThrow();
        assertThat(balance.sum()).isEqualTo(numbers(story.redis.books()));
        assertThat(balance.epoch()).isEqualTo(story.redis.books().epoch());
        assertThat(balance.version()).isEqualTo(story.redis.books().version());
        assertThat(balance.complete()).isTrue();
        Snapshot snapshot = ledger.snapshot(story.pool).orElseThrow();
        assertThat(snapshot.books()).isEqualTo(story.redis.books());
        assertThat(snapshot.complete()).isTrue();
        assertThat(anomalies
                        .list(AnomalyQueries.Filter.none(), Optional.empty(), 10)
                        .entries())
                .isEmpty();
        assertThat(read("select distinct sync_status from reservation_view")).containsExactly("SYNCED");
    }

    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13})
    void whatever_the_batches_and_the_order_of_entities_the_tables_are_the_same(long seed) throws SQLException {
        var random = new Random(seed);
        List<JournalRow> journal = new ArrayList<>(Story.random(SOUP, seed, 80).journal());
        journal.addAll(Story.random("m-1:soup:2026-08-01", seed + 100, 80).journal());
        project(journal);
        Map<String, List<String>> atOnce = tables();
        project(journal); // again
        assertThat(tables()).isEqualTo(atOnce);
        for (int longest : new int[] {1, 7, 500}) {
            clean();
            projectInBatches(shuffled(journal, random), random, longest);
            assertThat(tables()).as("in batches of up to %s", longest).isEqualTo(atOnce);
        }
    }

    @Test
    void a_book_is_not_complete_while_a_version_of_it_is_missing() throws SQLException {
        var story = new Story(SOUP, 10);
        story.begin();
        story.hold("a", 1);
        story.hold("b", 2);
        List<JournalRow> journal = story.journal();
        List<JournalRow> withoutA = journal.stream()
                .filter(row -> !row.entityId().equals(Story.id("a")))
                .toList();
        project(withoutA);
        Snapshot snapshot = ledger.snapshot(story.pool).orElseThrow();
        assertThat(snapshot.books()).isEqualTo(story.redis.books());
        assertThat(snapshot.complete()).isFalse();
        project(journal);
        assertThat(ledger.snapshot(story.pool).orElseThrow().complete()).isTrue();
        assertThat(ledger.balance(story.pool).orElseThrow().sum()).isEqualTo(numbers(story.redis.books()));
    }

    @Test
    void an_older_epoch_that_comes_late_does_not_come_back() throws SQLException {
        var story = new Story(SOUP, 10);
        story.begin();
        story.hold("old", 1);
        story.rebuild();
        story.hold("new", 2);
        List<JournalRow> journal = story.journal();
        List<JournalRow> old = journal.stream()
                .filter(row -> row.entityId().equals(Story.id("old")))
                .toList();
        List<JournalRow> newer = journal.stream()
                .filter(row -> row.entityId().equals(Story.id("new")))
                .toList();
        project(newer);
        assertThat(ledger.snapshot(story.pool).orElseThrow().books().epoch()).isEqualTo(2);
        project(old);
        project(journal);
        Snapshot snapshot = ledger.snapshot(story.pool).orElseThrow();
        assertThat(snapshot.books()).isEqualTo(story.redis.books());
        assertThat(snapshot.complete()).isTrue();
    }

    // ---- contradictions

    @Test
    void two_changes_that_claim_one_version_are_an_anomaly_with_both_sides_and_the_projection_goes_on()
            throws SQLException {
        var story = new Story(SOUP, 10);
        story.begin();
        story.hold("a", 1);
        story.request("b", 2);
        story.reservation("b", new ReservationEvent.HoldGranted(story.redis.books())); // the version of a
        story.hold("c", 3);
        project(story.journal());
        var page = anomalies.list(AnomalyQueries.Filter.none(), Optional.empty(), 10);
        assertThat(page.entries()).singleElement().satisfies(anomaly -> {
            assertThat(anomaly.type()).isEqualTo("LEDGER_VERSION_TAKEN");
            assertThat(anomaly.pool()).contains(SOUP);
            assertThat(anomaly.reservationId()).contains(Story.id("b"));
            assertThat(anomaly.evidence()).contains("TRY:" + Story.id("a"), "TRY:" + Story.id("b"));
            assertThat(anomaly.summary()).contains("version 2 of epoch 1");
        });
        assertThat(read("select reservation_id || ' ' || sync_status || ' ' || coalesce(synced_version, 0)"
                        + " from reservation_view order by redis_version, synced_version nulls last"))
                .containsExactly(Story.id("a") + " SYNCED 2", Story.id("b") + " DEAD 0", Story.id("c") + " SYNCED 3");
        assertThat(read("select operation_id from stock_ledger order by version"))
                .containsExactly("init", "TRY:" + Story.id("a"), "TRY:" + Story.id("c"));
        Map<String, List<String>> once = tables();
        project(story.journal());
        assertThat(tables()).as("handled again").isEqualTo(once);
        for (JournalRow row : story.journal()) {
            project(List.of(row));
        }
        assertThat(tables()).isEqualTo(once);
    }

    @Test
    void what_the_ledger_once_lacks_of_a_reservation_is_not_forgotten() throws SQLException {
        var story = new Story(SOUP, 10);
        story.begin();
        story.hold("a", 1);
        story.request("b", 2);
        story.reservation("b", new ReservationEvent.HoldGranted(story.redis.books()));
        project(story.journal());
        story.redis.hold(2);
        story.confirm("b", 2, 2);
        project(story.journal());
        assertThat(read("select sync_status from reservation_view where status = 'CONFIRMED'"))
                .containsExactly("DEAD");
        assertThat(ledger.snapshot(story.pool).orElseThrow().complete()).isFalse();
    }

    @Test
    void one_operation_with_two_versions_is_an_anomaly() throws SQLException {
        var story = new Story(SOUP, 10);
        story.begin();
        story.adjust("more", 12);
        story.pool(new StockPoolEvent.TotalAdjusted("more", 3, story.redis.adjust(14)));
        story.adjust("less", 11);
        project(story.journal());
        assertThat(anomalies
                        .list(AnomalyQueries.Filter.none(), Optional.empty(), 10)
                        .entries())
                .singleElement()
                .satisfies(anomaly -> {
                    assertThat(anomaly.type()).isEqualTo("LEDGER_OPERATION_REPEATED");
                    assertThat(anomaly.reservationId()).isEmpty();
                });
        assertThat(read("select total_delta from stock_ledger order by version"))
                .containsExactly("10", "2", "-3");
        assertThat(ledger.snapshot(story.pool).orElseThrow().complete()).isFalse();
    }

    @Test
    void a_refund_that_a_reservation_has_twice_is_an_anomaly() throws SQLException {
        var story = new Story(SOUP, 10);
        story.begin();
        story.hold("a", 3);
        story.confirm("a", 3, 3);
        Refund twice = new Refund("r", 1, true);
        story.refund("a", twice, 3);
        story.refund("a", twice, 3);
        project(story.journal());
        assertThat(anomalies
                        .list(AnomalyQueries.Filter.none(), Optional.empty(), 10)
                        .entries())
                .singleElement()
                .satisfies(anomaly -> {
                    assertThat(anomaly.type()).isEqualTo("LEDGER_OPERATION_REPEATED");
                    assertThat(anomaly.summary()).contains("made version 5", "had made version 4");
                });
        assertThat(read("select sync_status from reservation_view")).containsExactly("DEAD");
        assertThat(ledger.balance(story.pool).orElseThrow().version()).isEqualTo(4);
        Map<String, List<String>> once = tables();
        project(story.journal());
        assertThat(tables()).isEqualTo(once);
    }

    @Test
    void the_view_of_snapshots_says_the_same_as_the_query_of_one() throws SQLException {
        var story = Story.random(SOUP, 41, 40);
        project(story.journal());
        Books books = story.redis.books();
        assertThat(read("select concat_ws(' ', pool, day, epoch, version, total, deficit, available, reserved, sold,"
                        + " complete) from stock_snapshot"))
                .containsExactly(SOUP + " 2026-07-25 " + books.epoch() + " " + books.version() + " " + books.total()
                        + " " + books.deficit() + " " + books.available() + " " + books.reserved() + " " + books.sold()
                        + " t");
    }

    @Test
    void numbers_that_do_not_add_up_are_kept_and_told() throws SQLException {
        var story = new Story(SOUP, 10);
        story.begin();
        story.request("a", 2);
        Books off = new Books(1, 2, 10, 0, 8, 3, 0);
        story.reservation("a", new ReservationEvent.HoldGranted(off));
        project(story.journal());
        assertThat(anomalies
                        .list(AnomalyQueries.Filter.none(), Optional.empty(), 10)
                        .entries())
                .extracting(Anomaly::type)
                .containsExactly("LEDGER_UNBALANCED");
        assertThat(ledger.snapshot(story.pool).orElseThrow().books()).isEqualTo(off);
    }

    // ---- forgetting

    @ParameterizedTest
    @ValueSource(longs = {21, 22})
    void parts_that_are_forgotten_and_read_again_lead_to_the_same_tables(long seed) throws SQLException {
        List<JournalRow> journal = Story.random(SOUP, seed, 100).journal();
        projectInBatches(journal, new Random(seed), 50);
        Map<String, List<String>> before = tables();
        for (Slices slices : List.of(new Slices(0, 63), new Slices(64, 127), new Slices(32, 95))) {
            List<String> theirs =
                    read("select 'reservation|' || reservation_id from reservation_view where slice between "
                            + slices.from() + " and " + slices.to());
            theirs.addAll(read("select 'stock-pool|" + SOUP + "' where hashtext('stock-pool|" + SOUP
                    + "') & 127 between " + slices.from() + " and " + slices.to()));
            transaction(connection -> projection.clear(connection, slices));
            project(journal.stream()
                    .filter(row -> theirs.contains(row.persistenceId()))
                    .toList());
            assertThat(tables()).as("slices %s", slices).isEqualTo(before);
        }
        transaction(connection -> projection.clear(connection, Slices.all()));
        assertThat(tables().values()).allSatisfy(rows -> assertThat(rows).isEmpty());
        project(journal);
        assertThat(tables()).isEqualTo(before);
    }

    @Test
    void anomalies_that_others_found_stay_when_the_projection_begins_anew() throws SQLException {
        transaction(connection -> Anomalies.add(
                connection,
                List.of(new Anomaly(
                        "x",
                        "reconciliation",
                        "DIFFERENT",
                        Optional.of(SOUP),
                        Optional.empty(),
                        "it differs",
                        "{}",
                        Story.START))));
        transaction(connection -> projection.clear(connection, Slices.all()));
        assertThat(read("select id from anomaly")).containsExactly("x");
    }

    // ---- partitions

    @Test
    void each_pool_is_in_the_partition_of_its_month_which_is_made_when_it_is_needed() throws SQLException {
        for (String pool : List.of("m-1:soup:2031-01-31", "m-1:soup:2031-02-01", "m-1:soup", "m-1:soup:b1")) {
            var story = new Story(pool, 5);
            story.begin();
            project(story.journal());
        }
        assertThat(read("select tableoid::regclass || ' ' || pool from stock_ledger order by 1"))
                .containsExactly(
                        "stock_ledger_2031_01 m-1:soup:2031-01-31",
                        "stock_ledger_2031_02 m-1:soup:2031-02-01",
                        "stock_ledger_undated m-1:soup",
                        "stock_ledger_undated m-1:soup:b1");
        assertThat(read("select count(*) from pg_indexes where tablename = 'stock_ledger_2031_01'"))
                .as("as many indexes as the whole has, none of them twice")
                .containsExactly("2");
    }

    @Test
    void a_month_is_taken_out_and_what_comes_late_finds_a_new_partition() throws SQLException {
        var story = new Story("m-1:soup:2032-05-10", 10);
        story.begin();
        story.hold("a", 2);
        project(story.journal());
        String archived = read("select stock_ledger_detach('2032-05-01')").getFirst();
        assertThat(archived).startsWith("archived_stock_ledger_2032_05_");
        assertThat(read("select count(*) from " + archived)).containsExactly("2");
        assertThat(read("select count(*) from stock_ledger")).containsExactly("0");
        int already = story.journal().size();
        story.confirm("a", 2, 2);
        project(story.journal().subList(already, story.journal().size()));
        assertThat(read("select operation_id from stock_ledger")).containsExactly("CONFIRM:" + Story.id("a"));
        assertThat(ledger.snapshot(story.pool).orElseThrow().books()).isEqualTo(story.redis.books());
        sql("drop table " + archived);
    }

    @Test
    void a_partition_detached_by_hand_that_kept_its_name_is_told_and_nothing_is_lost() throws SQLException {
        var story = new Story("m-1:soup:2033-05-10", 10);
        story.begin();
        project(story.journal());
        sql("alter table stock_ledger detach partition stock_ledger_2033_05");
        int already = story.journal().size();
        story.hold("a", 2);
        List<JournalRow> more = story.journal().subList(already, story.journal().size());
        assertThatThrownBy(() -> project(more)).hasMessageContaining("rename or drop it");
        sql("drop table stock_ledger_2033_05");
        project(more);
        assertThat(read("select count(*) from stock_ledger")).containsExactly("1");
    }

    @Test
    void partitions_of_months_to_come_are_made_once_however_many_nodes_do_it() throws Exception {
        LocalDate today = LocalDate.of(2041, 11, 30);
        List<CompletableFuture<Integer>> nodes = new ArrayList<>();
        for (int node = 0; node < 4; node++) {
            nodes.add(CompletableFuture.supplyAsync(() -> {
                try {
                    return LedgerPartitions.prepare(database, today, 2);
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            }));
        }
        int made = 0;
        for (var node : nodes) {
            made += node.get();
        }
        assertThat(made).isEqualTo(3);
        assertThat(read("select relname from pg_class where relname like 'stock\\_ledger\\_204%' and relkind ="
                        + " 'r' order by 1"))
                .containsExactly("stock_ledger_2041_11", "stock_ledger_2041_12", "stock_ledger_2042_01");
        assertThat(LedgerPartitions.prepare(database, today, 2)).isZero();
    }

    // ---- reading

    @Test
    void the_figures_count_what_is_dead_and_what_is_at_odds() throws SQLException {
        assertThat(LedgerFigures.read(database).syncedRatio()).isEqualTo(1);
        var story = new Story(SOUP, 10);
        story.begin();
        story.hold("a", 1);
        story.request("b", 2);
        story.reservation("b", new ReservationEvent.HoldGranted(story.redis.books()));
        project(story.journal());
        sql("analyze reservation_view");
        LedgerFigures figures = LedgerFigures.read(database);
        assertThat(figures.reservations()).isEqualTo(2);
        assertThat(figures.dead()).isEqualTo(1);
        assertThat(figures.oldestDead()).isPresent();
        assertThat(figures.syncedRatio()).isEqualTo(0.5);
        assertThat(figures.anomalies())
                .as("also those there are none of, so that whoever watches has something to watch")
                .containsExactly(
                        Map.entry("LEDGER_OPERATION_REPEATED", 0L),
                        Map.entry("LEDGER_UNBALANCED", 0L),
                        Map.entry("LEDGER_VERSION_TAKEN", 1L));
    }

    @Test
    void a_ledger_is_read_page_by_page_in_the_order_of_its_versions() throws SQLException {
        var story = Story.random(SOUP, 31, 60);
        project(story.journal());
        List<LedgerRow> all = new ArrayList<>();
        Optional<String> cursor = Optional.empty();
        do {
            LedgerPage page = ledger.page(LedgerFilter.all(story.pool), cursor, 7);
            all.addAll(page.rows());
            cursor = page.next();
            cursor.ifPresent(place -> assertThatThrownBy(
                            () -> ledger.page(LedgerFilter.all(PoolId.parse("m9:other")), Optional.of(place), 7))
                    .as("a place in the ledger of another pool")
                    .isInstanceOf(IllegalArgumentException.class));
        } while (cursor.isPresent());
        assertThat(all)
                .extracting(row -> row.change().after().version())
                .isSorted()
                .hasSize(Math.toIntExact(story.redis.books().version()));
        assertThat(all.getLast().change().after()).isEqualTo(story.redis.books());
        LedgerRow middle = all.get(all.size() / 2);
        assertThat(ledger.page(
                                new LedgerFilter(
                                        story.pool, Optional.of(middle.at()), Optional.empty(), Optional.empty()),
                                Optional.empty(),
                                500)
                        .rows())
                .containsExactlyElementsOf(all.subList(all.size() / 2, all.size()));
        assertThat(ledger.page(
                                new LedgerFilter(
                                        story.pool, Optional.empty(), Optional.of(middle.at()), Optional.empty()),
                                Optional.empty(),
                                500)
                        .rows())
                .containsExactlyElementsOf(all.subList(0, all.size() / 2));
    }

    @Test
    void the_rows_of_one_reservation_are_told_with_what_caused_them() throws SQLException {
        var story = new Story(SOUP, 10);
        story.begin();
        story.hold("a", 3);
        story.hold("b", 3);
        story.confirm("a", 3, 2);
        story.refund("a", new Refund("r", 1, true), 2);
        project(story.journal());
        String a = Story.id("a");
        assertThat(ledger.page(
                                new LedgerFilter(
                                        PoolId.parse(SOUP), Optional.empty(), Optional.empty(), Optional.of(a)),
                                Optional.empty(),
                                10)
                        .rows())
                .extracting(
                        row -> row.change().operationId() + " " + row.causeId().orElseThrow())
                .containsExactly("TRY:" + a + " of-a", "CONFIRM:" + a + " of-a", "REFUND:" + a + ":r of-a");
    }
}
