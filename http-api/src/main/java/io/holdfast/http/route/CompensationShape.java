package io.holdfast.http.route;

import io.holdfast.compensation.domain.Compensation;
import io.holdfast.engine.machine.Refusal;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.http.problem.ProblemCode;
import io.holdfast.http.wire.CompensationView;
import io.holdfast.http.wire.Paths;
import java.util.Optional;

/** Compensations as seen from outside. */
final class CompensationShape implements EntityAnswers.Shape<Compensation> {

    @Override
    public String idMember() {
        return "compensation";
    }

    @Override
    public String linkMember() {
        return "compensation_url";
    }

    @Override
    public String path(String entityId) {
        return Paths.compensation(entityId);
    }

    @Override
    public CompensationView view(Reply<Compensation> reply) {
        return CompensationView.of(reply.state());
    }

    @Override
    public String status(Compensation state) {
        return state.status().name();
    }

    @Override
    public boolean recorded(Compensation state, Refusal reason) {
        return false;
    }

    @Override
    public ProblemCode absent() {
        return ProblemCode.UNKNOWN_COMPENSATION;
    }

    @Override
    public Optional<Owner> owner(Compensation state) {
        return state instanceof Compensation.Known known
                ? Optional.of(new Owner(known.content().pool().merchant(), Optional.empty()))
                : Optional.empty();
    }
}
