package io.holdfast.reservation.domain;

/**
 * What is asked for: the business content of a reservation. Two requests for one reservation must agree on it.
 *
 * @param line the order line
 * @param quantity units, at least 1
 * @param orderType when the goods are taken
 */
public record Terms(Line line, long quantity, OrderType orderType) {

    /** @throws IllegalArgumentException if the quantity is not 1 to 2^53 - 1 */
    public Terms {
        Ids.positive("quantity", quantity);
    }
}
