package io.holdfast.order.sql;

import io.holdfast.order.domain.OrderCommand.CreationAnswer;
import io.holdfast.order.domain.RejectReason;
import io.holdfast.order.port.BookAnswer;
import io.holdfast.order.port.BooksListener;
import io.holdfast.order.port.RequestContent;
import io.holdfast.order.sql.StockMoves.Action;
import io.holdfast.order.sql.StockMoves.Item;
import io.holdfast.order.sql.Transactions.NotYet;
import io.holdfast.reservation.domain.OrderCreateRequested;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether there is an order, decided through one row of the inbox: the request and its deadline both insert it, and the first commit wins.
 *
 * <ol>
 *   <li>The inbox row. Whoever does not get to insert it has waited for whoever did, and reads what was decided.
 *   <li>The order's row, if the stock seems to suffice and no live order of the buyer is in the way. It comes before the stock, so that
 *       neither a second order of a buyer nor one of a sold-out item ever locks the row that all orders of the item go through.
 *   <li>The units, with the ledger. If others took them since, the order's row goes again.
 * </ol>
 */
final class OrderCreation {

    /** How often the reason is looked for that kept an order from being written; each time it was gone when it was looked for. */
    private static final int MOST_LOOKS = 3;

    /** Answer to a message whose id was decided with other content. */
    static final String OTHER_PAYLOAD = "OTHER_PAYLOAD";

    private final String consumerGroup;
    private final BooksListener listener;

    OrderCreation(String consumerGroup, BooksListener listener) {
        this.consumerGroup = consumerGroup;
        this.listener = listener;
    }

    BookAnswer<CreationAnswer> create(Connection connection, OrderCreateRequested request, Duration payWithin)
            throws SQLException, NotYet {
        if (!decides(connection, request, "REQUEST", "CREATED")) {
            listener.decidedBefore();
            return prior(connection, request);
        }
        Item item = new Item(request.activity(), request.sku());
        for (int look = 0; look < MOST_LOOKS; look++) {
            Optional<CreationAnswer> made = write(connection, request, payWithin);
            if (made.isPresent()) {
                if (StockMoves.move(
                        connection,
                        Action.OCCUPY,
                        item,
                        request.reservationId(),
                        "CREATE:" + request.reservationId(),
                        request.quantity())) {
                    return BookAnswer.decided(made.get());
                }
                Row.write(connection, "delete from orders where order_id = ?", request.reservationId());
                return turned(connection, request, RejectReason.OUT_OF_FINAL_STOCK);
            }
            Obstacle obstacle = obstacle(connection, request);
            Long available = obstacle.available();
            if (available == null) {
                throw new NotYet("the sale " + item.activity() + " has no final stock of " + item.sku() + " set out");
            }
            if (obstacle.sameOrder()) {
                return BookAnswer.contradicted("ORDER_WITHOUT_INBOX", Map.of("order_id", request.reservationId()));
            }
            if (obstacle.liveOrder()) {
                return turned(connection, request, RejectReason.DUPLICATE_BUYER);
            }
            if (available < request.quantity()) {
                return turned(connection, request, RejectReason.OUT_OF_FINAL_STOCK);
            }
        }
        throw new NotYet("what was in the way of the order changed each time it was looked at");
    }

    BookAnswer<CreationAnswer> rejectOverdue(Connection connection, OrderCreateRequested request) throws SQLException {
        return decides(connection, request, "DEADLINE", RejectReason.BUSINESS_DEADLINE_EXCEEDED.name())
                ? BookAnswer.decided(new CreationAnswer.Turned(RejectReason.BUSINESS_DEADLINE_EXCEEDED))
                : prior(connection, request);
    }

    /** Whether this transaction is the one that decides. If another is about to, this waits for what becomes of it. */
    private boolean decides(Connection connection, OrderCreateRequested request, String by, String result)
            throws SQLException {
        return Row.write(
                        connection,
                        """
                        insert into consumer_inbox (consumer_group, message_id, reservation_id, decided_by, payload_hash, result)
                        values (?, ?, ?, ?, ?, ?)
                        on conflict (consumer_group, message_id) do nothing
                        """,
                        consumerGroup,
                        request.messageId(),
                        request.reservationId(),
                        by,
                        HexFormat.of().parseHex(RequestContent.of(request).hex()),
                        result)
                == 1;
    }

