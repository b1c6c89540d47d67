package io.holdfast.compensation.entity;

import io.holdfast.compensation.domain.CompensationCommand.ScriptAnswer;
import io.holdfast.compensation.domain.Result;
import io.holdfast.engine.effect.Outcome;
import io.holdfast.reservation.domain.ReservationEffect.AwaitCompensation;
import io.holdfast.reservation.domain.ReservationEffect.RefundHold;
import io.holdfast.reservation.domain.ReservationEffect.ReleaseHold;
import io.holdfast.reservation.port.CompensationAnswer;
import io.holdfast.reservation.port.CompensationAnswer.Contradicted;
import io.holdfast.reservation.port.CompensationAnswer.LoadedAnew;
import io.holdfast.reservation.port.CompensationAnswer.Refunded;
import io.holdfast.reservation.port.CompensationAnswer.Released;
import io.holdfast.reservation.port.CompensationAnswer.TooLate;
import io.holdfast.reservation.port.Compensations;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * The short path: gives stock back by running the script at once. The reservation's own journal has fixed what is asked for, under which key
 * and from where, before anything is asked, and records the answer. Only what contradicts it gets a journal of its own.
 */
public final class DirectCompensations implements Compensations {

    private final CompensationScripts scripts;
    private final Compensations contradictions;

    /**
     * @param scripts what is asked of Redis
     * @param contradictions who is asked where the script contradicts the journal, and for as long as a person is waited for
     */
    public DirectCompensations(CompensationScripts scripts, Compensations contradictions) {
        this.scripts = scripts;
        this.contradictions = contradictions;
    }

    @Override
    public CompletionStage<Outcome<CompensationAnswer>> release(ReleaseHold effect) {
        return unlessContradicted(ask(Asking.of(effect)), () -> contradictions.release(effect));
    }

    @Override
    public CompletionStage<Outcome<CompensationAnswer>> refund(RefundHold effect) {
        return unlessContradicted(ask(Asking.of(effect)), () -> contradictions.refund(effect));
    }

    @Override
    public CompletionStage<Outcome<CompensationAnswer>> await(AwaitCompensation effect) {
        return contradictions.await(effect);
    }

    private static CompletionStage<Outcome<CompensationAnswer>> unlessContradicted(
            CompletionStage<Outcome<CompensationAnswer>> asked,
            Supplier<CompletionStage<Outcome<CompensationAnswer>>> otherwise) {
        return asked.thenCompose(outcome ->
                outcome instanceof Outcome.Known<CompensationAnswer>(Contradicted _) ? otherwise.get() : asked);
    }

    private CompletionStage<Outcome<CompensationAnswer>> ask(Asking asking) {
        return scripts.apply(asking.content(), asking.asked())
                .thenApply(outcome -> outcome.map(answer -> switch (answer) {
                    case CompensationScripts.Answer.Said(ScriptAnswer said) -> answer(said);
                    case CompensationScripts.Answer.LoadedAnew(var seen) -> new LoadedAnew(seen);
                }));
    }

    private static CompensationAnswer answer(ScriptAnswer said) {
        return switch (said) {
            case ScriptAnswer.Done(Result result) -> answer(result);
            case ScriptAnswer.Contradicts(String code, Map<String, String> details) -> new Contradicted(code, details);
            case ScriptAnswer.NotOwed(String standing) ->
                throw new IllegalStateException("a script knows nothing of reservations: " + standing);
        };
    }

    /** What it came to, as the reservation hears it. */
    static CompensationAnswer answer(Result result) {
        return switch (result) {
            case Result.Released(long units, var books) -> new Released(units, books);
            case Result.Refunded(var books) -> new Refunded(books);
            case Result.TooLate() -> new TooLate();
        };
    }
}
