package io.holdfast.messaging.event;

import io.holdfast.json.ContentHash;
import io.holdfast.json.Fields;
import io.holdfast.json.InputError;
import io.holdfast.json.InputError.Code;
import io.holdfast.json.JsonValue.ObjectValue;
import io.holdfast.json.Parsed;
import io.holdfast.messaging.event.Announcement.Told;
import io.holdfast.reservation.domain.Fact;
import io.holdfast.reservation.domain.Refund;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Data of an order event, schema version 1.
 *
 * @param mentions the reservations it names, each once, in the order of their ids; empty when it names none
 * @param reason as the order domain gives it, fit for a journal
 * @param refundId of a RefundRequested
 * @param restock whether what is refunded becomes available again
 */
record OrderData(
        String orderId, List<Mention> mentions, Optional<String> reason, Optional<String> refundId, boolean restock) {

    /** Lines of one order. */
    static final int MOST_LINES = 200;

    private static final int LONGEST_REASON = 256;
    private static final String NO_REASON = "no reason given";
    private static final String LINES = "lines";
    private static final String IDS = "inventory_reservation_ids";

    static Parsed<OrderData> parse(EventType type, ObjectValue data) {
        var fields = new Fields(data);
        var orderId = fields.id("order_id");
        var lines = fields.optionalObjects(LINES, MOST_LINES, Mention::ofLine);
        var ids = fields.optionalIds(IDS, MOST_LINES);
        var reason = fields.optionalFreeText("reason");
        boolean refund = type == EventType.REFUND_REQUESTED;
        var refundId = refund ? fields.id("refund_id") : null;
        var restock = refund ? fields.optionalBool("restock") : null;
        return fields.intoIgnoringOthers(() -> new OrderData(
                        orderId.get(),
                        joined(lines.get().orElse(List.of()), ids.get().orElse(List.of())),
                        reason.get().map(OrderData::fit),
                        refundId == null ? Optional.empty() : Optional.of(refundId.get()),
                        restock == null || restock.get().orElse(true)))
                .then(read -> consistent(read, lines.get(), ids.get()));
    }

    /** Lines first: they may say how many. */
    private static List<Mention> joined(List<Mention> lines, List<String> ids) {
        List<Mention> all = new ArrayList<>(lines);
        Set<String> named = lines.stream().map(Mention::reservationId).collect(Collectors.toSet());
        new LinkedHashSet<>(ids)
                .stream().filter(id -> !named.contains(id)).forEach(id -> all.add(new Mention(id, Optional.empty())));
        all.sort(Comparator.comparing(Mention::reservationId));
        return List.copyOf(all);
    }

    private static Parsed<OrderData> consistent(
            OrderData data, Optional<List<Mention>> lines, Optional<List<String>> ids) {
        List<InputError> errors = new ArrayList<>();
        Set<String> byLine = new HashSet<>();
        for (Mention line : lines.orElse(List.of())) {
            if (!byLine.add(line.reservationId())) {
                errors.add(InputError.field(
                        LINES, Code.DUPLICATE, "Two lines are of one reservation, " + line.reservationId() + "."));
            }
        }
        for (String id : ids.orElse(List.of())) {
            if (Mention.id(id).isEmpty()) {
                errors.add(InputError.field(IDS, Code.BAD_SYNTAX, "Each must be " + Mention.ID_SYNTAX + "."));
            }
        }
        if (lines.isPresent() && ids.isPresent() && !byLine.equals(new HashSet<>(ids.get()))) {
            errors.add(InputError.field(IDS, Code.CONFLICTING, "These are not the reservations of the lines."));
        }
        if (!data.restock
                && data.mentions.stream().anyMatch(mention -> mention.quantity().isEmpty())) {
            errors.add(InputError.field(
                    "restock",
                    Code.CONFLICTING,
                    "Only units that are counted can stay sold: give every line's quantity."));
        }
        if (!data.restock && data.mentions.isEmpty()) {
            errors.add(
                    InputError.field("restock", Code.CONFLICTING, "Only units of lines that are named can stay sold."));
        }
        if (data.refundId.filter(Refund::isReserved).isPresent()) {
            errors.add(InputError.field("refund_id", Code.BAD_SYNTAX, "This id is one of Holdfast's own."));
        }
        return errors.isEmpty() ? Parsed.valid(data) : new Parsed.Invalid<>(errors);
    }

    /** One line that can be stored anywhere and read by anybody. */
    private static String fit(String text) {
        var line = new StringBuilder();
        text.codePoints()
                .map(c -> Character.isISOControl(c) ? ' ' : c)
                .filter(c -> c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE)
                .limit(LONGEST_REASON)
                .forEach(line::appendCodePoint);
        String fit = line.toString().strip();
        return fit.isEmpty() ? NO_REASON : fit;
    }

    /** What each reservation it names is told. */
    List<Told> told(EventType type) {
        return mentions.stream()
                .map(mention -> new Told(mention.reservationId(), fact(type, mention.quantity())))
                .toList();
    }

    /** What every reservation of the order is told when it names none. */
    Fact toAll(EventType type) {
        return fact(type, Optional.empty());
    }

    private Fact fact(EventType type, Optional<Long> quantity) {
        return switch (type) {
            case ORDER_CREATED ->
                new Fact.OrderCreated(orderId, quantity.map(OptionalLong::of).orElseGet(OptionalLong::empty));
            case ORDER_CREATED_FAILED -> new Fact.OrderCreatedFailed(orderId, reason.orElse(NO_REASON));
            case ORDER_CANCELED -> new Fact.OrderCanceled(Optional.of(orderId), reason.orElse(NO_REASON));
            case REFUND_REQUESTED -> {
                String id = refundId.orElseThrow();
                yield quantity.<Fact>map(units -> new Fact.RefundRequested(Optional.of(orderId), id, units, restock))
                        .orElseGet(() ->
                                new Fact.OrderCanceled(Optional.of(orderId), "refund " + id + " of everything left"));
            }
            case INVENTORY_CONFIRM_DUE, ORDER_CREATE_REQUESTED ->
                throw new IllegalArgumentException("no news of an order: " + type);
        };
    }

    ContentHash content(EventType type) {
        ContentHash content = EventReader.start(type).with("order_id", orderId);
        reason.ifPresent(text -> content.with("reason", text));
        refundId.ifPresent(id -> content.with("refund_id", id).with("restock", restock));
        if (!mentions.isEmpty()) {
            content.with(
                    "lines",
                    mentions.stream()
                            .map(mention -> {
                                ContentHash line =
                                        EventReader.start(type).with("reservation_id", mention.reservationId());
                                mention.quantity().ifPresent(units -> line.with("quantity", units));
                                return line;
                            })
                            .toList());
        }
        return content;
    }
}
