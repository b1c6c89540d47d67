package io.holdfast.messaging.event;

import io.holdfast.engine.machine.Cause;
import io.holdfast.json.ContentHash;
import io.holdfast.json.InputError;
import io.holdfast.json.JsonLimits;
import io.holdfast.json.JsonReader;
import io.holdfast.json.JsonValue.ObjectValue;
import io.holdfast.json.Parsed;
import io.holdfast.messaging.event.Announcement.Due;
import io.holdfast.messaging.event.Announcement.OfOrder;
import io.holdfast.messaging.event.Announcement.OrderWanted;
import io.holdfast.order.port.RequestContent;
import io.holdfast.reservation.domain.OrderCreateRequested;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reads events in the binary mode of CloudEvents 1.0: attributes in headers, JSON as data.
 *
 * <p>The identity of an event is its source together with its id. Its content is what it means to a reservation: the hash covers type,
 * schema version and the business data of that version, reduced to the reservations it names. Order of fields, blanks, fields of no
 * meaning here, tracing and sending time make no difference; so a version of Holdfast that reads more never takes a repeat for another
 * event.
 */
public final class EventReader {

    /** The one version of the data that is known. */
    public static final int SCHEMA_VERSION = 1;

    /** Order events carry more than is read here, such as prices: looser than a request. */
    private static final JsonLimits LIMITS = new JsonLimits(32, 64, 16 * 1024, 256);

    private static final int LONGEST_ATTRIBUTE = 256;
    private static final String JSON = "application/json";

    private final JsonReader json = new JsonReader(LIMITS);
    private final int largest;
    private final Set<String> ignored;

    /**
     * @param largest bytes of data that are still read
     * @param ignored types on these topics that are meant for others
     */
    public EventReader(int largest, Set<String> ignored) {
        this.largest = largest;
        this.ignored = Set.copyOf(ignored);
    }

    /** The types that are understood. */
    public static List<String> types() {
        return Stream.of(EventType.values()).map(EventType::wireName).toList();
    }

    /** What the event says, or why that can't be told. Never throws. */
    public Reading read(RawEvent raw) {
        try {
            return readWhole(raw);
        } catch (Unreadable e) {
            return new Reading.Poison(e.reason, e.detail);
        }
    }

    private Reading readWhole(RawEvent raw) throws Unreadable {
        Map<String, String> headers = raw.headers();
        if (!attribute(headers, "specversion").equals("1.0")) {
            throw new Unreadable(PoisonReason.NOT_A_CLOUD_EVENT, "ce_specversion must be 1.0");
        }
        String type = attribute(headers, "type");
        String id = attribute(headers, "id");
        String source = source(headers);
        if (ignored.contains(type)) {
            return new Reading.Ignored(type);
        }
        EventType known = known(raw.channel(), type);
        requireKnownVersion(headers);
        ObjectValue data = data(raw);
        String causeId = source + " " + id;
        Optional<String> trace = Optional.ofNullable(headers.get(TraceContext.HEADER))
                .or(() -> Optional.ofNullable(headers.get("ce_" + TraceContext.HEADER)))
                .flatMap(TraceContext::traceId);
        return switch (known) {
            case ORDER_CREATED, ORDER_CREATED_FAILED, ORDER_CANCELED, REFUND_REQUESTED -> {
                OrderData order = valid(OrderData.parse(known, data));
                yield new Reading.Understood(new OfOrder(
                        cause(causeId, order.content(known), raw, trace),
                        type,
                        order.orderId(),
                        order.told(known),
                        order.toAll(known)));
            }
            case ORDER_CREATE_REQUESTED -> {
                OrderCreateRequested request = valid(RequestData.parse(data, id));
                yield new Reading.Understood(
                        new OrderWanted(cause(causeId, RequestContent.of(request), raw, trace), type, request));
            }
            case INVENTORY_CONFIRM_DUE -> {
                Mention mention = valid(Mention.ofHint(data));
                ContentHash content = start(known).with("reservation_id", mention.reservationId());
                yield new Reading.Understood(
                        new Due(cause(causeId, content, raw, trace), type, mention.reservationId()));
            }
        };
    }

    /** What every content begins with: the same data of another type or version is other content. */
    static ContentHash start(EventType type) {
        return ContentHash.of(type.wireName() + ".v" + SCHEMA_VERSION);
    }

