package io.holdfast.bench;

import io.holdfast.bench.load.Operation;
import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.node.Node;
import io.holdfast.reservation.domain.Fact;
import io.holdfast.reservation.domain.Line;
import io.holdfast.reservation.domain.OrderType;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.domain.Terms;
import io.holdfast.reservation.entity.HoldDesk;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Asks a node inside this JVM what the HTTP routes ask it, each hold of one unit for an order line of its own. */
public final class Asks {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final OrderType INSTANT = new OrderType.InstantOrder();
    private static final Duration ATTENTION_AFTER = Duration.ofMinutes(15);

    private final Node node;
    private final PoolSet pools;

    /** Asks this node for units of these pools. */
    public Asks(Node node, PoolSet pools) {
        this.node = node;
        this.pools = pools;
    }

    /** A hold that is granted. */
    public Operation holds() {
        return (number, ended) -> {
            Line line = pools.line(number);
            hold(number, line, (answer, failure) -> ended(granted(answer, failure), ended));
        };
    }

    /** A hold that is granted, then confirmed by its order. */
    public Operation confirmedHolds() {
        return (number, ended) -> {
            Line line = pools.line(number);
            hold(number, line, (answer, failure) -> {
                String off = granted(answer, failure);
                if (off.isEmpty()) {
                    confirm(line, ended);
                } else {
                    ended.otherwise(off);
                }
            });
        };
    }

    /** A hold for which there is no stock; turned away, or refused by its reservation. */
    public Operation soldOutHolds() {
        return (number, ended) -> {
            Line line = pools.line(number);
            hold(number, line, (answer, failure) -> ended(soldOut(answer, failure), ended));
        };
    }

    private interface Then {
        void then(HoldDesk.@Nullable Answer answer, @Nullable Throwable failure);
    }

    private void hold(long number, Line line, Then then) {
        var request = new ReservationCommand.Reserve(
                new Terms(line, 1, INSTANT), pools.pool(number), Instant.now().plus(ATTENTION_AFTER));
        String id = line.reservationId();
        var _ = node.desk().hold(request, cause("auto-" + id, id), PATIENCE).whenComplete(then::then);
    }

    private void confirm(Line line, Operation.Ended ended) {
        String id = line.reservationId();
        var _ = node.reservations()
                .ask(id, cause("auto-confirm-" + id, id), Fact.OrderCreated.whole(line.orderId()), PATIENCE)
                .whenComplete((outcome, failure) -> ended(
                        outcome == null ? "failed: " + failure : reached(outcome, Reservation.Status.CONFIRMED),
                        ended));
    }

    /** As long as what a request over HTTP leaves in the journal; made of the id, since nobody looks for more in it here. */
    private static Cause cause(String causeId, String id) {
        return new Cause(causeId, id + id, Cause.Kind.REQUEST, "bench", Optional.of(id));
    }

    private static void ended(String off, Operation.Ended ended) {
        if (off.isEmpty()) {
            ended.asWished();
        } else {
            ended.otherwise(off);
        }
    }

    /** What is off about it; empty when nothing is. */
    private static String granted(HoldDesk.@Nullable Answer answer, @Nullable Throwable failure) {
        return switch (answer) {
            case HoldDesk.Answer.Asked(Outcome<Reply<Reservation>> outcome) ->
                reached(outcome, Reservation.Status.RESERVED);
            case HoldDesk.Answer.TurnedAway(HoldDesk.Reason reason) -> "turned away: " + reason;
            case null -> "failed: " + failure;
        };
    }

    private static String soldOut(HoldDesk.@Nullable Answer answer, @Nullable Throwable failure) {
        return switch (answer) {
            case HoldDesk.Answer.TurnedAway(HoldDesk.Reason reason) ->
                reason == HoldDesk.Reason.SOLD_OUT ? "" : "turned away: " + reason;
            case HoldDesk.Answer.Asked(Outcome<Reply<Reservation>> outcome)
            when outcome instanceof Outcome.Known<Reply<Reservation>>(Reply<Reservation> reply)
                    && reply.state().status() == Reservation.Status.REJECTED -> "";
            case HoldDesk.Answer.Asked(Outcome<Reply<Reservation>> outcome) ->
                reached(outcome, Reservation.Status.REJECTED);
            case null -> "failed: " + failure;
        };
    }

    private static String reached(Outcome<Reply<Reservation>> outcome, Reservation.Status wanted) {
        return switch (outcome) {
            case Outcome.Known<Reply<Reservation>>(Reply<Reservation> reply) ->
                reply.verdict() instanceof Verdict.Done && reply.state().status() == wanted
                        ? ""
                        : reply.verdict() + " in " + reply.state().status();
            case Outcome.Unknown<Reply<Reservation>>(String why) -> "unknown: " + why;
            case Outcome.Unavailable<Reply<Reservation>>(String why) -> "unavailable: " + why;
        };
    }
}
