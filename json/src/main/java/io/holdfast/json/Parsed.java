package io.holdfast.json;

import java.util.List;
import java.util.function.Function;

/**
 * What came of reading input: a value, or every fault found.
 *
 * @param <T> what was to be read
 */
public sealed interface Parsed<T> {

    /** Read, and within every rule. */
    record Valid<T>(T value) implements Parsed<T> {}

    /** Not acceptable; at least one fault. */
    record Invalid<T>(List<InputError> errors) implements Parsed<T> {
        public Invalid {
            errors = List.copyOf(errors);
            if (errors.isEmpty()) {
                throw new IllegalArgumentException("invalid input needs a fault");
            }
        }
    }

    /** Goes on with the value, if there is one. */
    default <U> Parsed<U> then(Function<? super T, Parsed<U>> next) {
        return switch (this) {
            case Valid<T>(T value) -> next.apply(value);
            case Invalid<T>(List<InputError> errors) -> new Invalid<>(errors);
        };
    }

    /** Acceptable. */
    static <T> Parsed<T> valid(T value) {
        return new Valid<>(value);
    }

    /** Not acceptable for one reason. */
    static <T> Parsed<T> invalid(InputError error) {
        return new Invalid<>(List.of(error));
    }
}
