package io.holdfast.reservation.domain;

import io.holdfast.engine.effect.Backoff;
import io.holdfast.engine.effect.RetryPolicy;
import java.time.Duration;

/**
 * How often the order domain is asked for news of an overdue hold.
 *
 * @param retry how one question is attempted
 * @param waits between questions
 * @param most questions about one hold; 0 to ask none
 */
public record InquiryPolicy(RetryPolicy retry, Backoff waits, int most) {

    /** @throws IllegalArgumentException if the most is negative */
    public InquiryPolicy {
        if (most < 0) {
            throw new IllegalArgumentException("questions about an overdue hold can't be fewer than none: " + most);
        }
    }

    /** 30 s for a question; a minute to an hour between them; ten at most. */
    public static InquiryPolicy standard() {
        Backoff waits = new Backoff(Duration.ofMinutes(1), Duration.ofHours(1), 2, 0);
        return new InquiryPolicy(
                new RetryPolicy(Duration.ofSeconds(30), waits, 12, RetryPolicy.AfterLimit.RECORD_AND_KEEP_TRYING),
                waits,
                10);
    }

    /** The same, asking nobody. */
    public InquiryPolicy silent() {
        return new InquiryPolicy(retry, waits, 0);
    }
}
