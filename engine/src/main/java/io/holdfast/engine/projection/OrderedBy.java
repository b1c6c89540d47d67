package io.holdfast.engine.projection;

/**
 * Who gives an order to a projection, and why: kept in table {@code projection_order}.
 *
 * @param who a person or a program
 * @param why in words; may be empty where an order explains itself
 */
public record OrderedBy(String who, String why) {

    public OrderedBy {
        if (who.isBlank()) {
            throw new IllegalArgumentException("an order needs somebody who gives it");
        }
    }
}
