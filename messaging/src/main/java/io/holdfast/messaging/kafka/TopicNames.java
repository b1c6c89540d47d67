package io.holdfast.messaging.kafka;

import io.holdfast.messaging.event.Channel;
import io.holdfast.messaging.out.OutTopic;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What the topics are called.
 *
 * @param orders order events, in
 * @param schedule hints that scheduled orders are due, in
 * @param stockChange what happened to pools, out
 * @param lifecycle what happened to reservations, out
 * @param orderRequests what order services are asked for, out; in as well where this fleet is one
 * @param makesOrders whether it is
 */
public record TopicNames(
        String orders,
        String schedule,
        String stockChange,
        String lifecycle,
        String orderRequests,
        boolean makesOrders) {

    private static final String DEAD_LETTERS = ".dlq";

    /** @throws IllegalArgumentException if two of them are one */
    public TopicNames {
        if (Stream.of(orders, schedule, stockChange, lifecycle, orderRequests)
                        .distinct()
                        .count()
                != 5) {
            throw new IllegalArgumentException("two topics have one name");
        }
    }

    /** Of a fleet whose orders another system makes. */
    public TopicNames(String orders, String schedule, String stockChange, String lifecycle, String orderRequests) {
        this(orders, schedule, stockChange, lifecycle, orderRequests, false);
    }

    /** The same, of a fleet that makes orders itself. */
    public TopicNames makingOrders() {
        return new TopicNames(orders, schedule, stockChange, lifecycle, orderRequests, true);
    }

    /** The names of the design. */
    public static TopicNames standard() {
        return new TopicNames(
                "order.lifecycle.v1",
                "inventory.schedule.v1",
                "inventory.stock-change.v1",
                "inventory.lifecycle.v1",
                "order.create-requested.v1");
    }

    /** Where events are read. */
    public List<String> in() {
        return makesOrders ? List.of(orders, schedule, orderRequests) : List.of(orders, schedule);
    }

    /** Where events go that can't be understood. */
    public static String deadLettersOf(String topic) {
        return topic + DEAD_LETTERS;
    }

    /** All of them. */
    public List<String> all() {
        return Stream.concat(
                        Stream.of(orders, schedule, stockChange, lifecycle, orderRequests),
                        in().stream().map(TopicNames::deadLettersOf))
                .toList();
    }

    /** What a topic carries that is read. */
    public Optional<Channel> channel(String topic) {
        if (topic.equals(orders)) {
            return Optional.of(Channel.ORDERS);
        }
        if (topic.equals(orderRequests)) {
            return Optional.of(Channel.ORDER_REQUESTS);
        }
        return topic.equals(schedule) ? Optional.of(Channel.SCHEDULE) : Optional.empty();
    }

    /** The topic of what is announced. */
    public String of(OutTopic topic) {
        return switch (topic) {
            case STOCK_CHANGE -> stockChange;
            case LIFECYCLE -> lifecycle;
            case ORDER_REQUESTS -> orderRequests;
            case ORDERS -> orders;
        };
    }
}