    private static Cause cause(String id, ContentHash content, RawEvent raw, Optional<String> trace) {
        return new Cause(id, content.hex(), Cause.Kind.EVENT, raw.topic(), trace);
    }

    private static EventType known(Channel channel, String type) throws Unreadable {
        return EventType.of(channel, type)
                .orElseThrow(() -> new Unreadable(
                        PoisonReason.UNKNOWN_TYPE,
                        "This topic carries "
                                + EventType.of(channel).stream()
                                        .map(EventType::wireName)
                                        .collect(Collectors.joining(", "))
                                + ", but not " + clipped(type)));
    }

    private static void requireKnownVersion(Map<String, String> headers) throws Unreadable {
        String version = headers.getOrDefault("ce_schemaversion", Integer.toString(SCHEMA_VERSION));
        if (!version.equals(Integer.toString(SCHEMA_VERSION))) {
            throw new Unreadable(
                    PoisonReason.UNSUPPORTED_SCHEMA_VERSION,
                    "ce_schemaversion is " + clipped(version) + ", but only " + SCHEMA_VERSION + " is known");
        }
    }

    private static String attribute(Map<String, String> headers, String name) throws Unreadable {
        String value = headers.get("ce_" + name);
        if (value == null || value.isBlank()) {
            throw new Unreadable(PoisonReason.NOT_A_CLOUD_EVENT, "ce_" + name + " is missing, or no UTF-8");
        }
        if (value.length() > LONGEST_ATTRIBUTE || value.chars().anyMatch(Character::isISOControl)) {
            throw new Unreadable(
                    PoisonReason.NOT_A_CLOUD_EVENT,
                    "ce_" + name + " must be at most " + LONGEST_ATTRIBUTE + " characters, none of them a control");
        }
        return value;
    }

    /** A URI reference: it has no blank, so that source and id can be joined by one. */
    private static String source(Map<String, String> headers) throws Unreadable {
        String source = attribute(headers, "source");
        try {
            return new URI(source).toString();
        } catch (URISyntaxException e) {
            throw new Unreadable(PoisonReason.NOT_A_CLOUD_EVENT, "ce_source is no URI: " + clipped(source));
        }
    }

    private ObjectValue data(RawEvent raw) throws Unreadable {
        if (raw.data().length == 0) {
            throw new Unreadable(PoisonReason.NO_DATA, "the event has no data");
        }
        if (raw.data().length > largest) {
            throw new Unreadable(
                    PoisonReason.TOO_LARGE,
                    "the data has " + raw.data().length + " bytes, more than the " + largest + " that are read");
        }
        String contentType = raw.headers().getOrDefault("content-type", JSON).toLowerCase(Locale.ROOT);
        String mediaType = contentType.split(";", 2)[0].strip();
        if (!mediaType.equals(JSON)) {
            throw new Unreadable(
                    PoisonReason.UNSUPPORTED_CONTENT_TYPE,
                    "content-type is " + clipped(contentType) + ", but must be " + JSON
                            + " (binary mode of CloudEvents)");
        }
        return switch (json.read(raw.data())) {
            case Parsed.Valid<ObjectValue>(ObjectValue object) -> object;
            case Parsed.Invalid<ObjectValue>(List<InputError> errors) ->
                throw new Unreadable(PoisonReason.NOT_JSON, told(errors));
        };
    }

    private static <T> T valid(Parsed<T> parsed) throws Unreadable {
        return switch (parsed) {
            case Parsed.Valid<T>(T value) -> value;
            case Parsed.Invalid<T>(List<InputError> errors) ->
                throw new Unreadable(PoisonReason.INVALID_DATA, told(errors));
        };
    }

    private static String told(List<InputError> errors) {
        return errors.stream()
                .limit(5)
                .map(error -> (error.pointer().isEmpty() ? "" : error.pointer() + ": ") + error.detail())
                .collect(Collectors.joining(" "));
    }

    private static String clipped(String text) {
        return text.length() <= 64 ? text : text.substring(0, 61) + "...";
    }

    private static final class Unreadable extends Exception {
        private static final long serialVersionUID = 1L;
        private final PoisonReason reason;
        private final String detail;

        Unreadable(PoisonReason reason, String detail) {
            super(detail, null, false, false);
            this.reason = reason;
            this.detail = detail;
        }
    }
}
