package io.holdfast.http.wire;

import io.holdfast.json.ContentHash;
import io.holdfast.json.Fields;
import io.holdfast.json.InputError;
import io.holdfast.json.InputError.Code;
import io.holdfast.json.JsonValue.ObjectValue;
import io.holdfast.json.Parsed;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Body of {@code POST /v1/orders/{order}/reservations}: asks for the holds of several lines of one order.
 *
 * @param lines at least one, no two of one reservation
 * @param allOrNothing whether no line is to be held where one of them can't be
 */
public record OrderRequest(List<ReserveRequest> lines, boolean allOrNothing) {

    private static final String LINES = "lines";

    public OrderRequest {
        lines = List.copyOf(lines);
    }

    /**
     * Reads a body.
     *
     * @param orderId the order of all lines
     * @param mostLines lines it may have
     * @param mostTogether lines it may have if they are to be held all or not at all
     */
    public static Parsed<OrderRequest> parse(String orderId, ObjectValue body, int mostLines, int mostTogether) {
        var fields = new Fields(body);
        var lines = fields.optionalObjects(LINES, mostLines, line -> ReserveRequest.parseLine(line, orderId));
        if (!fields.has(LINES)) {
            fields.fault(LINES, Code.MISSING, "This field must be given.");
        }
        var allOrNothing = fields.optionalBool("all_or_nothing");
        return fields.into(() -> new OrderRequest(
                        lines.get().orElseThrow(), allOrNothing.get().orElse(false)))
                .then(OrderRequest::withoutDuplicates)
                .then(order -> order.allOrNothing && order.lines.size() > mostTogether
                        ? Parsed.invalid(InputError.body(
                                "/" + LINES,
                                Code.OUT_OF_RANGE,
                                "Must have at most " + mostTogether + " elements to be held all or nothing."))
                        : Parsed.valid(order));
    }

    /** What it asks for as a whole, without who and when. The order of the lines makes no difference. */
    public ContentHash content() {
        return ContentHash.of("reserve-together")
                .with(
                        LINES,
                        lines.stream()
                                .sorted(Comparator.comparing(
                                        line -> line.terms().line().reservationId()))
                                .map(ReserveRequest::content)
                                .toList());
    }

    private static Parsed<OrderRequest> withoutDuplicates(OrderRequest order) {
        List<InputError> errors = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < order.lines.size(); i++) {
            if (!seen.add(order.lines.get(i).terms().line().reservationId())) {
                errors.add(InputError.body(
                        "/" + LINES + "/" + i + "/order_item_id",
                        Code.DUPLICATE,
                        "Another line has this order item of this merchant and dish."));
            }
        }
        return errors.isEmpty() ? Parsed.valid(order) : new Parsed.Invalid<>(errors);
    }
}
