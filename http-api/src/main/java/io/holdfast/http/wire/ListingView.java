package io.holdfast.http.wire;

import io.holdfast.reservation.view.ReservationFilter;
import io.holdfast.reservation.view.ReservationListing;
import java.util.List;
import java.util.Optional;

/**
 * One page of reservations, newest first.
 *
 * @param reservations as the view has them, which lags the journal a little
 * @param nextCursor where the next page begins; absent on the last one
 * @param next address of the next page; absent on the last one
 */
public record ListingView(List<ReservationView> reservations, Optional<String> nextCursor, Optional<String> next) {

    /** The wire form. */
    public static ListingView of(ReservationListing listing, ReservationFilter filter, int limit) {
        return new ListingView(
                listing.entries().stream().map(ReservationView::of).toList(),
                listing.next(),
                listing.next().map(cursor -> address(filter, cursor, limit)));
    }

    /** Nothing in it needs escaping: ids and cursors have no character that would. */
    private static String address(ReservationFilter filter, String cursor, int limit) {
        var address = new StringBuilder("/v1/reservations?");
        filter.orderId().ifPresent(id -> address.append("order_id=").append(id).append('&'));
        filter.userId().ifPresent(id -> address.append("user_id=").append(id).append('&'));
        filter.pool()
                .ifPresent(pool -> address.append("pool=").append(pool.value()).append('&'));
        filter.status()
                .ifPresent(status ->
                        address.append("status=").append(status.name()).append('&'));
        return address.append("limit=")
                .append(limit)
                .append("&cursor=")
                .append(cursor)
                .toString();
    }
}
