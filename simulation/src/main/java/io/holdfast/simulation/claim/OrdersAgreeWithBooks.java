package io.holdfast.simulation.claim;

import io.holdfast.order.domain.Order;
import io.holdfast.order.domain.OrderRefund;
import io.holdfast.order.domain.PaymentBook;
import io.holdfast.order.model.ModelBooks;
import io.holdfast.order.port.FinalStock.Numbers;
import io.holdfast.testkit.simulation.SimulatedEntities;
import io.holdfast.testkit.simulation.invariant.Invariant;
import java.util.HashMap;
import java.util.Map;

/** At rest: the journal of every order says what its row says, and what is sold of an item is the sum of its orders. */
public record OrdersAgreeWithBooks(SimulatedEntities<Order, ?, ?, ?> orders, ModelBooks books) implements Invariant {

    private record Item(String activity, String sku) {}

    @Override
    public void check() {
        Map<Item, Long> sold = new HashMap<>();
        for (String id : orders.entityIds()) {
            Order order = orders.journaled(id).state();
            require(books.status(id).equals(row(order)), order, "the row is " + books.status(id));
            require(!(order instanceof Order.UnderReview), order, "nobody has lifted its review");
            for (PaymentBook.Entry entry : order.payments().entries()) {
                String expected = entry.standing() instanceof PaymentBook.Standing.Settled ? "SETTLED" : "RETURNED";
                String onRecord = books.payment(entry.payment().paymentId());
                require(onRecord.equals(expected), order, entry + " is " + onRecord);
            }
            if (order.unmarked() instanceof Order.Asked asked) {
                sold.merge(new Item(asked.request().activity(), asked.request().sku()), units(order), Long::sum);
            }
        }
        sold.forEach((item, units) -> {
            Numbers stock = FinalStockIsKept.numbers(books, item.activity(), item.sku())
                    .orElseThrow(() -> new AssertionError(
                            "OrdersAgreeWithBooks: " + item + " is sold, and its final stock was never set out"));
            if (stock.sold() != units || stock.occupied() != 0) {
                throw new AssertionError("OrdersAgreeWithBooks: orders have bought " + units + " of " + item
                        + ", and the final stock is " + stock);
            }
        });
    }

    private static void require(boolean holds, Order order, String otherwise) {
        if (!holds) {
            throw new AssertionError("OrdersAgreeWithBooks: " + otherwise + " of " + order);
        }
    }

    /** Units that the order has bought, and has not sent back to be sold again. */
    static long units(Order order) {
        return order.unmarked() instanceof Order.Bought bought
                ? bought.request().quantity()
                        - bought.purchase().refunds().stream()
                                .filter(OrderRefund::restock)
                                .mapToLong(OrderRefund::units)
                                .sum()
                : 0;
    }

    private static String row(Order order) {
        return switch (order.unmarked()) {
            case Order.None _, Order.Rejected _ -> "NONE";
            case Order.Cancelled _ -> "CANCELLED";
            case Order.Paid _ -> "PAID";
            case Order.Refunded _ -> "REFUNDED";
            case Order.Requested _, Order.Created _, Order.Paying _, Order.CancelPending _, Order.Refunding _ ->
                "of one that has come to an end";
        };
    }
}
