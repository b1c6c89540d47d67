package io.holdfast.messaging.out;

import io.holdfast.engine.projection.Delivery;
import io.holdfast.engine.projection.DeliveryHandler;
import io.holdfast.engine.projection.JournalRow;
import io.holdfast.messaging.out.JournalMessages.Written;
import io.holdfast.messaging.out.MessageSink.Undeliverable;
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
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/**
 * Publishes the journal, at least once and in order per entity. The journal is the outbox: while the other side is away nothing is kept
 * here but one batch, and no hold waits for it.
 *
 * <p>What was given to the sink and not acknowledged yet is not given again when the same rows come again, so that an outage leaves neither
 * copies behind nor another order.
 */
public final class EventPublisher implements DeliveryHandler {

    /** Name of the projection. */
    public static final String NAME = "kafka_publisher";

    private final JournalMessages messages;
    private final MessageSink sink;
    private final Duration patience;
    private final Map<String, CompletableFuture<Void>> underWay = new ConcurrentHashMap<>();

    /**
     * @param journal connections that may read the journal
     * @param remembered entities of each machine kept in memory, so that their journals need not be read again
     * @param patience how long one batch may take before it is given up for now, less than the runner's own time-out
     */
    public EventPublisher(
            ReservationMachine reservations,
            StockPoolMachine pools,
            DataSource journal,
            int remembered,
            MessageSink sink,
            Duration patience) {
        this.messages = new JournalMessages(reservations, pools, journal, remembered);
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
        List<Sent> all = new ArrayList<>();
        Set<String> refused = new HashSet<>();
        for (Written entry : written) {
            if (refused.contains(entry.row().persistenceId())) {
                continue; // comes again, in order, once its entity is tried again
            }
            Sent sent = send(entry);
            if (sent.refusal().isPresent()) {
                refused.add(entry.row().persistenceId());
            }
            all.add(sent);
            if (sent.broken()) {
                break; // nothing behind it may overtake it
            }
        }
        return CompletableFuture.allOf(all.stream().map(Sent::ended).toArray(CompletableFuture[]::new))
                .orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS)
                .thenApply(_ -> new Delivery(
                        all.stream().flatMap(sent -> sent.refusal().stream()).toList()));
    }

    /** A row on its way; when it has ended well, it was acknowledged or refused for good. */
    private record Sent(JournalRow row, CompletableFuture<Optional<String>> ended) {

        /** Known not to have been acknowledged: whether refused or not. */
        boolean broken() {
            return ended.isCompletedExceptionally();
        }

        Optional<Delivery.Refused> refusal() {
            return ended.isDone() && !ended.isCompletedExceptionally()
                    ? ended.join().map(why -> new Delivery.Refused(row, why))
                    : Optional.empty();
        }
    }

    private Sent send(Written written) {
        return switch (written) {
            case Written.Unreadable(JournalRow row, String why) ->
                new Sent(row, CompletableFuture.completedFuture(Optional.of(why)));
            case Written.Announced(JournalRow row, List<OutgoingMessage> announced) -> {
                CompletableFuture<?>[] each = new CompletableFuture<?>[announced.size()];
                for (int i = 0; i < each.length; i++) {
                    each[i] = once(announced.get(i));
                }
                yield new Sent(row, CompletableFuture.allOf(each).handle((_, failure) -> {
                    if (failure == null) {
                        return Optional.empty();
                    }
                    Throwable cause = failure instanceof CompletionException wrapped && wrapped.getCause() != null
                            ? wrapped.getCause()
                            : failure;
                    if (cause instanceof Undeliverable never) {
                        return Optional.of(String.valueOf(never.getMessage()));
                    }
                    throw new CompletionException(cause);
                }));
            }
        };
    }

    private CompletableFuture<Void> once(OutgoingMessage message) {
        CompletableFuture<Void> before = underWay.get(message.id());
        if (before != null) {
            return before;
        }
        CompletableFuture<Void> sent;
        try {
            sent = sink.send(message);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
        underWay.put(message.id(), sent);
        sent.whenComplete((_, _) -> underWay.remove(message.id(), sent));
        return sent;
    }

    /** Messages given to the sink and not acknowledged yet. */
    public int underWay() {
        return underWay.size();
    }
}
