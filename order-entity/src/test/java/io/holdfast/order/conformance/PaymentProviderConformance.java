package io.holdfast.order.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.order.domain.Money;
import io.holdfast.order.domain.Payment;
import io.holdfast.order.port.PaymentProvider;
import io.holdfast.order.port.PaymentProvider.CloseAnswer;
import io.holdfast.order.port.PaymentProvider.GiveBackAnswer;
import java.time.Instant;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** What the order service relies on of whoever takes the money, when nothing goes wrong between them. */
@DisplayNameGeneration(ReplaceUnderscores.class)
public abstract class PaymentProviderConformance {

    /** The provider, which has taken no money yet. */
    protected abstract PaymentProvider provider();

    /** A buyer pays; false if the payment is not taken. The payment's time may be another one than given. */
    protected abstract boolean pay(String orderId, Payment payment);

    private static Payment payment(String id, long minor) {
        return new Payment(id, "sandbox", "tx-" + id, new Money(minor, "EUR"), Instant.parse("2026-06-25T08:59:00Z"));
    }

    private static <T> T known(CompletionStage<Outcome<T>> stage) {
        Outcome<T> outcome;
        try {
            outcome = stage.toCompletableFuture().get(30, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError("it must answer", e);
        }
        if (outcome instanceof Outcome.Known<T>(T value)) {
            return value;
        }
        throw new AssertionError("it knows: " + outcome);
    }

    private CloseAnswer closed(String orderId) {
        return known(provider().close(orderId));
    }

    private String givenBack(String operationId, Payment payment, long minor) {
        GiveBackAnswer answer = known(provider().giveBack(operationId, payment, new Money(minor, "EUR")));
        assertThat(answer).isInstanceOf(GiveBackAnswer.GivenBack.class);
        return ((GiveBackAnswer.GivenBack) answer).reference();
    }

    @Test
    void an_order_that_nobody_paid_is_closed_and_takes_no_payment_any_more() {
        assertThat(closed("o-1")).isEqualTo(new CloseAnswer.Closed());
        assertThat(pay("o-1", payment("p-1", 100))).isFalse();

        assertThat(closed("o-1")).as("asked again").isEqualTo(new CloseAnswer.Closed());
        assertThat(pay("o-2", payment("p-2", 100))).as("of another order").isTrue();
    }

    @Test
    void an_order_that_was_paid_is_not_closed_and_the_payment_is_named_each_time() {
        Payment payment = payment("p-1", 1990);
        assertThat(pay("o-1", payment)).isTrue();

        for (int i = 0; i < 2; i++) {
            assertThat(closed("o-1")).isInstanceOfSatisfying(CloseAnswer.IsPaid.class, paid -> {
                assertThat(paid.payment().paymentId()).isEqualTo("p-1");
                assertThat(paid.payment().transaction()).isEqualTo(payment.transaction());
                assertThat(paid.payment().amount()).isEqualTo(payment.amount());
            });
        }
        assertThat(pay("o-1", payment("p-2", 1990))).as("it is open still").isTrue();
    }

    @Test
    void money_goes_back_once_for_each_operation_and_has_the_same_name_each_time() {
        Payment payment = payment("p-1", 300);
        assertThat(pay("o-1", payment)).isTrue();

        String first = givenBack("REFUND:o-1:f-1", payment, 100);
        assertThat(givenBack("REFUND:o-1:f-1", payment, 100)).isEqualTo(first);
        String second = givenBack("REFUND:o-1:f-2", payment, 200);
        assertThat(second).isNotEqualTo(first);
        assertThat(givenBack("REFUND:o-1:f-2", payment, 200)).isEqualTo(second);
    }
}
