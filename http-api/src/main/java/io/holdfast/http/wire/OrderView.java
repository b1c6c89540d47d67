package io.holdfast.http.wire;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;

/**
 * What came of asking for the lines of an order.
 *
 * @param orderId the order
 * @param result of all lines together
 * @param lines each line, in the order in which they were asked for
 * @param links where to read more
 */
public record OrderView(String orderId, Result result, List<LineView> lines, Links links) {

    public OrderView {
        lines = List.copyOf(lines);
    }

    /** Of all lines together. */
    public enum Result {
        /** Every line is held. */
        HELD,
        /** Of at least one line it is not known yet what came of it: asking again tells. */
        UNSETTLED,
        /** At least one line is not held. Those that are stay held until their order's fate is told. */
        NOT_ALL_HELD,
        /** All or nothing was asked for, and no line is held. */
        NONE_HELD
    }

    /**
     * One line.
     *
     * @param status as the line asked for alone would have been answered with
     * @param replayed that it had been asked for before, under the same key
     * @param reservation the reservation, where it is held or being tried
     * @param problem what is wrong, where it is neither
     */
    public record LineView(
            String orderItemId,
            String reservationId,
            int status,
            Optional<Boolean> replayed,
            Optional<JsonNode> reservation,
            Optional<JsonNode> problem) {}

    /** Where to read more. */
    public record Links(String reservations) {}

    /** The wire form. */
    public static OrderView of(String orderId, Result result, List<LineView> lines) {
        return new OrderView(orderId, result, lines, new Links(Paths.ofOrder(orderId)));
    }
}