    private static Optional<CreationAnswer> write(
            Connection connection, OrderCreateRequested request, Duration payWithin) throws SQLException {
        return Row.find(
                connection,
                """
                insert into orders (
                    order_id, message_id, request_id, activity, sku, user_id, quantity, status,
                    reserved_at, business_deadline, created_at, pay_by)
                select ?, ?, ?, s.activity, s.sku, ?, ?, 'CREATED', ?, ?, now(), now() + ? * interval '1 microsecond'
                from sku_inventory s
                where s.activity = ? and s.sku = ? and s.available_stock >= ?
                on conflict do nothing
                returning created_at, pay_by
                """,
                row -> new CreationAnswer.Made(Row.instant(row, "created_at"), Row.instant(row, "pay_by")),
                request.reservationId(),
                request.messageId(),
                request.requestId(),
                request.userId(),
                request.quantity(),
                request.reservedAt(),
                request.businessDeadline(),
                payWithin.toNanos() / 1_000,
                request.activity(),
                request.sku(),
                request.quantity());
    }

    /**
     * What may keep an order from being written.
     *
     * @param available units; null where the sale has none set out
     */
    private record Obstacle(@Nullable Long available, boolean sameOrder, boolean liveOrder) {}

    private static Obstacle obstacle(Connection connection, OrderCreateRequested request) throws SQLException {
        return Row.find(
                        connection,
                        """
                        select (select available_stock from sku_inventory where activity = ? and sku = ?) as available,
                               exists (select from orders where order_id = ?) as same_order,
                               exists (select from orders where activity = ? and sku = ? and user_id = ?
                                       and status in ('CREATED', 'CANCEL_PENDING', 'PAID')) as live_order
                        """,
                        row -> new Obstacle(
                                row.getObject("available", Long.class),
                                row.getBoolean("same_order"),
                                row.getBoolean("live_order")),
                        request.activity(),
                        request.sku(),
                        request.reservationId(),
                        request.activity(),
                        request.sku(),
                        request.userId())
                .orElseThrow();
    }

    private BookAnswer<CreationAnswer> turned(Connection connection, OrderCreateRequested request, RejectReason reason)
            throws SQLException {
        Row.write(
                connection,
                "update consumer_inbox set result = ? where consumer_group = ? and message_id = ?",
                reason.name(),
                consumerGroup,
                request.messageId());
        return BookAnswer.decided(new CreationAnswer.Turned(reason));
    }

    private BookAnswer<CreationAnswer> prior(Connection connection, OrderCreateRequested request) throws SQLException {
        return Row.find(
                        connection,
                        """
                        select i.payload_hash, i.result, o.order_id is not null as made, o.created_at, o.pay_by
                        from consumer_inbox i left join orders o on o.order_id = i.reservation_id
                        where i.consumer_group = ? and i.message_id = ?
                        """,
                        row -> {
                            String known = HexFormat.of().formatHex(row.getBytes("payload_hash"));
                            String asked = RequestContent.of(request).hex();
                            if (!known.equals(asked)) {
                                return BookAnswer.<CreationAnswer>contradicted(
                                        OTHER_PAYLOAD, Map.of("known", known, "asked", asked));
                            }
                            String result = row.getString("result");
                            if (!result.equals("CREATED")) {
                                return BookAnswer.<CreationAnswer>decided(
                                        new CreationAnswer.Turned(RejectReason.valueOf(result)));
                            }
                            if (!row.getBoolean("made")) {
                                return BookAnswer.<CreationAnswer>contradicted(
                                        "ORDER_MISSING", Map.of("message_id", request.messageId()));
                            }
                            Instant createdAt = Row.instant(row, "created_at");
                            return BookAnswer.<CreationAnswer>decided(
                                    new CreationAnswer.Made(createdAt, Row.instant(row, "pay_by")));
                        },
                        consumerGroup,
                        request.messageId())
                // The row was there a moment ago, and rows of the inbox are not deleted while anybody may ask.
                .orElseGet(() -> BookAnswer.contradicted("INBOX_MISSING", Map.of("message_id", request.messageId())));
    }
}
