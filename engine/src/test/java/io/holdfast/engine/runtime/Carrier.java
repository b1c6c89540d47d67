package io.holdfast.engine.runtime;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.entity.Parcel.Command;
import io.holdfast.engine.entity.Parcel.Ship;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/** The other side of the shipping: answers as it is told to, otherwise takes every parcel at once. */
final class Carrier implements EffectPerformer<Ship, Command> {

    final List<String> asked = new CopyOnWriteArrayList<>();
    private final Queue<Supplier<CompletionStage<Outcome<Command>>>> next = new ConcurrentLinkedQueue<>();

    static Outcome<Command> taken() {
        return Outcome.known(new Command.Taken("T-9"));
    }

    /** How the next attempt that has no answer yet is answered. */
    Carrier then(Supplier<CompletionStage<Outcome<Command>>> answer) {
        next.add(answer);
        return this;
    }

    Carrier thenSay(Outcome<Command> outcome) {
        return then(() -> CompletableFuture.completedFuture(outcome));
    }

    /** The next attempt is never answered, unless the test completes it. */
    CompletableFuture<Outcome<Command>> thenWait() {
        var answer = new CompletableFuture<Outcome<Command>>();
        then(() -> answer);
        return answer;
    }

    @Override
    public CompletionStage<Outcome<Command>> perform(String entityId, Ship effect) {
        asked.add(entityId + " " + effect.operationId());
        var answer = next.poll();
        return answer == null ? CompletableFuture.completedFuture(taken()) : answer.get();
    }
}
