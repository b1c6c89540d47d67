package io.holdfast.chaos;

import java.util.ArrayList;
import java.util.List;

/** Redis, ledger, journals and orders say the same. */
final class Agreement {

    private static final String CLAIM = "stores agree";

    private Agreement() {}

    static List<Violation> check(Picture picture) {
        List<Violation> found = new ArrayList<>();
        picture.pools().forEach((id, pool) -> {
            long reserved = sum(picture, id, Picture.Hold::reserved);
            long sold = sum(picture, id, Picture.Hold::sold);
            if (!pool.redis().balance()) {
                found.add(new Violation(CLAIM, id + ": the books in Redis do not balance: " + pool.redis()));
            }
            if (pool.redis().reserved() != reserved || pool.redis().sold() != sold) {
                found.add(new Violation(
                        CLAIM,
                        id + ": the journals have " + reserved + " reserved and " + sold + " sold, Redis "
                                + pool.redis()));
            }
            if (!pool.ledger().equals(pool.redis())) {
                found.add(new Violation(
                        CLAIM, id + ": the ledger adds up to " + pool.ledger() + ", Redis " + pool.redis()));
            }
            if (pool.redis().total() != pool.total()) {
                found.add(
                        new Violation(CLAIM, id + ": it was created with " + pool.total() + ", Redis " + pool.redis()));
            }
            if (pool.taken() >= 0 && pool.taken() != sold) {
                found.add(new Violation(
                        CLAIM, id + ": orders took " + pool.taken() + ", the journals have " + sold + " sold"));
            }
        });
        picture.orders().forEach((id, order) -> order(picture, id, order, found));
        return found;
    }

    private static void order(Picture picture, String id, Picture.Order order, List<Violation> found) {
        Picture.Hold hold = picture.holds().get(id);
        String status = hold == null ? "not there" : hold.status();
        boolean agrees = switch (order.status()) {
            case "PAID" -> status.equals("CONFIRMED");
            case "CANCELLED", "REFUNDED" -> status.equals("REFUNDED") || status.equals("CANCELED");
            case "REJECTED" -> status.equals("CANCELED");
            default -> false;
        };
        if (!agrees) {
            found.add(new Violation(CLAIM, id + ": the order is " + order.status() + ", its reservation " + status));
        }
    }

    private static long sum(Picture picture, String pool, java.util.function.ToLongFunction<Picture.Hold> units) {
        return picture.holds().values().stream()
                .filter(hold -> hold.pool().equals(pool))
                .mapToLong(units)
                .sum();
    }
}
