package io.holdfast.order.sql;

import io.holdfast.order.domain.OrderCommand.PaymentAnswer;
import io.holdfast.order.domain.OrderRefund;
import io.holdfast.order.domain.Payment;
import io.holdfast.order.domain.SurplusReason;
import io.holdfast.order.port.BookAnswer;
import io.holdfast.order.sql.StockMoves.Action;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a payment is, and what goes back. The order's row is locked first and stays so until the decision is committed: payment and
 * cancellation of one order come one after the other, and the second sees what the first did.
 */
final class OrderPayments {

    private OrderPayments() {}

    static BookAnswer<PaymentAnswer> record(Connection connection, String orderId, Payment payment)
            throws SQLException {
        Optional<StoredOrder> order = StoredOrder.lock(connection, orderId);
        Optional<SurplusReason> surplus =
                order.isPresent() ? surplus(order.get()) : Optional.of(withoutOrder(connection, orderId));
        if (!insert(connection, orderId, payment, surplus)) {
            return prior(connection, orderId, payment);
        }
        if (surplus.isPresent()) {
            return BookAnswer.decided(new PaymentAnswer.IsSurplus(surplus.get()));
        }
        StoredOrder paid = order.orElseThrow();
        Row.write(connection, """
            update orders set status = 'PAID', payment_id = ?, paid_at = ?, version = version + 1,
                updated_at = clock_timestamp()
            where order_id = ?
            """, payment.paymentId(), payment.paidAt(), orderId);
        return StockMoves.move(
                        connection,
                        Action.SELL,
                        paid.item(),
                        orderId,
                        "PAYMENT:" + payment.paymentId(),
                        paid.quantity())
                ? BookAnswer.decided(new PaymentAnswer.Settles())
                : paid.stockMissing();
    }

    private static Optional<SurplusReason> surplus(StoredOrder order) {
        return switch (order.status()) {
            case CREATED, CANCEL_PENDING -> Optional.empty();
            case CANCELLED -> Optional.of(SurplusReason.ORDER_CANCELLED);
            case PAID, REFUNDED -> Optional.of(SurplusReason.PAID_BEFORE);
        };
    }

    private static SurplusReason withoutOrder(Connection connection, String orderId) throws SQLException {
        return Row.find(
                        connection,
                        "select from consumer_inbox where reservation_id = ? and result <> 'CREATED' limit 1",
                        _ -> SurplusReason.ORDER_REJECTED,
                        orderId)
                .orElse(SurplusReason.NO_ORDER);
    }

    private static boolean insert(
            Connection connection, String orderId, Payment payment, Optional<SurplusReason> surplus)
            throws SQLException {
        return Row.write(
                        connection,
                        """
                        insert into payment_record (
                            payment_id, provider, provider_transaction, order_id, amount, currency, paid_at, status, surplus_reason)
                        values (?, ?, ?, ?, ?, ?, ?, ?, ?)
                        on conflict do nothing
                        """,
                        payment.paymentId(),
                        payment.provider(),
                        payment.transaction(),
                        orderId,
                        payment.amount().minor(),
                        payment.amount().currency(),
                        payment.paidAt(),
                        surplus.isPresent() ? "SURPLUS" : "SETTLED",
                        surplus.isPresent() ? surplus.get().name() : null)
                == 1;
    }

    private record StoredPayment(
            boolean same,
            String status,
            @Nullable String surplusReason,
            @Nullable String reference) {}

    private static Optional<StoredPayment> find(Connection connection, String orderId, Payment payment)
            throws SQLException {
        return Row.find(
                connection,
                "select * from payment_record where payment_id = ?",
                row -> new StoredPayment(
                        row.getString("order_id").equals(orderId)
                                && row.getString("provider").equals(payment.provider())
                                && row.getString("provider_transaction").equals(payment.transaction())
                                && row.getLong("amount") == payment.amount().minor()
                                && row.getString("currency")
                                        .equals(payment.amount().currency()),
                        row.getString("status"),
                        row.getString("surplus_reason"),
                        row.getString("return_reference")),
                payment.paymentId());
    }

    private static BookAnswer<PaymentAnswer> prior(Connection connection, String orderId, Payment payment)
            throws SQLException {
        Optional<StoredPayment> known = find(connection, orderId, payment);
        if (known.isEmpty()) {
            return BookAnswer.contradicted("TRANSACTION_TAKEN", takenBy(connection, payment));
        }
        if (!known.get().same()) {
            return BookAnswer.contradicted("PAYMENT_ID_REUSED", Map.of("payment_id", payment.paymentId()));
        }
        String reason = known.get().surplusReason();
        return BookAnswer.decided(
                reason == null
                        ? new PaymentAnswer.Settles()
                        : new PaymentAnswer.IsSurplus(SurplusReason.valueOf(reason)));
    }

