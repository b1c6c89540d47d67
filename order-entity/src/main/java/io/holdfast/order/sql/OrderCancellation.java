package io.holdfast.order.sql;

import io.holdfast.order.domain.OrderCommand.CancelAnswer;
import io.holdfast.order.port.BookAnswer;
import io.holdfast.order.sql.StockMoves.Action;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Cancelling an order: first marked, then, once the provider has none, cancelled, unless a payment came to count in between. */
final class OrderCancellation {

    private OrderCancellation() {}

    static BookAnswer<Optional<String>> mark(Connection connection, String orderId) throws SQLException {
        Optional<StoredOrder> found = StoredOrder.lock(connection, orderId);
        if (found.isEmpty()) {
            return StoredOrder.missing(orderId);
        }
        return switch (found.get().status()) {
            case CREATED -> {
                Row.write(connection, """
                    update orders set status = 'CANCEL_PENDING', version = version + 1, updated_at = clock_timestamp()
                    where order_id = ?
                    """, orderId);
                yield BookAnswer.decided(Optional.empty());
            }
            case CANCEL_PENDING, CANCELLED -> BookAnswer.decided(Optional.empty());
            case PAID, REFUNDED -> BookAnswer.decided(Optional.of(paymentOf(found.get())));
        };
    }

    static BookAnswer<CancelAnswer> cancel(Connection connection, String orderId) throws SQLException {
        Optional<StoredOrder> found = StoredOrder.lock(connection, orderId);
        if (found.isEmpty()) {
            return StoredOrder.missing(orderId);
        }
        StoredOrder order = found.get();
        return switch (order.status()) {
            case CREATED -> BookAnswer.contradicted("NOT_MARKED", Map.of("order_id", orderId));
            case CANCEL_PENDING -> cancelMarked(connection, order);
            case CANCELLED -> BookAnswer.decided(new CancelAnswer.Done(Objects.requireNonNull(order.cancelledAt())));
            case PAID, REFUNDED -> BookAnswer.decided(new CancelAnswer.FoundPaid(paymentOf(order)));
        };
    }

    private static BookAnswer<CancelAnswer> cancelMarked(Connection connection, StoredOrder order) throws SQLException {
        Optional<Instant> at = Row.find(connection, """
            update orders set status = 'CANCELLED', cancelled_at = now(), version = version + 1,
                updated_at = clock_timestamp()
            where order_id = ? and not exists (
                select from payment_record p where p.order_id = orders.order_id and p.status = 'SETTLED')
            returning cancelled_at
            """, row -> Row.instant(row, "cancelled_at"), order.orderId());
        if (at.isEmpty()) {
            return BookAnswer.contradicted("PAYMENT_WITHOUT_ORDER", Map.of("order_id", order.orderId()));
        }
        return StockMoves.move(
                        connection,
                        Action.RELEASE,
                        order.item(),
                        order.orderId(),
                        "CANCEL:" + order.orderId(),
                        order.quantity())
                ? BookAnswer.decided(new CancelAnswer.Done(at.get()))
                : order.stockMissing();
    }

    private static String paymentOf(StoredOrder order) {
        return Objects.requireNonNull(order.paymentId(), "a paid order names its payment");
    }
}
