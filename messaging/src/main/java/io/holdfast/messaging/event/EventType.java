package io.holdfast.messaging.event;

import io.holdfast.reservation.domain.OrderCreateRequested;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The events that are understood. */
enum EventType {
    ORDER_CREATED(Channel.ORDERS, "OrderCreated"),
    ORDER_CREATED_FAILED(Channel.ORDERS, "OrderCreatedFailed"),
    ORDER_CANCELED(Channel.ORDERS, "OrderCanceled"),
    REFUND_REQUESTED(Channel.ORDERS, "RefundRequested"),
    INVENTORY_CONFIRM_DUE(Channel.SCHEDULE, "InventoryConfirmDue"),
    ORDER_CREATE_REQUESTED(Channel.ORDER_REQUESTS, OrderCreateRequested.TYPE);

    private final Channel channel;
    private final String wireName;

    EventType(Channel channel, String wireName) {
        this.channel = channel;
        this.wireName = wireName;
    }

    /** The attribute {@code type}. */
    String wireName() {
        return wireName;
    }

    /** The type of this name, where the channel carries it. */
    static Optional<EventType> of(Channel channel, String wireName) {
        return of(channel).stream()
                .filter(type -> type.wireName.equals(wireName))
                .findFirst();
    }

    /** All that the channel carries. */
    static List<EventType> of(Channel channel) {
        return Stream.of(values()).filter(type -> type.channel == channel).toList();
    }
}
