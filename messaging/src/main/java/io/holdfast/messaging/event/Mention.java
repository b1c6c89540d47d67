package io.holdfast.messaging.event;

import io.holdfast.json.Fields;
import io.holdfast.json.InputError.Code;
import io.holdfast.json.JsonValue.ObjectValue;
import io.holdfast.json.Parsed;
import io.holdfast.reservation.domain.ReservationIds;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * A reservation as an event names it: by its id, or by the order line it follows from.
 *
 * @param reservationId which
 * @param quantity units, where the event says how many
 */
record Mention(String reservationId, Optional<Long> quantity) {

    static final String ID_SYNTAX = "a reservation id, which is 32 lower-case hex digits";

    private static final Pattern ID = Pattern.compile("[0-9a-f]{32}");

    /** A line of an order event. */
    static Parsed<Mention> ofLine(ObjectValue line) {
        return parse(new Fields(line), true);
    }

    /** A hint that is about one reservation. */
    static Parsed<Mention> ofHint(ObjectValue data) {
        return parse(new Fields(data), false);
    }

    static Optional<String> id(String text) {
        return ID.matcher(text).matches() ? Optional.of(text) : Optional.empty();
    }

    private static Parsed<Mention> parse(Fields fields, boolean counted) {
        var id = fields.optionalString("reservation_id", Mention::id, ID_SYNTAX);
        boolean byLine = fields.has("merchant") || fields.has("dish") || fields.has("order_item_id");
        if (!byLine && !fields.has("reservation_id")) {
            fields.fault("reservation_id", Code.MISSING, "Give this, or all of merchant, dish and order_item_id.");
        }
        Supplier<Optional<String>> computed = byLine ? computed(fields) : Optional::empty;
        Supplier<Optional<Long>> quantity =
                counted ? fields.optionalInteger("quantity", 1, Fields.MAX_INTEGER) : Optional::empty;
        return fields.intoIgnoringOthers(() -> new Mention(id.get().or(computed).orElseThrow(), quantity.get()))
                .then(mention -> agreeing(mention, computed.get()));
    }

    private static Supplier<Optional<String>> computed(Fields fields) {
        var merchant = fields.id("merchant");
        var dish = fields.id("dish");
        var orderItemId = fields.id("order_item_id");
        return () -> Optional.of(ReservationIds.journalFirst(merchant.get(), dish.get(), orderItemId.get()));
    }

    private static Parsed<Mention> agreeing(Mention mention, Optional<String> computed) {
        return computed.filter(id -> !id.equals(mention.reservationId))
                .<Parsed<Mention>>map(_ -> Parsed.invalid(io.holdfast.json.InputError.field(
                        "reservation_id",
                        Code.CONFLICTING,
                        "It is not the reservation of this merchant, dish and order_item_id.")))
                .orElseGet(() -> Parsed.valid(mention));
    }
}
