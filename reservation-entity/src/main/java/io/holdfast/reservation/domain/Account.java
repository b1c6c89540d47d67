package io.holdfast.reservation.domain;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Where the units of a hold went.
 *
 * @param hold the pool's numbers right after the hold was granted
 * @param held units granted
 * @param ordered of those, what the order wants; all of them until it says otherwise
 * @param released of those, what went back because the order does not want it
 * @param refunds what the order gave back, by refund id
 * @param refused refunds that were refused, by refund id: an id that ended stays ended
 * @param latest the pool's numbers after the latest operation of this reservation
 */
public record Account(
        Books hold,
        long held,
        long ordered,
        long released,
        Map<String, Refund> refunds,
        Map<String, Refund> refused,
        Books latest) {

    public Account {
        refunds = Collections.unmodifiableMap(new LinkedHashMap<>(refunds));
        refused = Collections.unmodifiableMap(new LinkedHashMap<>(refused));
    }

    static Account opened(long held, Books books) {
        return new Account(books, held, held, 0, Map.of(), Map.of(), books);
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

    Account refusing(Refund refund) {
        if (refused.containsKey(refund.id()) || refunds.containsKey(refund.id())) {
            return this;
        }
        Map<String, Refund> more = new LinkedHashMap<>(refused);
        more.put(refund.id(), refund);
        return new Account(hold, held, ordered, released, refunds, more, latest);
    }
}
