package io.holdfast.engine.effect;

import java.util.function.Function;

/**
 * How the outside answered. Unknown is never read as failure: it leads to the same request under the same id.
 *
 * @param <T> what is known when it is known; an expected "no" of the other side is a known outcome too
 */
public sealed interface Outcome<T> {

    /** The other side answered. */
    record Known<T>(T value) implements Outcome<T> {}

    /** It may or may not have happened: time-out, lost connection, lost reply. */
    record Unknown<T>(String why) implements Outcome<T> {}

    /** It certainly did not happen this time: nothing was sent, or the other side refused to try (loading, read-only, out of memory). */
    record Unavailable<T>(String why) implements Outcome<T> {}

    /** The same outcome of another value. */
    default <U> Outcome<U> map(Function<? super T, ? extends U> f) {
        return switch (this) {
            case Known<T>(T value) -> new Known<>(f.apply(value));
            case Unknown<T>(String why) -> new Unknown<>(why);
            case Unavailable<T>(String why) -> new Unavailable<>(why);
        };
    }

    /** It happened, or was refused, and this is the answer. */
    static <T> Outcome<T> known(T value) {
        return new Known<>(value);
    }

    /** It may have happened. */
    static <T> Outcome<T> unknown(String why) {
        return new Unknown<>(why);
    }

    /** It did not happen. */
    static <T> Outcome<T> unavailable(String why) {
        return new Unavailable<>(why);
    }
}
