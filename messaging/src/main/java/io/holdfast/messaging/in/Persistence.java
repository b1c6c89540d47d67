package io.holdfast.messaging.in;

import io.holdfast.engine.effect.Backoff;
import io.holdfast.engine.effect.Outcome;
import io.holdfast.reservation.port.Pause;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/**
 * Asks again and again, with back-off, until there is an answer. Nothing is given up: as long as the other side is away, whoever waits
 * here holds up what is behind it, and nothing else.
 */
public final class Persistence {

    private final Backoff backoff;
    private final DoubleSupplier random;
    private final Pause pause;
    private final MessagingListener listener;
    private volatile boolean stopped;

    /** @param random draws numbers in [0, 1) for jitter */
    public Persistence(Backoff backoff, DoubleSupplier random, MessagingListener listener) {
        this(backoff, random, Pause.real(), listener);
    }

    /** With time of the caller's making. */
    public Persistence(Backoff backoff, DoubleSupplier random, Pause pause, MessagingListener listener) {
        this.backoff = backoff;
        this.random = random;
        this.pause = pause;
        this.listener = listener;
    }

    /** Another one like this, which can be stopped on its own. */
    Persistence another() {
        return new Persistence(backoff, random, pause, listener);
    }

    /** From now on whoever waits is let go, with a {@link CancellationException}. */
    public void stop() {
        stopped = true;
    }

    /** Whether an answer other than a known one has to do. */
    @FunctionalInterface
    interface Enough<T> {
        /** @param attempt its number, from 1 */
        boolean test(Outcome<T> outcome, int attempt);
    }

    /**
     * What the question comes to: a known outcome, or one that has to do.
     *
     * @param whom is asked
     */
    <T> CompletionStage<Outcome<T>> ask(
            Whom whom, Enough<T> enough, Supplier<? extends CompletionStage<Outcome<T>>> question) {
        return attempt(whom, enough, 1, question);
    }

    /**
     * The answer, however long it takes.
     *
     * @return completes exceptionally only when this is stopped
     */
    public <T> CompletionStage<T> insist(Whom whom, Supplier<? extends CompletionStage<Outcome<T>>> question) {
        return ask(whom, (_, _) -> false, question).thenApply(outcome -> switch (outcome) {
            case Outcome.Known<T>(T value) -> value;
            case Outcome.Unknown<T>(String why) -> throw new IllegalStateException(why);
            case Outcome.Unavailable<T>(String why) -> throw new IllegalStateException(why);
        });
    }

    private <T> CompletionStage<Outcome<T>> attempt(
            Whom whom, Enough<T> enough, int number, Supplier<? extends CompletionStage<Outcome<T>>> question) {
        if (stopped) {
            return CompletableFuture.failedFuture(new CancellationException("messaging stops"));
        }
        CompletionStage<Outcome<T>> answer;
        try {
            answer = question.get();
        } catch (RuntimeException e) {
            answer = CompletableFuture.failedFuture(e);
        }
        return answer.handle((outcome, failure) -> failure == null ? outcome : Outcome.<T>unknown(failure.toString()))
                .thenCompose(outcome -> {
                    String why = switch (outcome) {
                        case Outcome.Known<T> _ -> "";
                        case Outcome.Unknown<T>(String reason) -> reason;
                        case Outcome.Unavailable<T>(String reason) -> reason;
                    };
                    if (outcome instanceof Outcome.Known<T> || enough.test(outcome, number)) {
                        return CompletableFuture.completedFuture(outcome);
                    }
                    listener.retried(whom, number, why);
                    return pause.of(backoff.delayAfter(number, random.getAsDouble()))
                            .thenCompose(_ -> attempt(whom, enough, number + 1, question));
                });
    }
}
