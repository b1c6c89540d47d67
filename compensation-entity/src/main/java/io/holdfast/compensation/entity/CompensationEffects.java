package io.holdfast.compensation.entity;

import io.holdfast.compensation.domain.CompensationCommand;
import io.holdfast.compensation.domain.CompensationCommand.ScriptAnswer;
import io.holdfast.compensation.domain.CompensationCommand.ScriptAnswered;
import io.holdfast.compensation.domain.CompensationEffect;
import io.holdfast.compensation.domain.CompensationEffect.Apply;
import io.holdfast.compensation.domain.CompensationEffect.ReadBack;
import io.holdfast.compensation.port.Owing;
import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.runtime.EffectPerformer;
import io.holdfast.reservation.entity.Outcomes;
import java.util.concurrent.CompletionStage;

/** Performs what a compensation owes. The script is called only while the reservation owes it, so whoever stops the one stops the other. */
final class CompensationEffects implements EffectPerformer<CompensationEffect, CompensationCommand> {

    private final CompensationScripts scripts;
    private final Owing owing;

    CompensationEffects(CompensationScripts scripts, Owing owing) {
        this.scripts = scripts;
        this.owing = owing;
    }

    @Override
    public CompletionStage<Outcome<CompensationCommand>> perform(String entityId, CompensationEffect effect) {
        return switch (effect) {
            case Apply apply ->
                Outcomes.then(owing.standing(apply.content(), apply.asked()), standing -> switch (standing) {
                    case Owing.Standing.Owed() -> apply(apply);
                    case Owing.Standing.Waits(String why) -> Outcomes.done(Outcome.unavailable(why));
                    case Owing.Standing.NotOwed(String how) ->
                        Outcomes.done(Outcome.known(new ScriptAnswered(apply.asked(), new ScriptAnswer.NotOwed(how))));
                });
            case ReadBack read ->
                scripts.readBack(read.content(), read.asked()).thenApply(outcome -> outcome.map(seen -> seen));
        };
    }

    private CompletionStage<Outcome<CompensationCommand>> apply(Apply effect) {
        return scripts.apply(effect.content(), effect.asked())
                .thenApply(outcome -> Outcomes.flatMap(outcome, answer -> switch (answer) {
                    case CompensationScripts.Answer.Said(ScriptAnswer said) ->
                        Outcome.known(new ScriptAnswered(effect.asked(), said));
                    case CompensationScripts.Answer.LoadedAnew(var seen) ->
                        Outcome.unavailable("the pool was loaded anew under " + seen.epoch()
                                + ": waits until its reservation asks under that");
                }));
    }
}
