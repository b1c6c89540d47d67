package io.holdfast.order.port;

import java.util.Map;

/**
 * What the books say. It is the same however often the same thing is asked.
 *
 * @param <T> what is decided
 */
public sealed interface BookAnswer<T> {

    /** It is decided, now or the first time it was asked for. */
    record Decided<T>(T value) implements BookAnswer<T> {}

    /**
     * It contradicts what is on record. Nothing was written.
     *
     * @param code in a word, upper case
     * @param evidence what was seen, by name
     */
    record Contradicted<T>(String code, Map<String, String> evidence) implements BookAnswer<T> {
        public Contradicted {
            evidence = Map.copyOf(evidence);
        }
    }

    /** Decided. */
    static <T> BookAnswer<T> decided(T value) {
        return new Decided<>(value);
    }

    /** Contradicted. */
    static <T> BookAnswer<T> contradicted(String code, Map<String, String> evidence) {
        return new Contradicted<>(code, evidence);
    }
}
