package io.holdfast.messaging.event;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Events as they arrive, for tests. */
public final class Events {

    private Events() {}

    /** Headers of an event of this type. */
    public static Map<String, String> headers(String type, String id) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("ce_specversion", "1.0");
        headers.put("ce_type", type);
        headers.put("ce_id", id);
        headers.put("ce_source", "/orders");
        headers.put("content-type", "application/json");
        return headers;
    }

    /** An order event with this data, written with single quotes. */
    public static RawEvent order(String type, String id, String data) {
        return raw(Channel.ORDERS, headers(type, id), data);
    }

    /** A hint with this data, written with single quotes. */
    public static RawEvent hint(String id, String data) {
        return raw(Channel.SCHEDULE, headers("InventoryConfirmDue", id), data);
    }

    static RawEvent raw(Channel channel, Map<String, String> headers, String data) {
        return new RawEvent(
                channel, topic(channel), 3, 17, headers, data.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    static String topic(Channel channel) {
        return switch (channel) {
            case ORDERS -> "order.lifecycle.v1";
            case SCHEDULE -> "inventory.schedule.v1";
            case ORDER_REQUESTS -> "order.create-requested.v1";
        };
    }

    static EventReader reader() {
        return new EventReader(4096, Set.of("OrderPaid"));
    }
}
