package io.holdfast.compensation.domain;

import java.util.Map;

/**
 * Why a compensation waits for a person.
 *
 * @param trigger what made it wait
 * @param answer the script's answer, or one sentence
 * @param details what else was seen, by name; enough to decide without the systems it came from
 */
public record Evidence(Trigger trigger, String answer, Map<String, String> details) {

    /** What makes it wait. */
    public enum Trigger {
        /** Redis and the reservation's journal contradict each other. */
        CONTRADICTION,
        /** A person stopped it. */
        FROZEN
    }

    public Evidence {
        details = Map.copyOf(details);
    }
}
