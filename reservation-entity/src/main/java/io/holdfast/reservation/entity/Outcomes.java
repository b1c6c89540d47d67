package io.holdfast.reservation.entity;

import io.holdfast.engine.effect.Outcome;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Chains of questions, each asked only when the one before was answered. */
public final class Outcomes {

    private Outcomes() {}

    /** The next outcome, if this one is known. */
    public static <T, U> Outcome<U> flatMap(Outcome<T> outcome, Function<? super T, Outcome<U>> next) {
        return switch (outcome) {
            case Outcome.Known<T>(T value) -> next.apply(value);
            case Outcome.Unknown<T>(String why) -> Outcome.unknown(why);
            case Outcome.Unavailable<T>(String why) -> Outcome.unavailable(why);
        };
    }

    /** The next question, if this one was answered. */
    public static <T, U> CompletionStage<Outcome<U>> then(
            CompletionStage<Outcome<T>> stage, Function<? super T, CompletionStage<Outcome<U>>> next) {
        return stage.thenCompose(outcome -> switch (outcome) {
            case Outcome.Known<T>(T value) -> next.apply(value);
            case Outcome.Unknown<T>(String why) -> done(Outcome.unknown(why));
            case Outcome.Unavailable<T>(String why) -> done(Outcome.unavailable(why));
        });
    }

    /** An outcome that is there. */
    public static <T> CompletionStage<Outcome<T>> done(Outcome<T> outcome) {
        return CompletableFuture.completedFuture(outcome);
    }
}
