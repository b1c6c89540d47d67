package io.holdfast.http.route;

import io.holdfast.reservation.view.ReservationFilter;
import io.holdfast.reservation.view.ReservationListing;
import java.sql.SQLException;
import java.util.Optional;

/** Lists reservations, newest first. Blocking; called on threads made for that. */
@FunctionalInterface
public interface ReservationSearch {

    /**
     * One page.
     *
     * @param cursor where it begins, as the page before said; empty for the first page
     * @param limit 1 to {@link io.holdfast.reservation.view.ReservationQueries#LONGEST_PAGE}
     * @throws IllegalArgumentException if the cursor is not one of this list's
     * @throws SQLException when the database can't be read
     */
    ReservationListing list(ReservationFilter filter, Optional<String> cursor, int limit) throws SQLException;
}
