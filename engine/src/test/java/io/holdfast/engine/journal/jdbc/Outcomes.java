package io.holdfast.engine.journal.jdbc;

import io.holdfast.engine.journal.jdbc.JournalWriteFailed.Certainty;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import scala.collection.immutable.Nil$;
import scala.collection.immutable.Seq;
import scala.concurrent.Await;
import scala.concurrent.Future;
import scala.concurrent.duration.Duration;
import scala.runtime.BoxedUnit;
import scala.util.Failure;
import scala.util.Try;

/** How writes ended, in words. */
final class Outcomes {

    private Outcomes() {}

    enum Outcome {
        STORED,
        NOT_WRITTEN,
        UNKNOWN
    }

    /** Waits for it. */
    static Outcome of(Future<?> write) {
        return word(write);
    }

    /** Why it failed. */
    static JournalWriteFailed failure(Future<?> write) {
        word(write);
        return (JournalWriteFailed) ((Failure<?>) write.value().get()).exception();
    }

    static <T> T get(Future<T> future) {
        try {
            return Await.result(future, Duration.create(60, TimeUnit.SECONDS));
        } catch (TimeoutException | InterruptedException e) {
            throw new AssertionError("it has no end", e);
        }
    }

    /** What a waiter is told when all of its events are stored. */
    @SuppressWarnings("unchecked")
    static Seq<Try<BoxedUnit>> nothingRejected() {
        return (Seq<Try<BoxedUnit>>) (Seq<?>) Nil$.MODULE$;
    }

    private static Outcome word(Future<?> write) {
        try {
            Await.ready(write, Duration.create(60, TimeUnit.SECONDS));
        } catch (TimeoutException | InterruptedException e) {
            throw new AssertionError("a write must end", e);
        }
        if (write.value().get() instanceof Failure<?> failed) {
            if (failed.exception() instanceof JournalWriteFailed known) {
                return known.certainty() == Certainty.UNKNOWN ? Outcome.UNKNOWN : Outcome.NOT_WRITTEN;
            }
            throw new AssertionError("it failed with something else", failed.exception());
        }
        return Outcome.STORED;
    }
}
