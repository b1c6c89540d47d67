package io.holdfast.order.sql;

import io.holdfast.order.port.BookAnswer;
import io.holdfast.order.sql.StockMoves.Item;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An order's row.
 *
 * @param paymentId what paid it; null where nothing did
 * @param refunded units that went back
 * @param cancelledAt null where it is not cancelled
 */
record StoredOrder(
        String orderId,
        Item item,
        long quantity,
        Status status,
        @Nullable String paymentId,
        long refunded,
        @Nullable Instant cancelledAt) {

    /** As stored. */
    enum Status {
        CREATED,
        CANCEL_PENDING,
        CANCELLED,
        PAID,
        REFUNDED
    }

    /** The row, and nobody else changes it until the transaction ends. Waits for who is changing it. */
    static Optional<StoredOrder> lock(Connection connection, String orderId) throws SQLException {
        return Row.find(
                connection,
                "select * from orders where order_id = ? for no key update",
                row -> new StoredOrder(
                        orderId,
                        new Item(row.getString("activity"), row.getString("sku")),
                        row.getLong("quantity"),
                        Status.valueOf(row.getString("status")),
                        row.getString("payment_id"),
                        row.getLong("refunded_quantity"),
                        row.getObject("cancelled_at") == null ? null : Row.instant(row, "cancelled_at")),
                orderId);
    }

    static <T> BookAnswer<T> missing(String orderId) {
        return BookAnswer.contradicted("ORDER_MISSING", Map.of("order_id", orderId));
    }

    /** Units this order has are not in the stock. */
    <T> BookAnswer<T> stockMissing() {
        return BookAnswer.contradicted(
                "STOCK_MISSING", Map.of("order_id", orderId, "activity", item.activity(), "sku", item.sku()));
    }
}
