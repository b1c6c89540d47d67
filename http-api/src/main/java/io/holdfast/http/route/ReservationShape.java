package io.holdfast.http.route;

import io.holdfast.engine.machine.Refusal;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.http.problem.ProblemCode;
import io.holdfast.http.wire.Paths;
import io.holdfast.http.wire.ReservationView;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationRefusal;

/** Reservations as seen from outside. */
final class ReservationShape implements EntityAnswers.Shape<Reservation> {

    @Override
    public String idMember() {
        return "reservation_id";
    }

    @Override
    public String linkMember() {
        return "reservation_url";
    }

    @Override
    public String path(String entityId) {
        return Paths.reservation(entityId);
    }

    @Override
    public ReservationView view(Reply<Reservation> reply) {
        return ReservationView.of(reply);
    }

    @Override
    public String status(Reservation state) {
        return state.status().name();
    }

    @Override
    public boolean recorded(Reservation state, Refusal reason) {
        return state.unmarked() instanceof Reservation.Rejected rejected
                && ReservationRefusal.of(rejected.reason()) == reason;
    }

    @Override
    public ProblemCode absent() {
        return ProblemCode.UNKNOWN_RESERVATION;
    }
}
