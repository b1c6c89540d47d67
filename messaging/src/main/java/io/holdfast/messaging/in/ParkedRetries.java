package io.holdfast.messaging.in;

import io.holdfast.engine.effect.Backoff;
import io.holdfast.messaging.event.EventReader;
import io.holdfast.messaging.event.Reading;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tries parked events again, on a thread of its own, in the order in which they were parked. Every node does; the table gives each event
 * to one of them at a time, and delivering one twice does nothing.
 */
public final class ParkedRetries implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ParkedRetries.class);
    private static final int BATCH = 20;
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final double UNJITTERED = 0.5;

    private final ParkedEvents table;
    private final EventReader reader;
    private final EventHandling handling;
    private final MessagingListener listener;
    private final Backoff backoff;
    private final Duration interval;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("holdfast parked events").factory());

    /**
     * @param backoff between two attempts of one event
     * @param interval between two looks at the table
     */
    public ParkedRetries(
            ParkedEvents table,
            EventReader reader,
            EventHandling handling,
            MessagingListener listener,
            Backoff backoff,
            Duration interval) {
        this.table = table;
        this.reader = reader;
        this.handling = handling;
        this.listener = listener;
        this.backoff = backoff;
        this.interval = interval;
    }

    /** Begins. Once. */
    public void start() {
        thread.scheduleWithFixedDelay(this::pass, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void pass() {
        try {
            List<ParkedEvent> due;
            do {
                due = table.claim(BATCH, PATIENCE.multipliedBy(BATCH + 1L));
                for (ParkedEvent event : due) {
                    retry(event);
                }
            } while (due.size() == BATCH);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (SQLException | RuntimeException e) {
            LOG.warn("parked events are tried again later: {}", e.toString());
        }
    }

    private void retry(ParkedEvent event) throws SQLException, InterruptedException {
        Duration wait = backoff.delayAfter(event.attempts(), UNJITTERED);
        switch (reader.read(event.event())) {
            case Reading.Understood(var announcement) -> {
                EventHandling.Attempt attempt = handling.attempt();
                try {
                    EventHandling.Ending ending = attempt.handling()
                            .deliver(announcement)
                            .toCompletableFuture()
                            .get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
                    switch (ending) {
                        case EventHandling.Ending.Delivered(int reservations) -> {
                            table.settle(event.id(), "delivered to " + reservations + " reservation(s)");
                            listener.unparked(event.type());
                        }
                        case EventHandling.Ending.Parked(String reason) -> table.keep(event.id(), reason, wait);
                    }
                } catch (TimeoutException e) {
                    table.keep(event.id(), "no answer within " + PATIENCE.toSeconds() + " s", wait);
                } catch (ExecutionException e) {
                    throw new CompletionException(e.getCause());
                } finally {
                    // Whoever was not reached is asked by the next attempt, not by this one for ever.
                    attempt.persistence().stop();
                }
            }
            // Parked by another version, or before a setting was changed.
            case Reading.Ignored(String type) -> table.keep(event.id(), type + " is not taken by this node", wait);
            case Reading.Poison(var reason, String detail) ->
                table.keep(event.id(), "this node can't understand it: " + reason + ", " + detail, wait);
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
