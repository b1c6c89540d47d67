package io.holdfast.messaging.in;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.journal.UnreadableEntry;
import io.holdfast.reservation.view.ReservationFilter;
import io.holdfast.reservation.view.ReservationListing;
import io.holdfast.reservation.view.ReservationQueries;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** {@link OrderReservations} out of {@code reservation_view}. */
public final class ViewOrderReservations implements OrderReservations {

    private final ReservationQueries queries;
    private final Executor blocking;

    /** @param blocking threads that may wait for the database */
    public ViewOrderReservations(ReservationQueries queries, Executor blocking) {
        this.queries = queries;
        this.blocking = blocking;
    }

    @Override
    public CompletionStage<Outcome<List<String>>> of(String orderId) {
        try {
            return CompletableFuture.supplyAsync(() -> read(orderId), blocking);
        } catch (RejectedExecutionException full) {
            return CompletableFuture.completedFuture(
                    Outcome.unavailable("too many queries wait: " + full.getMessage()));
        }
    }

    private Outcome<List<String>> read(String orderId) {
        var filter = new ReservationFilter(Optional.of(orderId), Optional.empty(), Optional.empty(), Optional.empty());
        List<String> ids = new ArrayList<>();
        Optional<String> cursor = Optional.empty();
        try {
            do {
                ReservationListing page = queries.list(filter, cursor, ReservationQueries.LONGEST_PAGE);
                page.entries().forEach(entry -> ids.add(entry.state().id()));
                cursor = page.next();
            } while (cursor.isPresent());
            return Outcome.known(List.copyOf(ids));
        } catch (SQLException e) {
            return Outcome.unavailable("reservation_view could not be read: " + e.getMessage());
        } catch (UnreadableEntry e) {
            return Outcome.unavailable("reservation_view holds a state of another version: " + e.getMessage());
        }
    }
}
