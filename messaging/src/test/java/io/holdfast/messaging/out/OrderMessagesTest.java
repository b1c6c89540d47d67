package io.holdfast.messaging.out;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.json.JsonWriter;
import io.holdfast.messaging.event.Announcement.OfOrder;
import io.holdfast.messaging.event.Announcement.Told;
import io.holdfast.messaging.event.Channel;
import io.holdfast.messaging.event.EventReader;
import io.holdfast.messaging.event.RawEvent;
import io.holdfast.messaging.event.Reading;
import io.holdfast.order.domain.CancelReason;
import io.holdfast.order.domain.Money;
import io.holdfast.order.domain.Order;
import io.holdfast.order.domain.OrderEvent;
import io.holdfast.order.domain.OrderRefund;
import io.holdfast.order.domain.Payment;
import io.holdfast.order.domain.RejectReason;
import io.holdfast.order.domain.Resolution;
import io.holdfast.order.domain.Review;
import io.holdfast.reservation.domain.Fact;
import io.holdfast.reservation.domain.OrderCreateRequested;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** What orders tell, and that a reservation understands it. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class OrderMessagesTest {

    private static final String ID = "8ced73660b864d5b8352084950e45ef7";
    private static final Instant NOW = Instant.parse("2026-11-29T10:00:00Z");
    private static final OrderCreateRequested REQUEST = new OrderCreateRequested(
            "m-1", ID, "q-1", "spring", "phone", "ann", 2, NOW, NOW.plus(Duration.ofMinutes(5)));
    private static final Payment PAYMENT = new Payment("pay-1", "provider", "tx-1", new Money(500, "EUR"), NOW);

    static Life<Order, OrderEvent> requested() {
        return Life.order(ID).then(new OrderEvent.OrderRequested(REQUEST, Order.Intent.CREATE));
    }

    static Life<Order, OrderEvent> created() {
        return requested().then(new OrderEvent.OrderCreated(NOW, NOW.plus(Duration.ofMinutes(15))));
    }

    static Life<Order, OrderEvent> paid() {
        return created().then(new OrderEvent.PaymentReceived(PAYMENT)).then(new OrderEvent.OrderPaid("pay-1"));
    }

    static Life<Order, OrderEvent> rejected() {
        return requested().then(new OrderEvent.OrderRejected(RejectReason.OUT_OF_FINAL_STOCK));
    }

    static Life<Order, OrderEvent> cancelled() {
        return created()
                .then(new OrderEvent.CancelStarted(CancelReason.PAY_TIMEOUT))
                .then(new OrderEvent.CancelMarked())
                .then(new OrderEvent.PaymentClosed())
                .then(new OrderEvent.OrderCancelled(NOW));
    }

    static Life<Order, OrderEvent> refunded(boolean restock) {
        var refund = new OrderRefund("back-1", 1, new Money(250, "EUR"), restock);
        return paid().then(new OrderEvent.RefundStarted(refund)).then(new OrderEvent.OrderRefunded(refund, "ref-1"));
    }

    private static final String AGAIN = "0123456789abcdef0123456789abcdef";

    static Life<Order, OrderEvent> heldAgain() {
        return cancelled()
                .then(new OrderEvent.PaymentReceived(PAYMENT))
                .then(new OrderEvent.ReacquireStarted("pay-1"))
                .then(new OrderEvent.HoldTakenAgain("pay-1", AGAIN));
    }

    static Life<Order, OrderEvent> reacquired() {
        return heldAgain().then(new OrderEvent.OrderReacquired("pay-1", AGAIN));
    }

    static Life<Order, OrderEvent> notReacquired(Optional<String> hold) {
        return heldAgain().then(new OrderEvent.ReacquireFailed("pay-1", hold, "OUT_OF_FINAL_STOCK"));
    }

    static Life<Order, OrderEvent> reviewed() {
        return paid().then(new OrderEvent.ReviewOpened(
                        new Review(Review.Trigger.FROZEN, "disputed", Map.of("incident", "INC-7"))))
                .then(new OrderEvent.ReviewLifted(new Resolution.Continue(), "clear"));
    }

    static List<OutgoingMessage> all() {
        return List.of(
                        created(),
                        rejected(),
                        cancelled(),
                        refunded(true),
                        refunded(false),
                        reacquired(),
                        notReacquired(Optional.of(AGAIN)),
                        reviewed())
                .stream()
                .flatMap(life -> life.everything().stream())
                .toList();
    }

    @Test
    void a_reservation_hears_of_its_order_only_what_the_database_has_decided() {
        assertThat(requested().messages()).isEmpty();
        assertThat(fact(created())).isEqualTo(Fact.OrderCreated.whole(ID));
        assertThat(fact(rejected())).isEqualTo(new Fact.OrderCreatedFailed(ID, "OUT_OF_FINAL_STOCK"));
        assertThat(fact(cancelled())).isEqualTo(new Fact.OrderCanceled(Optional.of(ID), "PAY_TIMEOUT"));
        assertThat(paid().messages()).isEmpty();
        assertThat(fact(refunded(true))).isEqualTo(new Fact.RefundRequested(Optional.of(ID), "back-1", 1, true));
        assertThat(fact(refunded(false))).isEqualTo(new Fact.RefundRequested(Optional.of(ID), "back-1", 1, false));
    }

    @Test
    void of_an_order_that_comes_back_or_does_not_the_hold_that_was_taken_anew_hears_and_no_other() {
        assertThat(heldAgain().messages()).isEmpty();
        assertThat(told(reacquired())).isEqualTo(new Told(AGAIN, Fact.OrderCreated.whole(ID)));
        assertThat(told(notReacquired(Optional.of(AGAIN))))
                .isEqualTo(new Told(AGAIN, new Fact.OrderCreatedFailed(ID, "OUT_OF_FINAL_STOCK")));
        assertThat(notReacquired(Optional.empty()).messages()).isEmpty();
        var refund = new OrderRefund("back-1", 1, new Money(250, "EUR"), true);
        assertThat(told(reacquired()
                        .then(new OrderEvent.RefundStarted(refund))
                        .then(new OrderEvent.OrderRefunded(refund, "ref-1"))))
                .isEqualTo(new Told(AGAIN, new Fact.RefundRequested(Optional.of(ID), "back-1", 1, true)));
    }

    @Test
    void that_a_person_must_look_is_pushed_and_is_no_news_of_the_order() {
        assertThat(reviewed().everything().stream()
                        .filter(message -> message.topic() == OutTopic.LIFECYCLE)
                        .map(message -> message.type() + " " + message.id() + " "
                                + message.data().get("reason")))
                .containsExactly(
                        "InventoryOrderReviewOpened order|" + ID + "#5 disputed",
                        "InventoryOrderReviewLifted order|" + ID + "#6 clear");
    }

    @Test
    void it_is_told_once_for_each_decision_under_the_key_of_the_order() {
        assertThat(refunded(true).everything()).hasSize(2).allSatisfy(message -> {
            assertThat(message.topic()).isEqualTo(OutTopic.ORDERS);
            assertThat(message.key()).isEqualTo(ID);
        });
        assertThat(cancelled().everything()).hasSize(2);
        assertThat(created().stalled().messages()).isEmpty();
    }

    private static Fact fact(Life<Order, OrderEvent> life) {
        Told told = told(life);
        assertThat(told.reservationId()).isEqualTo(ID);
        return told.fact();
    }

    private static Told told(Life<Order, OrderEvent> life) {
        assertThat(life.messages()).hasSize(1);
        OutgoingMessage message = life.messages().getFirst();
        var raw = new RawEvent(
                Channel.ORDERS,
                "order.lifecycle.v1",
                0,
                0,
                Map.of(
                        "ce_specversion", "1.0",
                        "ce_type", message.type(),
                        "ce_id", message.id(),
                        "ce_source", "/holdfast/test",
                        "content-type", "application/json"),
                JsonWriter.write(message.data()));
        Reading reading = new EventReader(4096, Set.of()).read(raw);
        assertThat(reading).isInstanceOf(Reading.Understood.class);
        OfOrder news = (OfOrder) ((Reading.Understood) reading).announcement();
        assertThat(news.told()).hasSize(1);
        return news.told().getFirst();
    }
}