    private static Map<String, String> takenBy(Connection connection, Payment payment) throws SQLException {
        return Row.find(
                        connection,
                        """
                        select payment_id, order_id from payment_record
                        where provider = ? and provider_transaction = ?
                        """,
                        row -> Map.of("payment_id", row.getString(1), "order_id", row.getString(2)),
                        payment.provider(),
                        payment.transaction())
                .orElse(Map.of());
    }

    static BookAnswer<String> recordReturn(Connection connection, String orderId, Payment payment, String reference)
            throws SQLException {
        boolean returned = Row.write(connection, """
            update payment_record set status = 'RETURNED', return_reference = ?, returned_at = now()
            where payment_id = ? and order_id = ? and status = 'SURPLUS'
            """, reference, payment.paymentId(), orderId) == 1;
        if (returned) {
            return BookAnswer.decided(reference);
        }
        Optional<StoredPayment> known = find(connection, orderId, payment);
        if (known.isEmpty() || !known.get().same()) {
            return BookAnswer.contradicted("PAYMENT_MISSING", Map.of("payment_id", payment.paymentId()));
        }
        String before = known.get().reference();
        return before == null
                ? BookAnswer.contradicted("PAYMENT_SETTLED", Map.of("payment_id", payment.paymentId()))
                : BookAnswer.decided(before);
    }

    static BookAnswer<String> recordRefund(
            Connection connection, String orderId, OrderRefund refund, Payment payment, String reference)
            throws SQLException {
        Optional<StoredOrder> found = StoredOrder.lock(connection, orderId);
        if (found.isEmpty()) {
            return StoredOrder.missing(orderId);
        }
        StoredOrder order = found.get();
        Optional<BookAnswer<String>> prior = priorRefund(connection, orderId, refund);
        if (prior.isPresent()) {
            return prior.get();
        }
        if (order.status() != StoredOrder.Status.PAID || !payment.paymentId().equals(order.paymentId())) {
            return BookAnswer.contradicted(
                    "NOT_PAID", Map.of("status", order.status().name()));
        }
        if (refund.units() > order.quantity() - order.refunded() || !takeMoney(connection, refund, payment)) {
            return BookAnswer.contradicted("REFUND_EXCEEDS", Map.of("refund_id", refund.refundId()));
        }
        write(connection, order, refund, payment, reference);
        boolean moved = !refund.restock()
                || StockMoves.move(
                        connection,
                        Action.RETURN,
                        order.item(),
                        orderId,
                        "REFUND:" + orderId + ":" + refund.refundId(),
                        refund.units());
        return moved ? BookAnswer.decided(reference) : order.stockMissing();
    }

    private static Optional<BookAnswer<String>> priorRefund(Connection connection, String orderId, OrderRefund refund)
            throws SQLException {
        return Row.find(
                connection,
                """
                select r.*, p.currency from order_refund r join payment_record p using (payment_id)
                where r.order_id = ? and r.refund_id = ?
                """,
                row -> row.getLong("quantity") == refund.units()
                                && row.getLong("amount") == refund.amount().minor()
                                && row.getString("currency")
                                        .equals(refund.amount().currency())
                                && row.getBoolean("restock") == refund.restock()
                        ? BookAnswer.decided(row.getString("reference"))
                        : BookAnswer.<String>contradicted("REFUND_ID_REUSED", Map.of("refund_id", refund.refundId())),
                orderId,
                refund.refundId());
    }

    private static boolean takeMoney(Connection connection, OrderRefund refund, Payment payment) throws SQLException {
        return Row.write(
                        connection,
                        """
                        update payment_record set refunded_amount = refunded_amount + ?
                        where payment_id = ? and status = 'SETTLED' and currency = ? and refunded_amount + ? <= amount
                        """,
                        refund.amount().minor(),
                        payment.paymentId(),
                        refund.amount().currency(),
                        refund.amount().minor())
                == 1;
    }

    private static void write(
            Connection connection, StoredOrder order, OrderRefund refund, Payment payment, String reference)
            throws SQLException {
        Row.write(
                connection,
                """
                insert into order_refund (order_id, refund_id, payment_id, quantity, amount, restock, reference)
                values (?, ?, ?, ?, ?, ?, ?)
                """,
                order.orderId(),
                refund.refundId(),
                payment.paymentId(),
                refund.units(),
                refund.amount().minor(),
                refund.restock(),
                reference);
        Row.write(connection, """
            update orders set refunded_quantity = refunded_quantity + ?, refunded_at = now(),
                status = case when refunded_quantity + ? = quantity then 'REFUNDED' else status end,
                version = version + 1, updated_at = clock_timestamp()
            where order_id = ?
            """, refund.units(), refund.units(), order.orderId());
    }
}
