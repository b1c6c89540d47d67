package io.holdfast.reservation.ledger;

import io.holdfast.engine.entity.Entry;
import io.holdfast.engine.entity.Meta;
import io.holdfast.engine.journal.JournalCodec;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.projection.JournalRow;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.Cancellation;
import io.holdfast.reservation.domain.Line;
import io.holdfast.reservation.domain.OrderType;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.PoolOperation;
import io.holdfast.reservation.domain.Refund;
import io.holdfast.reservation.domain.ReservationEvent;
import io.holdfast.reservation.domain.ReservationMachine;
import io.holdfast.reservation.domain.StockPoolEvent;
import io.holdfast.reservation.domain.StockPoolMachine;
import io.holdfast.reservation.domain.Terms;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;

/** A journal of one pool and its reservations, as it comes of a day's business. */
final class Story {

    static final Instant START = Instant.parse("2026-07-25T12:00:00Z");

    final PoolId pool;
    final RedisModel redis;
    private final List<JournalRow> journal = new ArrayList<>();
    private final Map<String, Long> sequences = new HashMap<>();
    private final JournalCodec<ReservationEvent> reservations = JournalCodec.of(ReservationEvent.class);
    private final JournalCodec<StockPoolEvent> pools = JournalCodec.of(StockPoolEvent.class);
    private long rebuilds;

    Story(String pool, long total) {
        this.pool = PoolId.parse(pool);
        this.redis = new RedisModel(total);
    }

    List<JournalRow> journal() {
        return List.copyOf(journal);
    }

    static String id(String item) {
        return new Line("m-1", "soup", "o", item, Optional.empty()).reservationId();
    }

    void reservation(String item, ReservationEvent event) {
        append(
                ReservationMachine.NAME + "|" + id(item),
                reservations.encode(new Entry.Happened<>(event, meta(Cause.Kind.REQUEST, "of-" + item))));
    }

    void pool(StockPoolEvent event) {
        append(
                StockPoolMachine.NAME + "|" + pool.value(),
                pools.encode(new Entry.Happened<>(event, meta(Cause.Kind.OUTCOME, "outcome"))));
    }

    private void append(String persistenceId, byte[] payload) {
        long number = journal.size() + 1L;
        long sequence = sequences.merge(persistenceId, 1L, Long::sum);
        journal.add(new JournalRow(persistenceId, sequence, 1000 + number, number, "", payload));
    }

    private Meta meta(Cause.Kind kind, String cause) {
        return new Meta(
                START.plusSeconds(journal.size()),
                new Cause(cause, "", kind, "shop", Optional.empty()),
                Optional.empty());
    }

    // ---- what happens

    void begin() {
        pool(new StockPoolEvent.OperationAccepted(
                new PoolOperation.Init("init", redis.books().total())));
        pool(new StockPoolEvent.PoolInitialized("init", redis.books()));
    }

    void adjust(String operation, long total) {
        pool(new StockPoolEvent.OperationAccepted(new PoolOperation.Adjust(operation, total, OptionalLong.empty())));
        pool(new StockPoolEvent.TotalAdjusted(operation, 2, redis.adjust(total)));
    }

    void rebuild() {
        rebuilds++;
        pool(new StockPoolEvent.RebuildStarted(rebuilds, redis.books().epoch() + 1, "asked for"));
        pool(new StockPoolEvent.PoolRebuilt(rebuilds, redis.rebuild(), 3, START));
    }

    void request(String item, long units) {
        Line line = new Line("m-1", "soup", "order-" + item, item, Optional.empty());
        reservation(
                item,
                new ReservationEvent.HoldRequested(
                        pool, new Terms(line, units, new OrderType.InstantOrder()), START.plusSeconds(900)));
    }

    void hold(String item, long units) {
        request(item, units);
        reservation(item, new ReservationEvent.HoldGranted(redis.hold(units)));
    }

    void confirm(String item, long held, long sold) {
        reservation(item, new ReservationEvent.ConfirmStarted(sold));
        reservation(item, new ReservationEvent.HoldConfirmed(sold, held - sold, redis.confirm(held, sold)));
    }

    void cancel(String item, long held) {
        reservation(
                item,
                new ReservationEvent.ReleaseStarted(new Cancellation(
                        Cancellation.Cause.ORDER_CREATED_FAILED, Optional.of("order-" + item), "no money")));
        reservation(item, new ReservationEvent.HoldReleased(held, redis.release(held)));
    }

    /** Units of a sale go back. */
    void refund(String item, Refund refund, long sold) {
        reservation(item, new ReservationEvent.RefundStarted(refund, sold));
        Books after = refund.restock() ? redis.returned(refund.quantity()) : redis.books();
        reservation(item, new ReservationEvent.HoldRefunded(refund, after));
    }

    /** A business day: holds, sales, cancels, refunds, changes of the total below what is promised, rebuilds. */
    static Story random(String pool, long seed, int items) {
        var random = new Random(seed);
        var story = new Story(pool, 20 + random.nextInt(20));
        story.begin();
        Map<String, Long> held = new HashMap<>();
        Map<String, Long> sold = new HashMap<>();
        for (int i = 0; i < items; i++) {
            String item = "i-" + seed + "-" + i;
            long units = 1 + random.nextInt(3);
            if (units <= story.redis.books().available()) {
                story.hold(item, units);
                held.put(item, units);
            }
            for (String one : List.copyOf(held.keySet())) {
                long has = held.get(one);
                switch (random.nextInt(6)) {
                    case 0 -> {
                        story.cancel(one, has);
                        held.remove(one);
                    }
                    case 1, 2 -> {
                        long takes = 1 + random.nextLong(has);
                        story.confirm(one, has, takes);
                        held.remove(one);
                        sold.put(one, takes);
                    }
                    default -> {}
                }
            }
            for (String one : List.copyOf(sold.keySet())) {
                if (random.nextInt(8) == 0) {
                    story.refund(one, new Refund("r", sold.get(one), random.nextBoolean()), sold.get(one));
                    sold.remove(one);
                }
            }
            switch (random.nextInt(25)) {
                case 0 -> story.adjust("adjust-" + i, random.nextInt(60));
                case 1 -> story.rebuild();
                default -> {}
            }
        }
        return story;
    }
}
