package io.holdfast.reservation.domain;

import java.time.Instant;
import java.util.Optional;

/**
 * How far the order domain has been asked for news of an overdue hold.
 *
 * @param number of the question that is owed, or was answered last, from 1
 * @param answer what it said to that; empty while the question is owed
 * @param nextAt when it is asked again; empty while a question is owed, and when it is not asked any more
 */
public record Inquiry(int number, Optional<OrderAnswer> answer, Optional<Instant> nextAt) {

    static Inquiry owed(int number) {
        return new Inquiry(number, Optional.empty(), Optional.empty());
    }

    /** Whether an answer is awaited. */
    public boolean owed() {
        return answer.isEmpty();
    }
}
