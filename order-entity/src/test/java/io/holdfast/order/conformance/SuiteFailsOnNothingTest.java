package io.holdfast.order.conformance;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.order.domain.Money;
import io.holdfast.order.domain.OrderCommand.CancelAnswer;
import io.holdfast.order.domain.OrderCommand.CreationAnswer;
import io.holdfast.order.domain.OrderCommand.PaymentAnswer;
import io.holdfast.order.domain.OrderCommand.ReacquireAnswer;
import io.holdfast.order.domain.OrderRefund;
import io.holdfast.order.domain.Payment;
import io.holdfast.order.port.BookAnswer;
import io.holdfast.order.port.FinalStock;
import io.holdfast.order.port.FinalStock.Numbers;
import io.holdfast.order.port.OrderBooks;
import io.holdfast.order.port.PaymentProvider;
import io.holdfast.reservation.domain.OrderCreateRequested;
import io.holdfast.testkit.suite.SuiteFailsOnNothing;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SuiteFailsOnNothingTest {

    @Test
    void books_that_decide_nothing_pass_no_test() {
        SuiteFailsOnNothing.check(NothingDecided.class);
    }

    @Test
    void a_provider_that_says_that_all_is_well_and_does_nothing_passes_no_test() {
        SuiteFailsOnNothing.check(NothingTaken.class);
    }

    static class NothingTaken extends PaymentProviderConformance implements PaymentProvider {

        private int answers;

        @Override
        protected PaymentProvider provider() {
            return this;
        }

        @Override
        protected boolean pay(String orderId, Payment payment) {
            return true;
        }

        @Override
        public CompletionStage<Outcome<CloseAnswer>> close(String orderId) {
            return CompletableFuture.completedFuture(Outcome.known(new CloseAnswer.Closed()));
        }

        @Override
        public CompletionStage<Outcome<GiveBackAnswer>> giveBack(String operationId, Payment payment, Money amount) {
            answers++;
            return CompletableFuture.completedFuture(
                    Outcome.known(new GiveBackAnswer.GivenBack("reference-" + answers)));
        }
    }

    static class NothingDecided extends OrderBooksConformance implements OrderBooks, FinalStock {

        private static <T> CompletionStage<Outcome<BookAnswer<T>>> nothing() {
            return CompletableFuture.completedFuture(Outcome.known(BookAnswer.contradicted("NOTHING", Map.of())));
        }

        @Override
        protected OrderBooks books() {
            return this;
        }

        @Override
        protected FinalStock stock() {
            return this;
        }

        @Override
        protected String status(String orderId) {
            return "NONE";
        }

        @Override
        protected String payment(String paymentId) {
            return "NONE";
        }

        @Override
        protected List<Numbers> changes(String activity, String sku) {
            return List.of();
        }

        @Override
        public CompletionStage<Outcome<BookAnswer<CreationAnswer>>> create(
                OrderCreateRequested request, Duration payWithin) {
            return nothing();
        }

        @Override
        public CompletionStage<Outcome<BookAnswer<CreationAnswer>>> rejectOverdue(OrderCreateRequested request) {
            return nothing();
        }

        @Override
        public CompletionStage<Outcome<BookAnswer<PaymentAnswer>>> recordPayment(String orderId, Payment payment) {
            return nothing();
        }

        @Override
        public CompletionStage<Outcome<BookAnswer<ReacquireAnswer>>> reacquire(
                String orderId, Payment payment, String reservationId) {
            return nothing();
        }

        @Override
        public CompletionStage<Outcome<BookAnswer<String>>> recordReturn(
                String orderId, Payment payment, String reference) {
            return nothing();
        }

        @Override
        public CompletionStage<Outcome<BookAnswer<Optional<String>>>> markCancelPending(String orderId) {
            return nothing();
        }

        @Override
        public CompletionStage<Outcome<BookAnswer<CancelAnswer>>> cancel(String orderId) {
            return nothing();
        }

        @Override
        public CompletionStage<Outcome<BookAnswer<String>>> recordRefund(
                String orderId, OrderRefund refund, Payment payment, String reference) {
            return nothing();
        }

        @Override
        public CompletionStage<Outcome<TotalAnswer>> setTotal(
                String activity, String sku, String operationId, long total) {
            return CompletableFuture.completedFuture(Outcome.known(new TotalAnswer.Done(new Numbers(0, 0, 0, 0, 0))));
        }

        @Override
        public CompletionStage<Outcome<Optional<Numbers>>> find(String activity, String sku) {
            return CompletableFuture.completedFuture(Outcome.known(Optional.empty()));
        }
    }
}
