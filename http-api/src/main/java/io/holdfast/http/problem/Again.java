package io.holdfast.http.problem;

/** Whether the same request is worth being sent again. */
public enum Again {
    /** It is, and safe. */
    YES("Yes: the same request, under the same `Idempotency-Key`, after `Retry-After` where one is given, and a"
            + " little later each time. It moves nothing twice."),
    /** What stands in its way may pass, but not by asking. */
    ONCE_CHANGED(
            "Not by itself: the same request can succeed once what stands in its way has changed. `retryable: false`"
                    + " in the problem says that it never will."),
    /** It would be refused again. */
    NO("No: the same request is refused again.");

    private final String sentence;

    Again(String sentence) {
        this.sentence = sentence;
    }

    /** For a person. */
    public String sentence() {
        return sentence;
    }

    static Again byStatus(int status) {
        return status == 408 || status == 429 || status >= 500 ? YES : NO;
    }
}
