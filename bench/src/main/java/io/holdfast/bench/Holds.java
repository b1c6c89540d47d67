package io.holdfast.bench;

import io.holdfast.bench.load.Operation;
import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.engine.runtime.Entities;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.reservation.domain.Line;
import io.holdfast.reservation.domain.OrderType;
import io.holdfast.reservation.domain.PoolChoice;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.domain.Terms;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Holds of one unit, each of an order line of its own, spread evenly over the pools; asked as the HTTP routes ask. */
final class Holds implements Operation {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final OrderType INSTANT = new OrderType.InstantOrder();

    private final Entities<Reservation, ReservationCommand> reservations;
    private final PoolChoice[] pools;
    private final String[] dishes;
    private final Instant attentionAt;

    Holds(Entities<Reservation, ReservationCommand> reservations, int pools) {
        this.reservations = reservations;
        this.pools = IntStream.range(0, pools)
                .mapToObj(i -> new PoolChoice.Named(Subject.pool(i)))
                .toArray(PoolChoice[]::new);
        this.dishes = IntStream.range(0, pools).mapToObj(Subject::dish).toArray(String[]::new);
        this.attentionAt = Instant.now().plus(Duration.ofMinutes(15));
    }

    @Override
    public void begin(long number, Ended ended) {
        int pool = (int) (number % pools.length);
        var line = new Line(Subject.MERCHANT, dishes[pool], "o" + number, "i" + number, Optional.empty());
        String id = line.reservationId();
        reservations
                .ask(
                        id,
                        cause(id),
                        new ReservationCommand.Reserve(new Terms(line, 1, INSTANT), pools[pool], attentionAt),
                        PATIENCE)
                .whenComplete((outcome, failure) -> tell(outcome, failure, Reservation.Status.RESERVED, ended));
    }

    /** As long as what a request over HTTP leaves in the journal; made of the id, since nobody looks for more in it here. */
    static Cause cause(String id) {
        return new Cause("auto-" + id, id + id, Cause.Kind.REQUEST, "bench", Optional.of(id));
    }

    static void tell(
            @Nullable Outcome<Reply<Reservation>> outcome,
            @Nullable Throwable failure,
            Reservation.Status wanted,
            Ended ended) {
        switch (outcome) {
            case Outcome.Known<Reply<Reservation>>(Reply<Reservation> reply) -> {
                if (reply.verdict() instanceof Verdict.Done && reply.state().status() == wanted) {
                    ended.asWished();
                } else {
                    ended.otherwise(reply.verdict() + " in " + reply.state().status());
                }
            }
            case Outcome.Unknown<Reply<Reservation>>(String why) -> ended.otherwise("unknown: " + why);
            case Outcome.Unavailable<Reply<Reservation>>(String why) -> ended.otherwise("unavailable: " + why);
            case null -> ended.otherwise("failed: " + failure);
        }
    }
}
