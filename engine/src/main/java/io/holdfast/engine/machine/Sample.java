package io.holdfast.engine.machine;

/**
 * An example of a state or a command, for deriving what a machine does.
 *
 * @param variant what is special about it, in a word or two; empty for the plain example of its kind
 * @param value the example
 */
public record Sample<T>(String variant, T value) {

    /** The plain example of its kind. */
    public static <T> Sample<T> of(T value) {
        return new Sample<>("", value);
    }

    /** An example of a boundary or a branch within its kind. */
    public static <T> Sample<T> of(String variant, T value) {
        return new Sample<>(variant, value);
    }

    /** The kind, with the variant in parentheses where there is one. */
    String named(String kind) {
        return variant.isEmpty() ? kind : kind + " (" + variant + ")";
    }
}
