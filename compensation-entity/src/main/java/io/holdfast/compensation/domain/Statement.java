package io.holdfast.compensation.domain;

import java.util.Optional;

/**
 * Who says so, and why. Kept in the journal.
 *
 * @param operator who, as it was authenticated
 * @param reason one sentence
 * @param incident number of the incident it belongs to; needed to resolve, not to stop
 */
public record Statement(String operator, String reason, Optional<String> incident) {

    /** @throws IllegalArgumentException if nobody says so, or nothing */
    public Statement {
        if (operator.isBlank()
                || reason.isBlank()
                || incident.filter(String::isBlank).isPresent()) {
            throw new IllegalArgumentException("operator, reason and incident must not be blank");
        }
    }

    /** Of an incident. */
    public static Statement of(String operator, String reason, String incident) {
        return new Statement(operator, reason, Optional.of(incident));
    }
}
