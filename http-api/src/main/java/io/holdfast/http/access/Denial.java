package io.holdfast.http.access;

/** Why a call was not let through; as a label of a metric and in the log. What the caller is told is less. */
public enum Denial {
    /** No bearer token was sent. */
    NO_TOKEN("No token was sent."),
    /** A token that is not known here, and is no JWT either. */
    UNKNOWN_TOKEN("The token is not known here."),
    /** It has the shape of a signed token and is none. */
    MALFORMED_TOKEN("The token can't be read."),
    /** Signed in a way that is not taken here, or not at all. */
    WRONG_ALGORITHM("The token is signed in a way that is not taken here."),
    /** Signed with a key that its issuer does not show. */
    UNKNOWN_KEY("The token is signed with a key that is not known here."),
    /** The signature is not of what the token says. */
    BAD_SIGNATURE("The token's signature is wrong."),
    /** Its time is over. */
    EXPIRED_TOKEN("The token's time is over."),
    /** Issued by somebody else. */
    WRONG_ISSUER("The token was issued by somebody else."),
    /** Meant for others. */
    WRONG_AUDIENCE("The token is meant for others."),
    /** Not valid yet, or without what it must say. */
    UNFIT_CLAIMS("The token is not valid yet, or does not say what it must."),
    /** Its subject is none that can be a caller's name. */
    NO_SUBJECT("The token's subject can't be a caller's name."),
    /** It can't be checked now. */
    KEYS_AWAY("The token can't be checked now."),
    /** More requests than the caller may make. */
    RATE("The caller makes more requests than it may."),
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
