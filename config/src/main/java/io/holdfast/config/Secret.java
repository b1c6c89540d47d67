package io.holdfast.config;

/** A value that must not reach a log, an error message, or a page. Only {@link #reveal()} shows it. */
public record Secret(String reveal) {

    /** No secret at all. */
    public boolean isEmpty() {
        return reveal.isEmpty();
    }

    @Override
    public String toString() {
        return isEmpty() ? "" : "***";
    }
}
