package io.holdfast.reservation.domain;

import io.holdfast.engine.effect.Backoff;
import io.holdfast.engine.effect.RetryPolicy;
import java.time.Duration;

/**
 * How the effects of both machines are attempted, and how long news may wait for what it is about.
 *
 * @param script one script call in Redis
 * @param verify one comparison, or one rebuild, of a whole pool
 * @param verifyAgainAfter wait before the next comparison of a pool that was found to differ, and before one that was just rebuilt is
 *     rebuilt again by itself
 * @param rebuild who decides that a pool that was found to differ is loaded anew
 * @param inquiry how the order of an overdue hold is asked for
 * @param attentionAfter wait for the request of a hold whose order is known already, before that is reported
 */
public record EffectPolicies(
        RetryPolicy script,
        RetryPolicy verify,
        Duration verifyAgainAfter,
        Rebuild rebuild,
        InquiryPolicy inquiry,
        Duration attentionAfter) {

    /** Who decides that a pool is loaded anew. */
    public enum Rebuild {
        /** The pool itself, as soon as it is found to differ. */
        AUTOMATIC,
        /** A person alone. */
        ON_REQUEST
    }

    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(50), Duration.ofSeconds(15), 2, 0.2);
    private static final int STALL_AFTER = 12;

    /** A script may take 2 s, a comparison 10 min; 50 ms to 15 s between attempts; stalled after 12 and tried on; 15 min for a request. */
    public static EffectPolicies standard() {
        return new EffectPolicies(
                new RetryPolicy(
                        Duration.ofSeconds(2), BACKOFF, STALL_AFTER, RetryPolicy.AfterLimit.RECORD_AND_KEEP_TRYING),
                new RetryPolicy(
                        Duration.ofMinutes(10), BACKOFF, STALL_AFTER, RetryPolicy.AfterLimit.RECORD_AND_KEEP_TRYING),
                Duration.ofSeconds(60),
                Rebuild.AUTOMATIC,
                InquiryPolicy.standard(),
                Duration.ofMinutes(15));
    }

    /** The same, where this is who decides that a pool is loaded anew. */
    public EffectPolicies rebuilding(Rebuild who) {
        return new EffectPolicies(script, verify, verifyAgainAfter, who, inquiry, attentionAfter);
    }

    /** The same, where orders of overdue holds are asked for in this way. */
    public EffectPolicies inquiring(InquiryPolicy how) {
        return new EffectPolicies(script, verify, verifyAgainAfter, rebuild, how, attentionAfter);
    }

    /** A question to a compensation that waits for a person: at the longest wait, and nothing is late however long that takes. */
    public RetryPolicy await() {
        Backoff backoff = script.backoff();
        return new RetryPolicy(
                script.timeout(),
                new Backoff(backoff.longest(), backoff.longest(), 1, backoff.jitter()),
                Integer.MAX_VALUE,
                script.afterLimit());
    }

    /** A comparison of a pool that was found to differ: nobody expects another answer soon. */
    public RetryPolicy verifyAgain() {
        Backoff waits = new Backoff(
                verifyAgainAfter, verifyAgainAfter, 1, verify.backoff().jitter());
        return new RetryPolicy(verify.timeout(), waits, verify.stallAfter(), verify.afterLimit());
    }
}
