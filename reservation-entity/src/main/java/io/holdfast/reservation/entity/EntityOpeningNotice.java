package io.holdfast.reservation.entity;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.engine.runtime.Entities;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.domain.StockPoolCommand;
import io.holdfast.reservation.domain.StockPoolCommand.BeginOpening;
import io.holdfast.reservation.port.OpeningNotice;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Tells the pool's entity. */
public record EntityOpeningNotice(Entities<StockPool, StockPoolCommand> pools) implements OpeningNotice {

    @Override
    public CompletionStage<Outcome<Boolean>> tell(PoolId pool, long number, String attempt) {
        // Not remembered as a cause: every attempt is told, also one whose answer was lost.
        var cause = new Cause("opening-" + attempt, "", Cause.Kind.TIMER, "pool-opening", Optional.empty());
        return pools.ask(pool.value(), cause, new BeginOpening(number, attempt), Duration.ZERO)
                .thenApply(outcome -> Outcomes.flatMap(outcome, EntityOpeningNotice::journaled));
    }

    private static Outcome<Boolean> journaled(Reply<StockPool> reply) {
        return reply.verdict() instanceof Verdict.Done
                ? Outcome.known(true)
                : Outcome.unavailable("the pool does not owe this opening: " + reply.verdict());
    }
}
