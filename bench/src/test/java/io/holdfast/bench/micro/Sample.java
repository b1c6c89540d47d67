package io.holdfast.bench.micro;

import io.holdfast.engine.machine.Cause;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.EffectPolicies;
import io.holdfast.reservation.domain.Line;
import io.holdfast.reservation.domain.OrderType;
import io.holdfast.reservation.domain.PoolChoice;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.domain.ReservationMachine;
import io.holdfast.reservation.domain.Terms;
import java.time.Instant;
import java.util.Optional;

/** One reservation of everyday size. */
final class Sample {

    static final Instant NOW = Instant.parse("2030-05-17T10:15:30.123456Z");
    static final PoolId POOL = new PoolId("bench:soup:2030-05-17");
    static final Line LINE = new Line("bench", "soup", "order-1", "item-1", Optional.of("user-1"));
    static final String ID = LINE.reservationId();
    static final ReservationMachine MACHINE = new ReservationMachine(EffectPolicies.standard());
    static final Cause CAUSE = new Cause("auto-" + ID, ID + ID, Cause.Kind.REQUEST, "shop", Optional.of(ID));
    static final ReservationCommand RESERVE = new ReservationCommand.Reserve(
            new Terms(LINE, 1, new OrderType.InstantOrder()), new PoolChoice.Named(POOL), NOW.plusSeconds(900));
    static final ReservationCommand GRANTED = new ReservationCommand.AnsweredUnder(
            0,
            new ReservationCommand.HoldAnswered(
                    new ReservationCommand.HoldAnswer.Granted(new Books(1, 7, 100, 0, 93, 6, 1))));

    private Sample() {}
}
