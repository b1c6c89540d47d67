package io.holdfast.messaging.out;

import io.holdfast.compensation.domain.CompensationEvent;
import io.holdfast.compensation.domain.CompensationMachine;
import io.holdfast.engine.entity.Entity;
import io.holdfast.engine.entity.Entry;
import io.holdfast.engine.journal.JournalCodec;
import io.holdfast.engine.machine.Machine;
import io.holdfast.engine.projection.JournalRow;
import io.holdfast.order.domain.Order;
import io.holdfast.order.domain.OrderEvent;
import io.holdfast.order.domain.OrderMachine;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationEvent;
import io.holdfast.reservation.domain.ReservationMachine;
import io.holdfast.reservation.domain.StockPoolEvent;
import io.holdfast.reservation.domain.StockPoolMachine;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Messages of journal rows. An entry says what happened, not to whom; so each entity is followed through its journal, from memory where it
 * is one of those that were met last, otherwise out of the journal itself.
 */
public final class JournalMessages {

    /** A row, and what it announces or why that can't be told. */
    public sealed interface Written {
        /** The row. */
        JournalRow row();

        /**
         * Its messages, perhaps none.
         *
         * @param rests whether the entity has come to an end there, owes nothing and waits for nothing
         */
        record Announced(JournalRow row, List<OutgoingMessage> messages, boolean rests) implements Written {}

        /** An entry that can't be read, or does not fit what was before it. */
        record Unreadable(JournalRow row, String why) implements Written {}
    }

    private final Past journal;
    private final Map<String, Reader<?, ?>> readers = new TreeMap<>();

    /**
     * @param orders empty where another system makes the orders
     * @param journal what came before a row is read from it where that is not remembered
     * @param remembered entities of each machine kept in memory
     */
    public JournalMessages(
            ReservationMachine reservations,
            StockPoolMachine pools,
            CompensationMachine compensations,
            Optional<OrderMachine> orders,
            Past journal,
            int remembered) {
        this.journal = journal;
        readers.put(
                ReservationMachine.NAME,
                new Reader<>(
                        reservations,
                        JournalCodec.of(ReservationEvent.class),
                        ReservationMessages::of,
                        JournalMessages::ended,
                        JournalMessages::ended,
                        remembered));
        readers.put(
                StockPoolMachine.NAME,
                new Reader<>(
                        pools,
                        JournalCodec.of(StockPoolEvent.class),
                        PoolMessages::of,
                        _ -> false,
                        _ -> false,
                        remembered));
        readers.put(
                CompensationMachine.NAME,
                new Reader<>(
                        compensations,
                        JournalCodec.of(CompensationEvent.class),
                        CompensationMessages::of,
                        _ -> false,
                        _ -> false,
                        remembered));
        orders.ifPresent(machine -> readers.put(
                OrderMachine.NAME,
                new Reader<>(
                        machine,
                        JournalCodec.of(OrderEvent.class),
                        OrderMessages::of,
                        _ -> false,
                        JournalMessages::waits,
                        remembered)));
    }

    private static boolean ended(Reservation state) {
        return switch (state.status()) {
            case CONFIRMED, CANCELED, REFUNDED, REJECTED -> true;
            case NONE, PREPARING, RESERVED, CREATED_RESERVED, CONFIRMING, CANCELING, REFUNDING, MANUAL_REVIEW -> false;
        };
    }

    /** Whether what comes next of it comes from a buyer, if at all. */
    private static boolean waits(Order state) {
        return switch (state.status()) {
            case CREATED, REJECTED, CANCELLED, REFUNDED -> true;
            case NONE, REQUESTED, PAYING, CANCEL_PENDING, PAID, REFUNDING, MANUAL_REVIEW -> false;
        };
    }

    /**
     * What these rows announce, row by row; after one that is unreadable, all others of its entity are too.
     *
     * @throws SQLException if what came before can't be read now
     */
    public synchronized List<Written> of(List<JournalRow> rows) throws SQLException {
        recall(rows);
        List<Written> written = new ArrayList<>();
        for (JournalRow row : rows) {
            Reader<?, ?> reader = readers.get(row.machine());
            // Other machines announce nothing.
            written.add(reader == null ? new Written.Announced(row, List.of(), false) : reader.read(row));
        }
        readers.values().forEach(Reader::trim);
        return written;
    }

    /** Brings every entity to where it stood before its first row. */
    private void recall(List<JournalRow> rows) throws SQLException {
        Map<String, Long> firsts = new LinkedHashMap<>();
        for (JournalRow row : rows) {
            firsts.putIfAbsent(row.persistenceId(), row.sequenceNumber());
        }
        List<Past.Stretch> unknown = new ArrayList<>();
        firsts.forEach((id, first) -> {
            Reader<?, ?> reader = readers.get(machine(id));
            if (reader != null) {
                long known = reader.goTo(id, first);
                if (known < first - 1) {
                    unknown.add(new Past.Stretch(id, known, first));
                }
            }
        });
        if (unknown.isEmpty()) {
            return;
        }
        journal.read(unknown, (id, sequenceNumber, payload) -> {
            Reader<?, ?> reader = readers.get(machine(id));
            if (reader != null) {
                reader.recall(id, sequenceNumber, payload);
            }
        });
    }

