package io.holdfast.http.route;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.http.problem.Problem;
import io.holdfast.http.problem.ProblemCode;
import io.holdfast.http.route.EntityAnswers.Success;
import io.holdfast.http.wire.Paths;
import io.holdfast.http.wire.ReserveRequest;
import io.holdfast.reservation.domain.OrderType;
import io.holdfast.reservation.domain.PoolChoice;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.entity.HoldDesk;
import java.time.Instant;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.http.javadsl.model.HttpResponse;

/** Asks for holds, one by one: the same question and the same answer whether a hold is asked for alone or as a line of an order. */
final class HoldRequests {

    private final EntityAnswers<Reservation, ReservationCommand> reservations;
    private final HttpParts parts;
    private final HttpSettings.Patience patience;

    HoldRequests(
            EntityAnswers<Reservation, ReservationCommand> reservations,
            HttpParts parts,
            HttpSettings.Patience patience) {
        this.reservations = reservations;
        this.parts = parts;
        this.patience = patience;
    }

    /** An instant order is for the merchant's business day now, a scheduled one for that of its processing time. */
    PoolChoice pool(ReserveRequest wish) {
        if (wish.pool().isPresent()) {
            return new PoolChoice.Named(wish.pool().get());
        }
        String merchant = wish.terms().line().merchant();
        Instant moment = switch (wish.terms().orderType()) {
            case OrderType.InstantOrder() -> parts.clock().instant();
            case OrderType.ScheduledOrder(Instant processingTime) -> processingTime;
        };
        return new PoolChoice.Derived(
                PoolId.ofDay(merchant, wish.terms().line().dish(), parts.days().at(merchant, moment)));
    }

    /** Asks, waits as long as the caller does, and answers. */
    CompletionStage<HttpResponse> ask(Exchange exchange, ReserveRequest wish) {
        String id = wish.terms().line().reservationId();
        PoolChoice pool = pool(wish);
        var request = new ReservationCommand.Reserve(
                wish.terms(), pool, parts.clock().instant().plus(parts.attentionAfter()));
        return reservations
                .bounded(
                        parts.desk().hold(request, exchange.cause(id, wish.content()), exchange.patience()),
                        exchange.patience(),
                        HoldDesk.Answer.Asked::new)
                .thenApply(answer -> switch (answer) {
                    case HoldDesk.Answer.Asked(Outcome<Reply<Reservation>> outcome) ->
                        reservations.answered(exchange, id, outcome, Success.CREATED);
                    case HoldDesk.Answer.TurnedAway(HoldDesk.Reason reason) ->
                        turnedAway(exchange, pool.pool(), reason);
                });
    }

    /** The answer where nothing was recorded because of this pool. */
    HttpResponse turnedAway(Exchange exchange, PoolId pool, HoldDesk.Reason reason) {
        return switch (reason) {
            case POOL_UNKNOWN ->
                turnedAway(exchange, pool, ProblemCode.POOL_UNKNOWN, "No pool of this id was initialised.");
            case POOL_NOT_READY -> turnedAway(exchange, pool, ProblemCode.POOL_NOT_READY, "The pool is being created.");
            case POOL_ARCHIVED ->
                turnedAway(exchange, pool, ProblemCode.POOL_ARCHIVED, "The pool is archived; nothing was recorded.");
            case POOL_SUSPECT ->
                turnedAway(
                        exchange,
                        pool,
                        ProblemCode.POOL_SUSPECT,
                        "Redis can't be trusted for this pool now; nothing was recorded.");
            case POOL_REBUILDING ->
                turnedAway(
                        exchange,
                        pool,
                        ProblemCode.POOL_REBUILDING,
                        "Redis is loaded anew for this pool, or was just; nothing was recorded.");
            case SOLD_OUT ->
                turnedAway(
                        exchange,
                        pool,
                        ProblemCode.SOLD_OUT,
                        "The pool has fewer units available now than were asked for; nothing was recorded.");
            case PART_OF_SALE ->
                Answers.problem(problem(
                                exchange,
                                pool,
                                ProblemCode.PART_OF_SALE,
                                "Units of this sale are asked for at its gate; nothing was recorded.")
                        .with("sale_pool", pool.merchant() + ":" + pool.dish())
                        .with("sale_url", Paths.gate(pool.merchant(), pool.dish())));
            case POOLS_APART ->
                turnedAway(
                        exchange,
                        pool,
                        ProblemCode.POOLS_APART,
                        "The pools of these lines share no hash tag; nothing was recorded.");
        };
    }

    private static Problem problem(Exchange exchange, PoolId id, ProblemCode code, String detail) {
        String pool = id.value();
        return Problem.of(code, detail, exchange.path())
                .with("pool", pool)
                .with("pool_url", Paths.pool(pool))
                .with("recorded", false);
    }

    private HttpResponse turnedAway(Exchange exchange, PoolId id, ProblemCode code, String detail) {
        Problem problem = problem(exchange, id, code, detail);
        return code.status() == 503 ? Answers.problem(problem, patience.retryAfter()) : Answers.problem(problem);
    }
}
