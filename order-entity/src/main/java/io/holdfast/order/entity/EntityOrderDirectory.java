package io.holdfast.order.entity;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.machine.Refusal;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.engine.runtime.Entities;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.order.domain.Order;
import io.holdfast.order.domain.OrderCommand;
import io.holdfast.order.domain.OrderFact;
import io.holdfast.order.domain.OrderRefusal;
import io.holdfast.order.port.RequestBacklog;
import io.holdfast.reservation.domain.Admission;
import io.holdfast.reservation.domain.Claim;
import io.holdfast.reservation.domain.OrderAnswer;
import io.holdfast.reservation.domain.OrderCreateRequested;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationEffect.AskOrder;
import io.holdfast.reservation.port.OrderDirectory;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * The built-in order service, asked by a hold of whose order nothing is heard. The order of an admitted hold is told that its business
 * deadline has passed, so that it is decided even if the request for it never came; the order tells what was decided as it always does.
 * Holds that no gate let in are the other directory's.
 *
 * <p>While the request may be waiting in its topic nothing is told: the question is put off, and asked again.
 */
public final class EntityOrderDirectory implements OrderDirectory {

    private final Function<String, CompletionStage<Outcome<Reply<Reservation>>>> reservations;
    private final Entities<Order, OrderCommand> orders;
    private final RequestBacklog backlog;
    private final OrderDirectory others;

    /**
     * @param reservations looks at one
     * @param others asked about holds that no gate let in
     */
    public EntityOrderDirectory(
            Function<String, CompletionStage<Outcome<Reply<Reservation>>>> reservations,
            Entities<Order, OrderCommand> orders,
            RequestBacklog backlog,
            OrderDirectory others) {
        this.reservations = reservations;
        this.orders = orders;
        this.backlog = backlog;
        this.others = others;
    }

    @Override
    public CompletionStage<Outcome<OrderAnswer>> publishAgain(AskOrder question) {
        return reservations.apply(question.reservationId()).thenCompose(outcome -> switch (outcome) {
            case Outcome.Known<Reply<Reservation>>(Reply<Reservation> reply) ->
                request(reply.state())
                        .map(request -> expire(question, request))
                        .orElseGet(() -> others.publishAgain(question));
            case Outcome.Unknown<Reply<Reservation>>(String why) -> done(Outcome.unavailable(why));
            case Outcome.Unavailable<Reply<Reservation>>(String why) -> done(Outcome.unavailable(why));
        });
    }

    private static Optional<OrderCreateRequested> request(Reservation state) {
        return state.asked().flatMap(Claim::admission).map(Admission::order);
    }

    private CompletionStage<Outcome<OrderAnswer>> expire(AskOrder question, OrderCreateRequested request) {
        Optional<String> waiting = backlog.mayHold(request.businessDeadline());
        if (waiting.isPresent()) {
            return done(Outcome.unavailable(waiting.get()));
        }
        var cause = new Cause(question.operationId(), "", Cause.Kind.REQUEST, "reservation", Optional.empty());
        return orders.ask(request.reservationId(), cause, new OrderFact.Expire(request), Duration.ZERO)
                .thenApply(outcome -> switch (outcome) {
                    case Outcome.Known<Reply<Order>>(Reply<Order> reply) -> answer(reply.verdict());
                    case Outcome.Unknown<Reply<Order>>(String why) -> Outcome.unknown(why);
                    case Outcome.Unavailable<Reply<Order>>(String why) -> Outcome.unavailable(why);
                });
    }

    private static Outcome<OrderAnswer> answer(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Done _, Verdict.Pending _ -> Outcome.known(OrderAnswer.PUBLISHES);
            case Verdict.Refused(Refusal reason) -> {
                if (reason == OrderRefusal.ALREADY_CREATED) {
                    yield Outcome.known(OrderAnswer.PUBLISHES);
                }
                yield reason.retryable()
                        ? Outcome.unavailable(reason.code() + ": " + reason.explanation())
                        : Outcome.known(OrderAnswer.REFUSED);
            }
        };
    }

    private static <T> CompletionStage<Outcome<T>> done(Outcome<T> outcome) {
        return CompletableFuture.completedFuture(outcome);
    }
}