    private static String machine(String persistenceId) {
        int bar = persistenceId.indexOf('|');
        return bar < 0 ? persistenceId : persistenceId.substring(0, bar);
    }

    /** The entities of one machine that were met last. */
    private static final class Reader<S, E> {

        private final Machine<S, ?, E, ?> machine;
        private final JournalCodec<E> codec;
        private final Function<JournalStep<S, E>, List<OutgoingMessage>> announcing;
        private final Predicate<S> ended;
        private final Predicate<S> forgotten;
        private final int remembered;
        private final Map<String, Entity<S>> met = new LinkedHashMap<>(16, 0.75f, true);
        /** Entities that came to where they need not be remembered, in this batch. */
        private final List<String> leaving = new ArrayList<>();
        /** Entities whose journal could not be followed, with the reason, for as long as the batch lasts. */
        private final Map<String, String> lost = new LinkedHashMap<>();

        /**
         * @param announcing how an entry is announced
         * @param ended whether a state is one that an entity may rest in for good
         * @param forgotten whether an entity in this state is not remembered: nothing more is expected of it soon, if at all, and its journal
         *     is short
         */
        Reader(
                Machine<S, ?, E, ?> machine,
                JournalCodec<E> codec,
                Function<JournalStep<S, E>, List<OutgoingMessage>> announcing,
                Predicate<S> ended,
                Predicate<S> forgotten,
                int remembered) {
            this.machine = machine;
            this.codec = codec;
            this.announcing = announcing;
            this.ended = ended;
            this.forgotten = forgotten;
            this.remembered = remembered;
        }

        /** Forgets what lies beyond, and says how far the entity is known. */
        long goTo(String persistenceId, long first) {
            lost.remove(persistenceId);
            Entity<S> known = met.get(persistenceId);
            if (known == null || known.sequenceNumber() >= first) {
                met.put(persistenceId, Entity.fresh(machine, entityId(persistenceId)));
                return 0;
            }
            return known.sequenceNumber();
        }

        /** Forgets those of whom nothing more is expected, and those met longest ago. Only between batches: a batch needs all of its own. */
        void trim() {
            leaving.forEach(id -> {
                Entity<S> known = met.get(id);
                if (known != null && forgotten.test(known.state())) {
                    met.remove(id);
                }
            });
            leaving.clear();
            var eldest = met.entrySet().iterator();
            for (int surplus = met.size() - remembered; surplus > 0; surplus--) {
                eldest.next();
                eldest.remove();
            }
        }

        void recall(String persistenceId, long sequenceNumber, byte[] payload) {
            if (!lost.containsKey(persistenceId)) {
                try {
                    follow(persistenceId, sequenceNumber, codec.decode(payload));
                } catch (RuntimeException e) {
                    lost.put(persistenceId, "entry " + sequenceNumber + " before it: " + e.getMessage());
                }
            }
        }

        Written read(JournalRow row) {
            String id = row.persistenceId();
            String why = lost.get(id);
            if (why != null) {
                return new Written.Unreadable(row, why);
            }
            try {
                Entry<E> entry = codec.decode(row.payload());
                Entity<S> before = current(id);
                Entity<S> after = follow(id, row.sequenceNumber(), entry);
                return new Written.Announced(
                        row,
                        announcing.apply(new JournalStep<>(
                                row.eventId(),
                                row.sequenceNumber(),
                                after.traceId(),
                                before.state(),
                                entry,
                                after.state())),
                        entry.meta().wakeAt().isEmpty() && ended.test(after.state()));
            } catch (RuntimeException e) {
                lost.put(id, "entry " + row.sequenceNumber() + " before it can't be announced");
                met.remove(id);
                return new Written.Unreadable(row, String.valueOf(e.getMessage()));
            }
        }

        private Entity<S> follow(String persistenceId, long sequenceNumber, Entry<E> entry) {
            Entity<S> before = current(persistenceId);
            if (sequenceNumber != before.sequenceNumber() + 1) {
                throw new IllegalStateException("follows entry " + before.sequenceNumber() + " of " + persistenceId);
            }
            Entity<S> after = before.after(machine, entry);
            met.put(persistenceId, after);
            if (forgotten.test(after.state())) {
                leaving.add(persistenceId);
            }
            return after;
        }

        private Entity<S> current(String persistenceId) {
            Entity<S> known = met.get(persistenceId);
            if (known == null) {
                throw new IllegalStateException(persistenceId + " was not recalled");
            }
            return known;
        }

        private static String entityId(String persistenceId) {
            return persistenceId.substring(persistenceId.indexOf('|') + 1);
        }
    }
}
