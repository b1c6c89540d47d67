package io.holdfast.order.domain;

import java.util.Map;

/**
 * Why an order waits for a person.
 *
 * @param trigger what set the mark
 * @param reason one sentence
 * @param evidence what was seen, by name
 */
public record Review(Trigger trigger, String reason, Map<String, String> evidence) {

    /** What sets the mark. */
    public enum Trigger {
        /** A person froze it. */
        FROZEN,
        /** Something came under a known id with other content. */
        OTHER_CONTENT,
        /** The database or the provider contradicts the journal. */
        CONTRADICTION
    }

    public Review {
        evidence = Map.copyOf(evidence);
    }
}
