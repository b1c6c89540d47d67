package io.holdfast.order.sql;

import io.holdfast.order.domain.OrderCommand.ReacquireAnswer;
import io.holdfast.order.domain.Payment;
import io.holdfast.order.domain.RejectReason;
import io.holdfast.order.port.BookAnswer;
import io.holdfast.order.sql.StockMoves.Action;
import io.holdfast.order.sql.Transactions.NotYet;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.Map;

/**
 * Whether a cancelled order comes back for a payment that came too late. One row per payment decides: whoever inserts it decides, and
 * whoever finds it reads, so that no late attempt can take units for money that is on its way back.
 */
final class OrderReacquisition {

    private static final String TAKEN = "TAKEN";
    private static final String UNIQUE_VIOLATION = "23505";

    private OrderReacquisition() {}

    static BookAnswer<ReacquireAnswer> decide(
            Connection connection, String orderId, Payment payment, String reservationId) throws SQLException, NotYet {
        var found = StoredOrder.lock(connection, orderId);
        if (found.isEmpty()) {
            return StoredOrder.missing(orderId);
        }
        StoredOrder order = found.get();
        boolean decides = Row.write(connection, """
            insert into order_reacquisition (payment_id, order_id, reservation_id, result) values (?, ?, ?, ?)
            on conflict (payment_id) do nothing
            """, payment.paymentId(), orderId, reservationId, TAKEN) == 1;
        if (!decides) {
            return prior(connection, orderId, payment, reservationId);
        }
        if (order.status() != StoredOrder.Status.CANCELLED) {
            return BookAnswer.contradicted(
                    "NOT_CANCELLED",
                    Map.of("order_id", orderId, "status", order.status().name()));
        }
        if (buyerHasAnother(connection, orderId)) {
            return turned(connection, payment, RejectReason.DUPLICATE_BUYER);
        }
        Savepoint before = connection.setSavepoint();
        if (!settles(connection, orderId, payment)) {
            return BookAnswer.contradicted("PAYMENT_NOT_SURPLUS", Map.of("payment_id", payment.paymentId()));
        }
        comeBack(connection, orderId, payment, reservationId);
        if (!StockMoves.move(
                connection,
                Action.OCCUPY,
                order.item(),
                orderId,
                "REACQUIRE:" + payment.paymentId(),
                order.quantity())) {
            connection.rollback(before);
            return turned(connection, payment, RejectReason.OUT_OF_FINAL_STOCK);
        }
        return StockMoves.move(
                        connection,
                        Action.SELL,
                        order.item(),
                        orderId,
                        "PAYMENT:" + payment.paymentId(),
                        order.quantity())
                ? BookAnswer.decided(new ReacquireAnswer.Taken())
                : order.stockMissing();
    }

    private static boolean buyerHasAnother(Connection connection, String orderId) throws SQLException {
        return Row.find(connection, """
            select from orders o join orders l using (activity, sku, user_id)
            where o.order_id = ? and l.order_id <> o.order_id and l.status in ('CREATED', 'CANCEL_PENDING', 'PAID')
            limit 1
            """, _ -> true, orderId).isPresent();
    }

    private static boolean settles(Connection connection, String orderId, Payment payment) throws SQLException {
        return Row.write(connection, """
            update payment_record set status = 'SETTLED', surplus_reason = null
            where payment_id = ? and order_id = ? and status = 'SURPLUS'
            """, payment.paymentId(), orderId) == 1;
    }

    private static void comeBack(Connection connection, String orderId, Payment payment, String reservationId)
            throws SQLException, NotYet {
        try {
            Row.write(connection, """
                update orders set status = 'PAID', payment_id = ?, paid_at = ?, cancelled_at = null, reacquired_as = ?,
                    version = version + 1, updated_at = clock_timestamp()
                where order_id = ?
                """, payment.paymentId(), payment.paidAt(), reservationId, orderId);
        } catch (SQLException e) {
            if (UNIQUE_VIOLATION.equals(e.getSQLState())) {
                // The buyer ordered anew since it was looked: asked again, this sees it.
                throw new NotYet("another order of the buyer came in between");
            }
            throw e;
        }
    }

    private static BookAnswer<ReacquireAnswer> turned(Connection connection, Payment payment, RejectReason reason)
            throws SQLException {
        Row.write(
                connection,
                "update order_reacquisition set result = ? where payment_id = ?",
                reason.name(),
                payment.paymentId());
        return BookAnswer.decided(new ReacquireAnswer.Turned(reason));
    }

    private static BookAnswer<ReacquireAnswer> prior(
            Connection connection, String orderId, Payment payment, String reservationId) throws SQLException {
        return Row.find(
                        connection,
                        "select order_id, reservation_id, result from order_reacquisition where payment_id = ?",
                        row -> {
                            if (!row.getString("order_id").equals(orderId)
                                    || !row.getString("reservation_id").equals(reservationId)) {
                                return BookAnswer.<ReacquireAnswer>contradicted(
                                        "REACQUIRED_OTHERWISE",
                                        Map.of(
                                                "order_id", row.getString("order_id"),
                                                "reservation_id", row.getString("reservation_id")));
                            }
                            String result = row.getString("result");
                            return BookAnswer.<ReacquireAnswer>decided(
                                    result.equals(TAKEN)
                                            ? new ReacquireAnswer.Taken()
                                            : new ReacquireAnswer.Turned(RejectReason.valueOf(result)));
                        },
                        payment.paymentId())
                // The row was there a moment ago, and none is ever deleted.
                .orElseGet(() -> BookAnswer.contradicted("REACQUISITION_MISSING", Map.of("order_id", orderId)));
    }
}
