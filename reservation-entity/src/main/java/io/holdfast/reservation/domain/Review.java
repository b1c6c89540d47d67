package io.holdfast.reservation.domain;

import java.util.Map;

/**
 * Why a reservation waits for a person.
 *
 * @param trigger what set the mark
 * @param reason one sentence
 * @param evidence what was seen, by name; enough to decide without the systems it came from
 */
public record Review(Trigger trigger, String reason, Map<String, String> evidence) {

    /** What sets the mark. */
    public enum Trigger {
        /** A person froze it. */
        FROZEN,
        /** An event came under a known id with other content. */
        CAUSE_REUSED,
        /** Journal and fence contradict each other. */
        FENCE_CONTRADICTION,
        /** What is to go back waits for a person, at its compensation; resolved there, the mark goes by itself. */
        COMPENSATION
    }

    public Review {
        evidence = Map.copyOf(evidence);
    }
}
