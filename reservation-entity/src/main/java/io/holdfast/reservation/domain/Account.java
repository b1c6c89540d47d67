package io.holdfast.reservation.domain;

import io.holdfast.reservation.domain.Fact.RefundRequested;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where the units of a hold went.
 *
 * @param hold the pool's numbers right after the hold was granted
 * @param held units granted
 * @param ordered of those, what the order wants; all of them until it says otherwise
 * @param released of those, what went back because the order does not want it
 * @param refunds what the order gave back, by refund id
 * @param refused facts that moved nothing
 * @param latest the pool's numbers after the latest operation of this reservation
 */
public record Account(
        Books hold,
        long held,
        long ordered,
        long released,
        Map<String, Refund> refunds,
        List<RefusedFact> refused,
        Books latest) {

    public Account {
        refunds = Collections.unmodifiableMap(new LinkedHashMap<>(refunds));
        refused = List.copyOf(refused);
    }

    static Account opened(long held, Books books, List<RefusedFact> refused) {
        return new Account(books, held, held, 0, Map.of(), refused, books);
    }

    /** Units the order gave back. */
    public long refunded() {
        return refunds.values().stream().mapToLong(Refund::quantity).sum();
    }

    /** Units given back that still count as sold. */
    public long keptSold() {
        return refunds.values().stream()
                .filter(refund -> !refund.restock())
                .mapToLong(Refund::quantity)
                .sum();
    }

    /** Refunds that were refused for asking too much, by refund id. */
    public Map<String, Refund> refusedRefunds() {
        Map<String, Refund> refunds = new LinkedHashMap<>();
        for (RefusedFact fact : refused) {
            if (fact.reason() == ReservationRefusal.REFUND_EXCEEDS
                    && fact.fact() instanceof RefundRequested requested) {
                refunds.putIfAbsent(requested.refundId(), requested.refund());
            }
        }
        return refunds;
    }

    /** Units the order still has. */
    public long remaining() {
        return ordered - refunded();
    }

    /** Units held that the order does not want and that have not gone back yet. */
    public long surplus() {
        return held - ordered - released;
    }

    Account ordering(long units) {
        return new Account(hold, held, units, released, refunds, refused, latest);
    }

    Account releasing(long units, Books after) {
        return new Account(hold, held, ordered, released + units, refunds, refused, after);
    }

    /** All that neither went back nor was refunded goes back: there is no order that wants it. */
    Account givenUp(Books after) {
        return new Account(hold, held, refunded(), held - refunded(), refunds, refused, after);
    }

    Account refunding(Refund refund, Books after) {
        if (refund.id().equals(Refund.SURPLUS)) {
            return releasing(refund.quantity(), after);
        }
        Map<String, Refund> more = new LinkedHashMap<>(refunds);
        more.put(refund.id(), refund);
        return new Account(hold, held, ordered, released, more, refused, after);
    }

    Account withRefused(List<RefusedFact> facts) {
        return new Account(hold, held, ordered, released, refunds, facts, latest);
    }
}
