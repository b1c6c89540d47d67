package io.holdfast.http.wire;

import io.holdfast.compensation.view.CompensationFilter;
import io.holdfast.compensation.view.CompensationListing;
import java.util.List;
import java.util.Optional;

/**
 * One page of compensations, in the order of their keys.
 *
 * @param compensations as the view has them, which lags the journal a little
 * @param next address of the next page; absent on the last one
 */
public record CompensationsView(List<CompensationView> compensations, Optional<String> next) {

    /** The wire form. */
    public static CompensationsView of(CompensationListing listing, CompensationFilter filter, int limit) {
        return new CompensationsView(
                listing.entries().stream()
                        .map(entry -> CompensationView.of(entry.state()))
                        .toList(),
                listing.next().map(after -> address(filter, after, limit)));
    }

    /** Nothing in it needs escaping: ids and keys have no character that would. */
    private static String address(CompensationFilter filter, String after, int limit) {
        var address = new StringBuilder("/v1/compensations?");
        filter.status()
                .ifPresent(status ->
                        address.append("status=").append(status.name()).append('&'));
        filter.pool()
                .ifPresent(pool -> address.append("pool=").append(pool.value()).append('&'));
        filter.reservationId()
                .ifPresent(id -> address.append("reservation_id=").append(id).append('&'));
        return address.append("limit=")
                .append(limit)
                .append("&after=")
                .append(after)
                .toString();
    }
}
