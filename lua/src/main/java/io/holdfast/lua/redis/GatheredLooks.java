package io.holdfast.lua.redis;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.lua.SoldOutReply;
import io.holdfast.lua.script.LooksReply;
import io.holdfast.lua.script.SoldOutLooks;
import io.holdfast.lua.script.SoldOutLooks.Look;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * Looks of a crowd. While some are on their way those that come wait, and go together as soon as an answer is back: one that comes alone
 * waits for nobody, and a thousand that come at once cost a few calls. A look writes nothing, so nothing ties the fate of one to another's.
 */
final class GatheredLooks {

    /** In one call: what it keeps Redis from doing for others stays below a millisecond. */
    private static final int MOST = 128;

    /** Calls on their way: while one is answered the next can be under work. */
    private static final int CALLS = 2;

    private final Function<SoldOutLooks, CompletionStage<Outcome<LooksReply>>> call;
    private final Queue<Waiting> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger free = new AtomicInteger(CALLS);

    private record Waiting(Look look, CompletableFuture<Outcome<SoldOutReply>> answer) {}

    /** @param call asks Redis; its stages never fail */
    GatheredLooks(Function<SoldOutLooks, CompletionStage<Outcome<LooksReply>>> call) {
        this.call = call;
    }

    /** Never fails. */
    CompletionStage<Outcome<SoldOutReply>> ask(Look look) {
        var answer = new CompletableFuture<Outcome<SoldOutReply>>();
        waiting.add(new Waiting(look, answer));
        send();
        return answer;
    }

    private void send() {
        while (!waiting.isEmpty() && taken()) {
            List<Waiting> together = next();
            if (together.isEmpty()) {
                // Others took them; whoever came since has seen this place taken.
                free.incrementAndGet();
                continue;
            }
            call.apply(new SoldOutLooks(together.stream().map(Waiting::look).toList()))
                    .thenAccept(outcome -> {
                        free.incrementAndGet();
                        send();
                        answer(together, outcome);
                    });
        }
    }

    private boolean taken() {
        return free.getAndUpdate(places -> places > 0 ? places - 1 : places) > 0;
    }

    private List<Waiting> next() {
        List<Waiting> next = new ArrayList<>();
        while (next.size() < MOST && waiting.poll() instanceof Waiting one) {
            next.add(one);
        }
        return next;
    }

    private static void answer(List<Waiting> together, Outcome<LooksReply> outcome) {
        for (int i = 0; i < together.size(); i++) {
            int request = i;
            together.get(i)
                    .answer()
                    .complete(
                            switch (outcome) {
                                case Outcome.Known<LooksReply>(LooksReply reply) ->
                                    reply.answers(together.size())
                                            ? Outcome.known(reply.to(request))
                                            : Outcome.unknown("an answer to another number of looks");
                                case Outcome.Unknown<LooksReply>(String why) -> Outcome.unknown(why);
                                case Outcome.Unavailable<LooksReply>(String why) -> Outcome.unavailable(why);
                            });
        }
    }
}
