package io.holdfast.messaging;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.projection.JournalPosition;
import io.holdfast.engine.projection.ParkedEntity;
import io.holdfast.engine.projection.Passage;
import io.holdfast.engine.projection.ProjectionProgress;
import io.holdfast.messaging.in.OrderReservations;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A read side over a {@link Desk} that lags for as long as a test wants. */
public final class View implements ProjectionProgress, OrderReservations {

    private final Desk desk;
    private boolean lagging;
    private long rebuilds;
    private List<ParkedEntity> parked = List.of();
    private List<String> hidden = List.of();

    public View(Desk desk) {
        this.desk = desk;
    }

    /** While it lags it shows nobody. */
    public synchronized void lag(boolean behind) {
        lagging = behind;
    }

    /** It begins anew. */
    public synchronized void rebuild() {
        rebuilds++;
    }

    /** It has set these aside and does not show them. */
    public synchronized void park(List<ParkedEntity> entities, List<String> unseen) {
        parked = entities;
        hidden = unseen;
    }

    @Override
    public CompletionStage<JournalPosition> position() {
        return CompletableFuture.completedFuture(new JournalPosition(1));
    }

    @Override
    public synchronized CompletionStage<Passage> awaitPassed(JournalPosition position, Duration patience) {
        return CompletableFuture.completedFuture(
                lagging ? new Passage.NotYet(new JournalPosition(0), "it lags") : new Passage.Passed(parked, rebuilds));
    }

    @Override
    public synchronized CompletionStage<Outcome<List<String>>> of(String orderId) {
        return CompletableFuture.completedFuture(Outcome.known(
                lagging
                        ? List.of()
                        : desk.ofOrder(orderId).stream()
                                .filter(id -> !hidden.contains(id))
                                .toList()));
    }
}
