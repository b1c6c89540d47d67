package io.holdfast.messaging.out;

import io.holdfast.compensation.domain.CompensationMachine;
import io.holdfast.engine.projection.Delivery;
import io.holdfast.engine.projection.DeliveryHandler;
import io.holdfast.engine.projection.JournalRow;
import io.holdfast.messaging.out.JournalMessages.Written;
import io.holdfast.messaging.out.MessageSink.Undeliverable;
import io.holdfast.order.domain.OrderMachine;
import io.holdfast.reservation.domain.ReservationMachine;
import io.holdfast.reservation.domain.StockPoolMachine;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/**
 * Publishes the journal, at least once and in order per entity. The journal is the outbox: while the other side is away nothing is kept
 * here but one batch, and no hold waits for it.
 *
 * <p>A batch is one run of the sink. When a message fails or takes too long, the run is over, so that nothing behind it arrives, and the
 * whole batch comes again. So the first sendings of an entity's messages arrive in the order of its journal; repetitions come behind them.
 */
public final class EventPublisher implements DeliveryHandler {

    /** Name of the projection. */
    public static final String NAME = "kafka_publisher";

    private final JournalMessages messages;
    private final MessageSink sink;
    private final Duration patience;
    private final AtomicInteger underWay = new AtomicInteger();
    /** Messages that the other side refused for good, by id with the reason, until their batch has come again and could name them. */
    private final Map<String, String> undeliverable = new ConcurrentHashMap<>();

    /**
     * @param orders empty where another system makes the orders
     * @param journal connections that may read the journal
     * @param remembered entities of each machine kept in memory, so that their journals need not be read again
     * @param patience how long one batch may take before it is given up for now, less than the runner's own time-out
     */
    public EventPublisher(
            ReservationMachine reservations,
            StockPoolMachine pools,
            CompensationMachine compensations,
            Optional<OrderMachine> orders,
            DataSource journal,
            int remembered,
            MessageSink sink,
            Duration patience) {
        this.messages = new JournalMessages(reservations, pools, compensations, orders, Past.in(journal), remembered);
        this.sink = sink;
        this.patience = patience;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public CompletionStage<Delivery> deliver(List<JournalRow> rows) {
        List<Written> written;
        try {
            written = messages.of(rows);
        } catch (SQLException e) {
            return CompletableFuture.failedFuture(e);
        }
        var batch = new Batch(sink.begin());
        written.forEach(batch::give);
        return batch.end();
    }

    /** Rows on their way through one run of the sink. */
    private final class Batch {

        private final MessageSink.Run run;
        private final List<CompletableFuture<Void>> sent = new ArrayList<>();
        private final List<Delivery.Refused> refused = new ArrayList<>();
        private final Set<String> refusedEntities = new HashSet<>();
        private final Set<String> refusedMessages = new HashSet<>();
        private final CompletableFuture<Delivery> ended = new CompletableFuture<>();

        private Batch(MessageSink.Run run) {
            this.run = run;
        }

        /** What follows a refused row of its entity comes again, in order, once the entity is tried again. */
        private void give(Written entry) {
            if (ended.isDone() || refusedEntities.contains(entry.row().persistenceId())) {
                return;
            }
            switch (entry) {
                case Written.Unreadable(JournalRow row, String why) -> refuse(row, why);
                case Written.Announced(JournalRow row, List<OutgoingMessage> announced, var _) -> {
                    for (OutgoingMessage message : announced) {
                        Optional<String> never = send(message);
                        if (never.isPresent()) {
                            refuse(row, never.get());
                            refusedMessages.add(message.id());
                            break;
                        }
                    }
                }
            }
        }

        private void refuse(JournalRow row, String why) {
            refused.add(new Delivery.Refused(row, why));
            refusedEntities.add(row.persistenceId());
        }

        /** Why the message will never be taken, if that is known by now. */
        private Optional<String> send(OutgoingMessage message) {
            String known = undeliverable.get(message.id());
            if (known != null) {
                return Optional.of(known);
            }
            underWay.incrementAndGet();
            CompletableFuture<Void> answer = run.send(message);
            answer.whenComplete((_, failure) -> {
                underWay.decrementAndGet();
                if (failure instanceof Undeliverable never) {
                    undeliverable.put(message.id(), String.valueOf(never.getMessage()));
                }
            });
            Optional<String> never = Optional.ofNullable(undeliverable.get(message.id()));
            if (never.isEmpty()) {
                sent.add(answer);
                answer.whenComplete((_, failure) -> {
                    if (failure != null) {
                        ended.completeExceptionally(failure);
                    }
                });
            }
            return never;
        }

        private CompletionStage<Delivery> end() {
            CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new))
                    .thenRun(() -> ended.complete(new Delivery(refused)));
            return ended.orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS).whenComplete((_, failure) -> {
                if (failure == null) {
                    undeliverable.keySet().removeAll(refusedMessages);
                } else {
                    run.abandon();
                }
            });
        }
    }

    /** Messages given to the sink and not acknowledged yet. */
    public int underWay() {
        return underWay.get();
    }
}
