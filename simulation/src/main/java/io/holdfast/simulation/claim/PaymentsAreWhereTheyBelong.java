package io.holdfast.simulation.claim;

import io.holdfast.order.domain.Payment;
import io.holdfast.order.model.ModelBooks;
import io.holdfast.simulation.store.Till;
import io.holdfast.testkit.simulation.invariant.Invariant;

/** At rest: every payment that was ever taken pays an order, or went back; and none did both. */
public record PaymentsAreWhereTheyBelong(ModelBooks books, Till till) implements Invariant {

    @Override
    public void check() {
        for (Payment payment : till.payments()) {
            String id = payment.paymentId();
            String onRecord = books.payment(id);
            boolean wentBack = till.gaveBack("RETURN:" + id);
            if (!(onRecord.equals("SETTLED") && !wentBack || onRecord.equals("RETURNED") && wentBack)) {
                throw new AssertionError("PaymentsAreWhereTheyBelong: " + payment + " is " + onRecord
                        + " in the books, and " + (wentBack ? "went back" : "stayed"));
            }
        }
    }
}
