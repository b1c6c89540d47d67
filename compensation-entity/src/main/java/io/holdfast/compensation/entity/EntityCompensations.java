package io.holdfast.compensation.entity;

import io.holdfast.compensation.domain.Compensation;
import io.holdfast.compensation.domain.CompensationCommand;
import io.holdfast.compensation.domain.CompensationCommand.Compensate;
import io.holdfast.compensation.domain.CompensationRefusal;
import io.holdfast.compensation.domain.Evidence;
import io.holdfast.compensation.domain.Statement;
import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.machine.Refusal;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.engine.runtime.Entities;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.reservation.domain.ReservationEffect.AwaitCompensation;
import io.holdfast.reservation.domain.ReservationEffect.RefundHold;
import io.holdfast.reservation.domain.ReservationEffect.ReleaseHold;
import io.holdfast.reservation.entity.Outcomes;
import io.holdfast.reservation.entity.WithEpoch;
import io.holdfast.reservation.port.CompensationAnswer;
import io.holdfast.reservation.port.CompensationAnswer.Contradicted;
import io.holdfast.reservation.port.CompensationAnswer.Decided;
import io.holdfast.reservation.port.CompensationAnswer.LoadedAnew;
import io.holdfast.reservation.port.Compensations;
import io.holdfast.reservation.port.PoolDirectory;
import io.holdfast.reservation.port.PoolStanding;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Asks the compensation's entity, which has a journal of its own: under the same key with the same content until it is verified, or a person
 * has said how it goes on.
 */
public final class EntityCompensations implements Compensations {

    private final Entities<Compensation, CompensationCommand> compensations;
    private final PoolDirectory pools;
    private final Duration patience;

    /**
     * @param pools where pools stand
     * @param patience how long an answer is waited for before it is asked for again
     */
    public EntityCompensations(
            Entities<Compensation, CompensationCommand> compensations, PoolDirectory pools, Duration patience) {
        this.compensations = compensations;
        this.pools = pools;
        this.patience = patience;
    }

    @Override
    public CompletionStage<Outcome<CompensationAnswer>> release(ReleaseHold effect) {
        return ask(Asking.of(effect));
    }

    @Override
    public CompletionStage<Outcome<CompensationAnswer>> refund(RefundHold effect) {
        return ask(Asking.of(effect));
    }

    @Override
    public CompletionStage<Outcome<CompensationAnswer>> await(AwaitCompensation effect) {
        return switch (effect.owed()) {
            case ReleaseHold release -> release(release);
            case RefundHold refund -> refund(refund);
        };
    }

    private CompletionStage<Outcome<CompensationAnswer>> ask(Asking asking) {
        return WithEpoch.ask(
                pools,
                asking.content().pool(),
                asking.asked().epoch(),
                _ -> entity(asking),
                LoadedAnew::new,
                _ -> entity(asking));
    }

    private CompletionStage<Outcome<CompensationAnswer>> entity(Asking asking) {
        // Not remembered as a cause: where it was asked from is what counts, and that comes again.
        var cause = new Cause("compensate", "", Cause.Kind.TIMER, "reservation", Optional.empty());
        return compensations
                .ask(asking.content().key(), cause, new Compensate(asking.content(), asking.asked()), patience)
                .thenCompose(outcome -> Outcomes.then(Outcomes.done(outcome), reply -> answer(asking, reply)));
    }

    private CompletionStage<Outcome<CompensationAnswer>> answer(Asking asking, Reply<Compensation> reply) {
        return switch (reply.verdict()) {
            case Verdict.Done() -> Outcomes.done(answer(reply.state()));
            case Verdict.Pending() -> working(asking);
            case Verdict.Refused(Refusal reason) ->
                Outcomes.done(
                        reason == CompensationRefusal.OTHER_CONTENT
                                ? Outcome.known(new Contradicted(
                                        reason.code(),
                                        Map.of("asked", asking.content().toString())))
                                : Outcome.unavailable(reason.code() + ": " + reason.explanation()));
        };
    }

    /** Nothing more is done to a pool that does not serve; of one that serves it may have been done already. */
    private CompletionStage<Outcome<CompensationAnswer>> working(Asking asking) {
        return pools.standing(asking.content().pool())
                .thenApply(outcome -> Outcomes.flatMap(
                        outcome,
                        standing -> standing instanceof PoolStanding.Serving
                                ? Outcome.unknown("WORKING: the compensation is under way")
                                : Outcome.unavailable("WORKING: the compensation waits for its pool")));
    }

    private static Outcome<CompensationAnswer> answer(Compensation state) {
        return switch (state) {
            case Compensation.Verified verified -> Outcome.known(DirectCompensations.answer(verified.result()));
            case Compensation.Manual manual -> Outcome.known(waits(manual));
            case Compensation.Resolved(var _, var _, var ending, Statement by, var _) ->
                Outcome.known(new Decided(
                        ending,
                        by.reason()
                                + by.incident()
                                        .map(number -> " (" + number + ")")
                                        .orElse("")));
            case Compensation.Pending _, Compensation.Applying _, Compensation.Applied _, Compensation.Withdrawn _ ->
                Outcome.unknown("WORKING: " + state.status());
        };
    }

    private static CompensationAnswer waits(Compensation.Manual manual) {
        Evidence evidence = manual.evidence();
        Map<String, String> details = new LinkedHashMap<>(evidence.details());
        details.put("compensation", manual.id());
        return new Contradicted(
                switch (evidence.trigger()) {
                    case CONTRADICTION -> evidence.answer();
                    case FROZEN -> "FROZEN";
                },
                details);
    }
}
