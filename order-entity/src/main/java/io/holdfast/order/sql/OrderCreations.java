package io.holdfast.order.sql;

import io.holdfast.order.domain.OrderCommand.CreationAnswer;
import io.holdfast.order.port.BookAnswer;
import io.holdfast.order.port.RequestContent;
import io.holdfast.order.sql.StockMoves.Item;
import io.holdfast.reservation.domain.OrderCreateRequested;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Orders of one item that nothing speaks against, made in one transaction: each has its own row in the inbox, its own order and its own row
 * in the ledger, and the item's row is changed once for all of them. What each alone would be is what they are together.
 *
 * <p>It decides nothing else. A request that was decided before, whose buyer has a live order, or that comes a second time, is left as it was
 * found, to be decided alone; when the stock does not suffice for all, all are.
 *
 * <p>Locks are taken in the order of {@link OrderCreation}: all inboxes, all orders, the stock; those of a kind in the order of their keys.
 */
final class OrderCreations {

    /** Answer for those that have to be decided each alone. Nothing is written. */
    static final String APART = "APART";

    private static final String INBOX = """
        insert into consumer_inbox (consumer_group, message_id, reservation_id, decided_by, payload_hash, result)
        select ?, u.message_id, u.reservation_id, 'REQUEST', decode(u.hash, 'hex'), 'CREATED'
        from unnest(?::text[], ?::text[], ?::text[]) u (message_id, reservation_id, hash)
        order by u.message_id
        on conflict (consumer_group, message_id) do nothing
        returning message_id
        """;

    private static final String ORDERS = """
        insert into orders (
            order_id, message_id, request_id, activity, sku, user_id, quantity, status,
            reserved_at, business_deadline, created_at, pay_by)
        select u.order_id, u.message_id, u.request_id, s.activity, s.sku, u.user_id, u.quantity, 'CREATED',
            u.reserved_at::timestamptz, u.business_deadline::timestamptz, now(), now() + u.pay_within * interval '1 microsecond'
        from unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::bigint[], ?::text[], ?::text[], ?::bigint[])
            u (order_id, message_id, request_id, user_id, quantity, reserved_at, business_deadline, pay_within),
            sku_inventory s
        where s.activity = ? and s.sku = ? and s.available_stock >= ?
        order by u.user_id, u.order_id
        on conflict do nothing
        returning order_id, created_at, pay_by
        """;

    private static final String LEFT_OVER =
            "delete from consumer_inbox where consumer_group = ? and message_id = any(?)";

    private final String consumerGroup;

    OrderCreations(String consumerGroup) {
        this.consumerGroup = consumerGroup;
    }

    /**
     * A request for an order.
     *
     * @param payWithin how long the order waits for its payment
     */
    record Asked(OrderCreateRequested request, Duration payWithin) {

        Item item() {
            return new Item(request.activity(), request.sku());
        }

        String order() {
            return request.reservationId();
        }
    }

    /**
     * Makes orders of those requests of one item that nothing speaks against.
     *
     * @return the answers of those that were made, by order; {@link #APART} where there are none
     */
    BookAnswer<Map<String, CreationAnswer.Made>> create(Connection connection, Item item, List<Asked> requests)
            throws SQLException {
        List<Asked> claimed = claimed(connection, requests);
        Map<String, CreationAnswer.Made> made = claimed.isEmpty() ? Map.of() : written(connection, item, claimed);
        List<Asked> ordered =
                claimed.stream().filter(one -> made.containsKey(one.order())).toList();
        if (ordered.isEmpty() || !StockMoves.occupy(connection, item, ordered)) {
            return BookAnswer.contradicted(APART, Map.of());
        }
        if (ordered.size() < claimed.size()) {
            Row.write(
                    connection,
                    LEFT_OVER,
                    consumerGroup,
                    texts(
                            connection,
                            claimed.stream()
                                    .filter(one -> !made.containsKey(one.order()))
                                    .toList(),
                            one -> one.request().messageId()));
        }
        return BookAnswer.decided(made);
    }

    /** Those that this transaction may decide: of one message or one order that is there more than once, the first. */
    private List<Asked> claimed(Connection connection, List<Asked> requests) throws SQLException {
        Set<String> messages = new HashSet<>();
        Set<String> orders = new HashSet<>();
        List<Asked> each = requests.stream()
                // Both are looked at: what shares either with one before it is left out, and so is what shares either
                // with that.
                .filter(one -> messages.add(one.request().messageId()) & orders.add(one.order()))
                .toList();
        Set<String> ours = new HashSet<>();
        try (PreparedStatement s = connection.prepareStatement(INBOX)) {
            s.setString(1, consumerGroup);
            s.setArray(2, texts(connection, each, one -> one.request().messageId()));
            s.setArray(3, texts(connection, each, Asked::order));
            s.setArray(
                    4,
                    texts(
                            connection,
                            each,
                            one -> RequestContent.of(one.request()).hex()));
            try (ResultSet rows = s.executeQuery()) {
                while (rows.next()) {
                    ours.add(rows.getString(1));
                }
            }
        }
        return each.stream()
                .filter(one -> ours.contains(one.request().messageId()))
                .sorted(Comparator.comparing(Asked::order))
                .toList();
    }

    private static Map<String, CreationAnswer.Made> written(Connection connection, Item item, List<Asked> claimed)
            throws SQLException {
        Map<String, CreationAnswer.Made> made = new HashMap<>();
        try (PreparedStatement s = connection.prepareStatement(ORDERS)) {
            int i = 0;
            s.setArray(++i, texts(connection, claimed, Asked::order));
            s.setArray(++i, texts(connection, claimed, one -> one.request().messageId()));
            s.setArray(++i, texts(connection, claimed, one -> one.request().requestId()));
            s.setArray(++i, texts(connection, claimed, one -> one.request().userId()));
            s.setArray(++i, numbers(connection, claimed, one -> one.request().quantity()));
            s.setArray(
                    ++i,
                    texts(connection, claimed, one -> one.request().reservedAt().toString()));
            s.setArray(
                    ++i,
                    texts(
                            connection,
                            claimed,
                            one -> one.request().businessDeadline().toString()));
            s.setArray(++i, numbers(connection, claimed, one -> one.payWithin().toNanos() / 1_000));
            s.setString(++i, item.activity());
            s.setString(++i, item.sku());
            s.setLong(++i, units(claimed));
            try (ResultSet rows = s.executeQuery()) {
                while (rows.next()) {
                    made.put(
                            rows.getString(1),
                            new CreationAnswer.Made(Row.instant(rows, "created_at"), Row.instant(rows, "pay_by")));
                }
            }
        }
        return made;
    }

    /** Of all of them. */
    static long units(List<Asked> requests) {
        return requests.stream().mapToLong(one -> one.request().quantity()).reduce(0, Math::addExact);
    }

    static Array texts(Connection connection, List<Asked> requests, Function<Asked, String> column)
            throws SQLException {
        return connection.createArrayOf("text", requests.stream().map(column).toArray());
    }

    static Array numbers(Connection connection, List<Asked> requests, Function<Asked, Long> column)
            throws SQLException {
        return connection.createArrayOf("bigint", requests.stream().map(column).toArray());
    }
}
