package io.holdfast.messaging.follow;

import io.holdfast.compensation.domain.CompensationMachine;
import io.holdfast.compensation.domain.CompensationPolicies;
import io.holdfast.engine.entity.Entry;
import io.holdfast.engine.entity.Meta;
import io.holdfast.engine.journal.JournalCodec;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.projection.JournalRow;
import io.holdfast.engine.projection.Offset;
import io.holdfast.messaging.out.JournalMessages;
import io.holdfast.messaging.out.Past;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.EffectPolicies;
import io.holdfast.reservation.domain.Line;
import io.holdfast.reservation.domain.OrderType;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.ReservationEvent;
import io.holdfast.reservation.domain.ReservationMachine;
import io.holdfast.reservation.domain.StockPoolMachine;
import io.holdfast.reservation.domain.Terms;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/** A journal in memory: reservations that are held and confirmed, row by row. What is hidden is written and not readable yet. */
public final class MemoryJournal implements JournalSource {

    public static final Instant NOW = Instant.parse("2026-07-25T12:30:00Z");
    public static final PoolId POOL = PoolId.parse("m-1:soup:2026-07-25");

    private final JournalCodec<ReservationEvent> codec = JournalCodec.of(ReservationEvent.class);
    private final List<JournalRow> rows = new ArrayList<>();
    private final Map<String, Long> sequences = new HashMap<>();
    private long xid;
    private long ordering;
    private long version;

    /** Reads of all entities and of one. */
    final AtomicInteger readsOfAll = new AtomicInteger();

    volatile boolean away;

    public MemoryJournal() {
        this(700);
    }

    /** @param xid the transactions of its rows come after this one */
    public MemoryJournal(long xid) {
        this.xid = xid;
    }

    public static Line line(String item) {
        return new Line("m-1", "soup", "order-" + item, item, Optional.of("user-1"));
    }

    public static String idOf(String item) {
        return "reservation|" + line(item).reservationId();
    }

    /** Two announcements: of the stock and of the reservation. */
    public synchronized MemoryJournal hold(String item) {
        var terms = new Terms(line(item), 1, new OrderType.InstantOrder());
        return add(item, new ReservationEvent.HoldRequested(POOL, terms, NOW), true)
                .add(item, new ReservationEvent.HoldGranted(books()), true);
    }

    /** Two more, after which it rests. */
    public synchronized MemoryJournal confirm(String item) {
        return add(item, new ReservationEvent.ConfirmStarted(1), true)
                .add(item, new ReservationEvent.HoldConfirmed(1, 0, books()), false);
    }

    private Books books() {
        return Books.expected(1, ++version, 10, 1, 0);
    }

    private MemoryJournal add(String item, ReservationEvent event, boolean owes) {
        var cause = new Cause("key", "hash", Cause.Kind.REQUEST, "shop", Optional.empty());
        var meta = new Meta(NOW, cause, owes ? Optional.of(NOW) : Optional.empty());
        return add(item, codec.encode(new Entry.Happened<>(event, meta)));
    }

    public synchronized MemoryJournal broken(String item) {
        return add(item, "{}".getBytes(StandardCharsets.UTF_8));
    }

    private MemoryJournal add(String item, byte[] payload) {
        long sequence = sequences.merge(item, 1L, Long::sum);
        rows.add(new JournalRow(idOf(item), sequence, ++xid, ++ordering, "", payload));
        return this;
    }

    public JournalMessages messages() {
        var policies = EffectPolicies.standard();
        return new JournalMessages(
                new ReservationMachine(policies),
                new StockPoolMachine(policies),
                new CompensationMachine(new CompensationPolicies(policies.script(), false)),
                Optional.empty(),
                this::recall,
                3);
    }

    private synchronized void recall(List<Past.Stretch> stretches, Past.Each each) throws SQLException {
        end();
        for (Past.Stretch stretch : stretches) {
            rows.stream()
                    .filter(row -> row.persistenceId().equals(stretch.persistenceId()))
                    .filter(row -> row.sequenceNumber() > stretch.above() && row.sequenceNumber() < stretch.below())
                    .forEach(row -> each.entry(row.persistenceId(), row.sequenceNumber(), row.payload()));
        }
    }

    @Override
    public synchronized Offset end() throws SQLException {
        if (away) {
            throw new SQLException("away");
        }
        return new Offset(xid + 1, 0);
    }

    @Override
    public Page all(Offset after, int limit) throws SQLException {
        readsOfAll.incrementAndGet();
        return page(after, limit, _ -> true);
    }

    @Override
    public Page of(String persistenceId, Offset after, int limit) throws SQLException {
        return page(after, limit, row -> row.persistenceId().equals(persistenceId));
    }

    private synchronized Page page(Offset after, int limit, Predicate<JournalRow> wanted) throws SQLException {
        Offset end = end();
        return new Page(
                rows.stream()
                        .filter(wanted)
                        .filter(row -> Offset.of(row).compareTo(after) > 0)
                        .limit(limit)
                        .toList(),
                end);
    }
}
