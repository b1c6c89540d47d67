package io.holdfast.http.access;

/** Why a call was not let through; as a label of a metric and in the log. What the caller is told is less. */
public enum Denial {
    /** No bearer token was sent. */
    NO_TOKEN("No token was sent."),
    /** A token that is not known here, and is no JWT either. */
    UNKNOWN_TOKEN("The token is not known here."),
    /** A role that has the permission is missing. */
    ROLE("The caller has no role that may do this."),
    /** It is of another merchant. */
    MERCHANT("The caller may not see or touch what is of this merchant or activity, or of all of them."),
    /** It is of another user. */
    USER("The caller may ask for this under its own name alone.");

    private final String told;

    Denial(String told) {
        this.told = told;
    }

    /** One sentence for the caller. */
    public String told() {
        return told;
    }

    /** As it is written. */
    public String word() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
