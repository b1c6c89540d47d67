package io.holdfast.http.route;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.lua.GuardRefusal;
import io.holdfast.lua.LookReply;
import io.holdfast.lua.LookRequest;
import io.holdfast.lua.StockScripts;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.entity.ScriptAnswers;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** Reads them with the script that looks and changes nothing. */
public final class ScriptPoolNumbers implements PoolNumbers {

    /** An id no reservation has: the pool alone is wanted. */
    private static final String NO_RESERVATION = "-";

    private final StockScripts scripts;
    private final Duration longest;

    /** @param longest how long Redis may take before the numbers count as not told */
    public ScriptPoolNumbers(StockScripts scripts, Duration longest) {
        this.scripts = scripts;
        this.longest = longest;
    }

    @Override
    public CompletionStage<Answer> now(PoolId pool) {
        return scripts.look(new LookRequest(pool.value(), NO_RESERVATION))
                .toCompletableFuture()
                .copy()
                .thenApply(ScriptPoolNumbers::answer)
                .completeOnTimeout(new Silent(), longest.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static Answer answer(Outcome<LookReply> outcome) {
        return switch (outcome) {
            case Outcome.Known<LookReply>(LookReply reply) ->
                switch (reply) {
                    case LookReply.Seen seen ->
                        new Seen(seen.status().name(), seen.trusted(), ScriptAnswers.books(seen.books()));
                    case GuardRefusal.PoolMissing _ -> new NotThere();
                    case GuardRefusal.BrokenBooks(String what) -> new Unreadable(what);
                    case GuardRefusal.Malformed _ -> new Silent();
                };
            case Outcome.Unknown<LookReply> _, Outcome.Unavailable<LookReply> _ -> new Silent();
        };
    }
}
