package io.holdfast.reservation.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.entity.Entry;
import io.holdfast.engine.entity.Meta;
import io.holdfast.engine.journal.JournalCodec;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.projection.JournalRow;
import io.holdfast.engine.projection.Slices;
import io.holdfast.localstack.PostgresServer;
import io.holdfast.localstack.PostgresSettings;
import io.holdfast.reservation.conformance.MigratedDatabase;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.Cancellation;
import io.holdfast.reservation.domain.EffectPolicies;
import io.holdfast.reservation.domain.Fact;
import io.holdfast.reservation.domain.Line;
import io.holdfast.reservation.domain.OrderType;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.Refund;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.Reservation.Status;
import io.holdfast.reservation.domain.ReservationEvent;
import io.holdfast.reservation.domain.ReservationEvent.ConfirmScheduled;
import io.holdfast.reservation.domain.ReservationEvent.ConfirmStarted;
import io.holdfast.reservation.domain.ReservationEvent.FactNoted;
import io.holdfast.reservation.domain.ReservationEvent.HoldConfirmed;
import io.holdfast.reservation.domain.ReservationEvent.HoldGranted;
import io.holdfast.reservation.domain.ReservationEvent.HoldRefunded;
import io.holdfast.reservation.domain.ReservationEvent.HoldRequested;
import io.holdfast.reservation.domain.ReservationEvent.RefundStarted;
import io.holdfast.reservation.domain.ReservationEvent.ReviewOpened;
import io.holdfast.reservation.domain.ReservationEvent.TombstoneSet;
import io.holdfast.reservation.domain.ReservationMachine;
import io.holdfast.reservation.domain.Review;
import io.holdfast.reservation.domain.Terms;
import io.holdfast.reservation.view.ReservationListing.Listed;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ReservationViewTest {

    @TempDir
    static Path folder;

    private static PostgresServer server;
    private static HikariDataSource database;

    private static final Instant START = Instant.parse("2026-07-25T12:30:00.123456Z");
    private static final PoolId SOUP = PoolId.parse("m-1:soup:2026-07-25");
    private static final Books BOOKS = Books.expected(1, 2, 10, 5, 0);

    private final ReservationViewProjection projection = new ReservationViewProjection();
    private final ReservationQueries queries = new ReservationQueries(database);
    private final JournalCodec<ReservationEvent> codec = JournalCodec.of(ReservationEvent.class);
    private final Map<String, Long> lastSequence = new LinkedHashMap<>();
    private long moments;

    @BeforeAll
    static void start() {
        server = PostgresServer.start(PostgresSettings.in(folder));
        database = MigratedDatabase.open(server, server.jdbcUrl());
    }

    @AfterAll
    static void stop() {
        database.close();
        server.close();
    }

    @AfterEach
    void clean() throws SQLException {
        sql("truncate reservation_view, stock_ledger, stock_book, anomaly");
    }

    private static String item(String item) {
        return new Line("m-1", "soup", "o", item, Optional.empty()).reservationId();
    }

    private static HoldRequested requested(String order, String item, String user, PoolId pool, OrderType type) {
        Line line = new Line("m-1", "soup", order, item, user.isEmpty() ? Optional.empty() : Optional.of(user));
        return new HoldRequested(pool, new Terms(line, 5, type), START.plusSeconds(900));
    }

    private static HoldRequested requested(String item) {
        return requested("order-1", item, "user-1", SOUP, new OrderType.InstantOrder());
    }

    private List<JournalRow> rows(String id, ReservationEvent... events) {
        List<JournalRow> rows = new ArrayList<>();
        for (ReservationEvent event : events) {
            Instant at = START.plusSeconds(++moments);
            Meta meta =
                    new Meta(at, new Cause("c", "", Cause.Kind.REQUEST, "shop", Optional.empty()), Optional.empty());
            rows.add(row(id, codec.encode(new Entry.Happened<>(event, meta))));
        }
        return rows;
    }

    private JournalRow row(String id, byte[] payload) {
        long sequence = lastSequence.merge(id, 1L, Long::sum);
        return new JournalRow(ReservationMachine.NAME + "|" + id, sequence, 100 + sequence, sequence, "", payload);
    }

    private void handle(List<JournalRow> rows) throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            projection.handleAll(connection, rows);
            connection.commit();
        }
    }

    private void journal(String id, ReservationEvent... events) throws SQLException {
        handle(rows(id, events));
    }

    private static void sql(String statement) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement s = connection.createStatement()) {
            s.execute(statement);
        }
    }

    private static Map<String, String> read(String id) throws SQLException {
        Map<String, String> row = new LinkedHashMap<>();
        try (Connection connection = database.getConnection();
                var s = connection.prepareStatement("select * from reservation_view where reservation_id = ?")) {
            s.setString(1, id);
            try (ResultSet r = s.executeQuery()) {
                assertThat(r.next()).as("a row of %s", id).isTrue();
                for (int i = 1; i <= r.getMetaData().getColumnCount(); i++) {
                    row.put(r.getMetaData().getColumnName(i), r.getString(i));
                }
            }
        }
        return row;
    }

    private ReservationListing list(ReservationFilter filter, Optional<String> cursor, int limit) throws SQLException {
        return queries.list(filter, cursor, limit);
    }

    private List<Reservation> listed(ReservationFilter filter) throws SQLException {
        return list(filter, Optional.empty(), 100).entries().stream()
                .map(Listed::state)
                .toList();
    }

    @Test
    void a_row_is_the_fold_of_the_journal() throws SQLException {
        String id = item("item-1");
        Refund part = new Refund("r-1", 1, true);
        ReservationEvent[] events = {
            requested("item-1"),
            new HoldGranted(BOOKS),
            new ConfirmStarted(4),
            new HoldConfirmed(4, 1, Books.expected(1, 3, 10, 0, 4)),
            new RefundStarted(part, 4),
            new HoldRefunded(part, Books.expected(1, 4, 10, 0, 3))
        };
        journal(id, events);
        assertThat(read(id))
                .containsEntry("status", "CONFIRMED")
                .containsEntry("pool", SOUP.value())
                .containsEntry("order_id", "order-1")
                .containsEntry("order_item_id", "item-1")
                .containsEntry("user_id", "user-1")
                .containsEntry("order_type", "INSTANT")
                .containsEntry("quantity", "5")
                .containsEntry("confirmed", "4")
                .containsEntry("released", "1")
                .containsEntry("refunded", "1")
                .containsEntry("review", null)
                .containsEntry("epoch", "1")
                .containsEntry("redis_version", "4")
                .containsEntry("sequence_number", "6");
        ReservationMachine machine = new ReservationMachine(EffectPolicies.standard());
        Reservation folded = machine.initial(id);
        for (ReservationEvent event : events) {
            folded = machine.evolve(folded, event);
        }
        Listed only =
                list(ReservationFilter.none(), Optional.empty(), 10).entries().getFirst();
        assertThat(only.state()).isEqualTo(folded);
        assertThat(only.createdAt()).isEqualTo(START.plusSeconds(1));
        assertThat(only.updatedAt()).isEqualTo(START.plusSeconds(6));
        assertThat(only.sequenceNumber()).isEqualTo(6);
    }

    @Test
    void batches_of_any_size_give_the_same_rows_and_repeats_change_nothing() throws SQLException {
        String a = item("a");
        String b = item("b");
        List<JournalRow> mixed = new ArrayList<>(rows(a, requested("a")));
        mixed.addAll(rows(b, requested("b"), new HoldGranted(BOOKS)));
        mixed.addAll(rows(a, new HoldGranted(BOOKS), new ConfirmStarted(5)));
        handle(mixed);
        Map<String, String> atOnce = read(a);
        handle(mixed);
        assertThat(read(a)).isEqualTo(atOnce);
        String c = item("c");
        mixed.addAll(rows(c, requested("c"), new HoldGranted(BOOKS)));
        handle(mixed); // new ones among those that are told again
        assertThat(read(a)).isEqualTo(atOnce);
        assertThat(read(c)).containsEntry("status", "RESERVED");
        sql("delete from reservation_view");
        for (JournalRow row : mixed) {
            handle(List.of(row));
        }
        assertThat(read(a)).isEqualTo(atOnce);
        assertThat(read(b)).containsEntry("status", "RESERVED");
    }

    @Test
    void what_is_known_before_the_request_has_a_row_without_a_claim() throws SQLException {
        String tombstone = item("t");
        journal(
                tombstone,
                new TombstoneSet(new Cancellation(
                        Cancellation.Cause.ORDER_CREATED_FAILED, Optional.of("order-1"), "payment refused")));
        assertThat(read(tombstone)).containsEntry("status", "CANCELED").containsEntry("pool", null);
        String early = item("e");
        journal(early, new FactNoted(Fact.OrderCreated.whole("order-1")));
        assertThat(read(early)).containsEntry("status", "NONE").containsEntry("quantity", null);
    }

    @Test
    void a_scheduled_order_and_a_review_show() throws SQLException {
        String id = item("s");
        Instant due = START.plusSeconds(3600);
        journal(
                id,
                requested("order-1", "s", "", SOUP, new OrderType.ScheduledOrder(due)),
                new HoldGranted(BOOKS),
                new ConfirmScheduled(5, due),
                new ReviewOpened(new Review(Review.Trigger.FROZEN, "disputed", Map.of())));
        assertThat(read(id))
                .containsEntry("status", "MANUAL_REVIEW")
                .containsEntry("review", "disputed")
                .containsEntry("order_type", "SCHEDULED")
                .containsEntry("user_id", null);
        assertThat(read(id).get("processing_time")).isNotNull();
    }

    @Test
    void a_stalled_effect_moves_the_sequence_and_nothing_else() throws SQLException {
        String id = item("x");
        journal(id, requested("x"));
        Meta meta = new Meta(
                START.plusSeconds(99),
                new Cause("c", "", Cause.Kind.TIMER, "engine", Optional.empty()),
                Optional.empty());
        handle(List.of(row(id, codec.encode(new Entry.EffectStalled<>("TRY:" + id, "try", 12, "time-out", meta)))));
        assertThat(read(id)).containsEntry("status", "PREPARING").containsEntry("sequence_number", "2");
        journal(id, new HoldGranted(BOOKS));
        assertThat(read(id)).containsEntry("status", "RESERVED").containsEntry("sequence_number", "3");
    }

    @Test
    void a_gap_in_an_entitys_events_is_refused() throws SQLException {
        String id = item("gap");
        List<JournalRow> rows = rows(id, requested("gap"), new HoldGranted(BOOKS));
        assertThatIllegalStateException()
                .isThrownBy(() -> handle(List.of(rows.get(1))))
                .withMessageContaining("events are missing");
    }

    @Test
    void other_machines_are_passed_over() throws SQLException {
        handle(List.of(new JournalRow("other|m:d", 1, 1, 1, "", new byte[] {'{', '}'})));
        assertThat(listed(ReservationFilter.none())).isEmpty();
    }

    @Test
    void clearing_slices_forgets_exactly_theirs() throws SQLException {
        for (int i = 0; i < 20; i++) {
            journal(item("c-" + i), requested("c-" + i));
        }
        forget(new Slices(0, 63));
        int kept = listed(ReservationFilter.none()).size();
        assertThat(kept).isBetween(1, 19);
        forget(new Slices(64, 127));
        assertThat(listed(ReservationFilter.none())).isEmpty();
    }

    @Test
    void the_slice_is_the_one_the_journal_gives_the_entity() throws SQLException {
        String id = item("slice");
        journal(id, requested("slice"));
        try (Connection connection = database.getConnection();
                var s = connection.prepareStatement("select hashtext(?) & 127")) {
            s.setString(1, "reservation|" + id);
            try (ResultSet r = s.executeQuery()) {
                r.next();
                assertThat(read(id)).containsEntry("slice", r.getString(1));
            }
        }
    }

    @Test
    void lists_are_filtered_and_newest_first() throws SQLException {
        PoolId noodles = PoolId.parse("m-1:noodles:2026-07-25");
        journal(item("a"), requested("order-1", "a", "user-1", SOUP, new OrderType.InstantOrder()));
        journal(
                item("b"),
                requested("order-2", "b", "user-2", SOUP, new OrderType.InstantOrder()),
                new HoldGranted(BOOKS));
        journal(item("c"), requested("order-2", "c", "user-1", noodles, new OrderType.InstantOrder()));
        assertThat(listed(ReservationFilter.none()))
                .extracting(Reservation::id)
                .containsExactly(item("c"), item("b"), item("a"));
        assertThat(ids(Optional.of("order-2"), Optional.empty(), Optional.empty(), Optional.empty()))
                .containsExactly(item("c"), item("b"));
        assertThat(ids(Optional.empty(), Optional.of("user-1"), Optional.empty(), Optional.empty()))
                .containsExactly(item("c"), item("a"));
        assertThat(ids(Optional.empty(), Optional.empty(), Optional.of(SOUP), Optional.empty()))
                .containsExactly(item("b"), item("a"));
        assertThat(ids(Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(Status.RESERVED)))
                .containsExactly(item("b"));
        assertThat(ids(
                        Optional.of("order-2"),
                        Optional.of("user-1"),
                        Optional.of(noodles),
                        Optional.of(Status.PREPARING)))
                .containsExactly(item("c"));
        assertThat(ids(Optional.of("ORDER-2"), Optional.empty(), Optional.empty(), Optional.empty()))
                .isEmpty();
    }

    private List<String> ids(
            Optional<String> order, Optional<String> user, Optional<PoolId> pool, Optional<Status> status)
            throws SQLException {
        return listed(new ReservationFilter(order, user, pool, status)).stream()
                .map(Reservation::id)
                .toList();
    }

    @Test
    void a_merchants_pages_are_found_without_walking_through_those_of_all_others() throws SQLException {
        sql("""
            insert into reservation_view (reservation_id, status, pool, merchant, dish, order_id, order_item_id, order_type,
                quantity, attention_at, created_at, updated_at, sequence_number, state)
            select md5(n::text), 'RESERVED', m || ':soup:2026-07-25', m, 'soup', 'o-' || n, 'i-' || n, 'INSTANT', 1,
                   now(), now() + n * interval '1 ms', now(), 1, '{}'
            from generate_series(1, 20000) n
            cross join lateral (select case when n % 1000 = 0 then 'm-rare' when n % 2 = 0 then 'm-large'
                                            else 'm-other-' || n % 500 end as m) of_merchant
            """);
        sql("analyze reservation_view");
        assertThat(planOf("m-rare")).contains("reservation_view_by_pool").doesNotContain("Seq Scan");
        assertThat(planOf("m-large")).contains("reservation_view_by_time");
        assertThat(planOf("m-rare", "m-other-1"))
                .contains("reservation_view_by_pool")
                .doesNotContain("Seq Scan");
        assertThat(planOf("m-nobody")).contains("reservation_view_by_pool").doesNotContain("Seq Scan");
        assertThat(planOf()).contains("One-Time Filter: false");
    }

    /** How the first page of a list of these merchants is read. */
    private static String planOf(String... merchants) throws SQLException {
        List<String> plan = new ArrayList<>();
        var filter = new ReservationFilter(
                Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(Set.of(merchants)));
        ReservationQueries.matching("explain (costs off) select *", filter)
                .page(database, Optional.empty(), 100, row -> {
                    plan.add(row.getString(1));
                    return new Listed(
                            new Reservation.None("none", List.of(), List.of(), Optional.empty(), false),
                            START,
                            START,
                            1,
                            Synced.NOTHING);
                });
        return String.join("\n", plan);
    }

    @Test
    void a_merchant_whose_name_begins_like_another_s_is_another() throws SQLException {
        for (String merchant : List.of("m", "m-1", "m-10", "M-1")) {
            PoolId pool = PoolId.parse(merchant + ":soup:2026-07-25");
            handle(rows(item(merchant), requested("o", merchant, "", pool, new OrderType.InstantOrder())));
        }
        for (String merchant : List.of("m", "m-1", "m-10", "M-1")) {
            var filter = new ReservationFilter(
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.of(Set.of(merchant)));
            assertThat(queries.list(filter, Optional.empty(), 10).entries())
                    .extracting(one -> one.state().id())
                    .containsExactly(item(merchant));
        }
    }

    @Test
    void pages_join_without_gap_or_repeat_even_while_the_list_grows() throws SQLException {
        List<JournalRow> same = new ArrayList<>();
        for (int i = 0; i < 25; i++) {
            same.addAll(rows(item("p-" + i), requested("p-" + i)));
            if (i % 5 != 0) {
                moments--;
            }
        }
        handle(same);
        List<String> all =
                listed(ReservationFilter.none()).stream().map(Reservation::id).toList();
        List<String> paged = new ArrayList<>();
        Optional<String> cursor = Optional.empty();
        do {
            ReservationListing page = list(ReservationFilter.none(), cursor, 7);
            page.entries().forEach(entry -> paged.add(entry.state().id()));
            cursor = page.next();
            journal(item("late-" + paged.size()), requested("late-" + paged.size()));
        } while (cursor.isPresent());
        assertThat(paged).isEqualTo(all).hasSize(25);
    }

    @Test
    void a_cursor_that_is_not_ours_and_a_limit_out_of_range_are_refused() {
        for (String cursor : List.of("x", "", "!!!", "bm8gYmxhbms", "MjAyNi0xMy0wMVQwMDowMDowMFogeA")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> list(ReservationFilter.none(), Optional.of(cursor), 10));
        }
        assertThatIllegalArgumentException().isThrownBy(() -> list(ReservationFilter.none(), Optional.empty(), 0));
        assertThatIllegalArgumentException().isThrownBy(() -> list(ReservationFilter.none(), Optional.empty(), 501));
    }

    @Test
    void a_pools_reservations_come_in_pages_by_id() throws SQLException {
        List<JournalRow> rows = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            rows.addAll(rows(item("q-" + i), requested("q-" + i)));
        }
        rows.addAll(rows(
                item("other"),
                requested("o", "other", "", PoolId.parse("m-1:noodles:2026-07-25"), new OrderType.InstantOrder())));
        handle(rows);
        ViewPoolReservations reservations = new ViewPoolReservations(queries, Runnable::run);
        List<String> seen = new ArrayList<>();
        Optional<String> after = Optional.empty();
        while (true) {
            var page = ((Outcome.Known<List<Reservation>>) reservations
                            .page(SOUP, after, 4)
                            .toCompletableFuture()
                            .join())
                    .value();
            for (Reservation met : page) {
                seen.add(met.id());
                journal(met.id(), new HoldGranted(BOOKS)); // what has moved on is not met again
            }
            if (page.size() < 4) {
                break;
            }
            after = Optional.of(page.getLast().id());
        }
        assertThat(seen).hasSize(9).doesNotHaveDuplicates().doesNotContain(item("other"));
        assertThat(reservations
                        .mayBeOf(SOUP, List.of(seen.getFirst(), item("other"), "not-shown"))
                        .toCompletableFuture()
                        .join())
                .isEqualTo(Outcome.known(2));
    }

    @Test
    void an_event_left_out_changes_nothing_and_the_next_one_follows_it() throws SQLException {
        String held = item("held");
        journal(held, requested("held"));
        leaveOut(row(held, "not JSON".getBytes(StandardCharsets.UTF_8)));
        assertThat(read(held)).containsEntry("status", "PREPARING").containsEntry("sequence_number", "2");
        journal(held, new HoldGranted(BOOKS));
        assertThat(read(held)).containsEntry("status", "RESERVED").containsEntry("sequence_number", "3");

        String first = item("first");
        leaveOut(row(first, "not JSON".getBytes(StandardCharsets.UTF_8)));
        assertThat(read(first)).containsEntry("status", "NONE").containsEntry("sequence_number", "1");
        leaveOut(new JournalRow("stock_pool|p", 1, 100, 1, "", new byte[0]));
        assertThat(listed(ReservationFilter.none())).hasSize(2);
    }

    private void leaveOut(JournalRow row) throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            projection.leaveOut(connection, row);
            connection.commit();
        }
    }

    @Test
    void forgetting_all_slices_and_forgetting_some_leave_nothing_of_them() throws SQLException {
        for (int i = 0; i < 40; i++) {
            journal(item("s-" + i), requested("s-" + i));
        }
        forget(new Slices(0, 63));
        assertThat(listed(ReservationFilter.none())).isNotEmpty().hasSizeLessThan(40);
        forget(Slices.all());
        assertThat(listed(ReservationFilter.none())).isEmpty();
    }

    private void forget(Slices slices) throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            projection.clear(connection, slices);
            connection.commit();
        }
    }

    @Test
    void a_database_that_can_not_be_read_is_unavailable() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:postgresql://127.0.0.1:1/nowhere");
        config.setInitializationFailTimeout(-1);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(250);
        try (HikariDataSource nowhere = new HikariDataSource(config)) {
            var reservations = new ViewPoolReservations(new ReservationQueries(nowhere), Runnable::run);
            assertThat(reservations
                            .page(SOUP, Optional.empty(), 4)
                            .toCompletableFuture()
                            .join())
                    .isInstanceOf(Outcome.Unavailable.class);
        }
    }

    @Test
    void the_table_refuses_rows_that_can_not_be() throws SQLException {
        String id = item("k");
        journal(id, requested("k"), new HoldGranted(BOOKS));
        for (String change : List.of(
                "status = 'HELD'",
                "quantity = 0",
                "confirmed = 6",
                "refunded = -1",
                "review = 'x'",
                "pool = null",
                "order_type = 'SCHEDULED'",
                "epoch = null",
                "sequence_number = 0")) {
            org.assertj.core.api.Assertions.assertThatThrownBy(
                            () -> sql("update reservation_view set " + change + " where reservation_id = '" + id + "'"))
                    .as(change)
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("reservation_view_");
        }
    }
}
