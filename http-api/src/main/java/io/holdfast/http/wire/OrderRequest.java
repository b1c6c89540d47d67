package io.holdfast.http.wire;

import io.holdfast.json.Fields;
import io.holdfast.json.InputError;
import io.holdfast.json.InputError.Code;
import io.holdfast.json.JsonValue.ObjectValue;
import io.holdfast.json.Parsed;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Body of {@code POST /v1/orders/{order}/reservations}: asks for the holds of several lines of one order.
 *
 * @param lines at least one, no two of one reservation
 */
public record OrderRequest(List<ReserveRequest> lines) {

    private static final String LINES = "lines";

    public OrderRequest {
        lines = List.copyOf(lines);
    }

    /**
     * Reads a body.
     *
     * @param orderId the order of all lines
     * @param mostLines lines it may have
     */
    public static Parsed<OrderRequest> parse(String orderId, ObjectValue body, int mostLines) {
        var fields = new Fields(body);
        var lines = fields.optionalObjects(LINES, mostLines, line -> ReserveRequest.parseLine(line, orderId));
        if (!fields.has(LINES)) {
            fields.fault(LINES, Code.MISSING, "This field must be given.");
        }
        return fields.into(() -> new OrderRequest(lines.get().orElseThrow())).then(OrderRequest::withoutDuplicates);
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
