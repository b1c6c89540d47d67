package io.holdfast.http.route;

import io.holdfast.engine.machine.Refusal;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.http.problem.ProblemCode;
import io.holdfast.http.wire.Paths;
import io.holdfast.http.wire.ReservationView;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationRefusal;
import java.util.Map;
import java.util.Optional;

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
    public String detail(Reservation state, Refusal reason) {
        Optional<String> numbers =
                reason instanceof ReservationRefusal refusal ? numbers(state, refusal) : Optional.empty();
        return reason.explanation() + numbers.map(" "::concat).orElse("");
    }

    /** How many there are or were, as far as this reservation knows. */
    private static Optional<String> numbers(Reservation state, ReservationRefusal reason) {
        if (reason == ReservationRefusal.REFUND_EXCEEDS) {
            return state.units().map(units -> "It has " + units.remaining() + " left now.");
        }
        if (reason == ReservationRefusal.ORDER_EXCEEDS_HOLD) {
            return state.units().map(units -> "Held were " + units.held() + ".");
        }
        return reason == ReservationRefusal.SOLD_OUT && state.unmarked() instanceof Reservation.Rejected rejected
                ? Optional.of(had(rejected))
                : Optional.empty();
    }

    /** A line that would have fitted alone was counted with the others. */
    private static String had(Reservation.Rejected rejected) {
        long available = rejected.books().available();
        long together = rejected.claim()
                .group()
                .filter(_ -> rejected.claim().terms().quantity() <= available)
                .map(group -> group.lines().stream()
                        .filter(line -> line.pool().equals(rejected.claim().pool()))
                        .mapToLong(line -> line.terms().quantity())
                        .sum())
                .orElse(0L);
        return together > available
                ? "It had " + available + ", and the lines of this request that take from it ask for " + together
                        + " together."
                : "It had " + available + ".";
    }

    @Override
    public Map<String, Object> members(Reservation state, Refusal reason) {
        return reason == ReservationRefusal.ORDER_DECIDES
                ? Map.of("order_id", state.id(), "order_url", Paths.order(state.id()))
                : Map.of();
    }

    @Override
    public ProblemCode absent() {
        return ProblemCode.UNKNOWN_RESERVATION;
    }

    @Override
    public Optional<Owner> owner(Reservation state) {
        return state.asked()
                .map(claim ->
                        new Owner(claim.pool().merchant(), claim.terms().line().userId()));
    }
}
