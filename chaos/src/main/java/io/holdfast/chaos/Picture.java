package io.holdfast.chaos;

import java.util.List;
import java.util.Map;

/**
 * What the stores hold when everything has come to rest, read by SQL and from Redis without any of the product's code.
 *
 * @param pools by id
 * @param holds by reservation
 * @param moves every change of a pool's numbers that the journals of reservations tell of
 * @param orders by order, which has the id of its reservation
 * @param payments what the provider has
 * @param announced what others were told
 */
record Picture(
        Map<String, Pool> pools,
        Map<String, Hold> holds,
        List<Move> moves,
        Map<String, Order> orders,
        List<Payment> payments,
        Announced announced) {

    /** One that nobody was told anything of. */
    Picture(
            Map<String, Pool> pools,
            Map<String, Hold> holds,
            List<Move> moves,
            Map<String, Order> orders,
            List<Payment> payments) {
        this(pools, holds, moves, orders, payments, Announced.NOTHING);
    }

    Picture {
        pools = Map.copyOf(pools);
        holds = Map.copyOf(holds);
        moves = List.copyOf(moves);
        orders = Map.copyOf(orders);
        payments = List.copyOf(payments);
    }

    /** Numbers of a pool. */
    record Numbers(long total, long deficit, long available, long reserved, long sold) {

        /** Both together. */
        Numbers and(Numbers other) {
            return new Numbers(
                    total + other.total,
                    deficit + other.deficit,
                    available + other.available,
                    reserved + other.reserved,
                    sold + other.sold);
        }

        /** Whether nothing is in them that was not put in. */
        boolean balance() {
            return total + deficit == available + reserved + sold && available >= 0 && reserved >= 0 && sold >= 0;
        }
    }

    /**
     * A pool, or a sale whose stock lies in several of them, which are taken together.
     *
     * @param total as it was created
     * @param redis numbers in Redis
     * @param ledger the sums of the latest book of its ledger
     * @param taken units of orders, occupied and sold, in the final stock of its sale; -1 where it is none
     */
    record Pool(long total, Numbers redis, Numbers ledger, long taken) {}

    /**
     * A reservation as the events of its journal add up.
     *
     * @param pool empty where it was never asked for; of a sale that lies in several its first
     * @param status as the read side shows it
     * @param sequence number of its latest event
     * @param held units that were granted
     * @param reserved of these, units that are still reserved
     * @param sold units that are sold
     * @param refunds units by refund id
     * @param lost whether its admission was lost with Redis before it was handed off
     */
    record Hold(
            String pool,
            String status,
            long sequence,
            long held,
            long reserved,
            long sold,
            Map<String, Long> refunds,
            boolean lost) {
        Hold {
            refunds = Map.copyOf(refunds);
        }
    }

    /** A change of a pool's numbers: within an epoch each version is made once, and each operation once in all. */
    record Move(String pool, long epoch, long version, String operation) {}

    /**
     * An order of the built-in order service.
     *
     * @param status REJECTED where there is none and never will be
     */
    record Order(String status, long quantity) {}

    /** Money that a buyer paid: whether it pays its order, or how much of it went back. */
    record Payment(String id, String order, long amount, long returned) {}
}
