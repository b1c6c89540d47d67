package io.holdfast.engine.effect;

import java.time.Duration;

/**
 * How the wait between attempts grows.
 *
 * @param first wait after the first failed attempt
 * @param longest the wait never grows beyond this
 * @param factor growth per attempt, at least 1
 * @param jitter share of the wait that is random, 0 to 1: 0.2 gives 90 % to 110 % of it; keeps a crowd from coming back together
 */
public record Backoff(Duration first, Duration longest, double factor, double jitter) {

    public Backoff {
        if (first.isNegative() || first.isZero() || longest.compareTo(first) < 0) {
            throw new IllegalArgumentException(
                    "back-off: 0 < first <= longest, but first is " + first + " and longest " + longest);
        }
        if (!(factor >= 1) || !(jitter >= 0 && jitter <= 1)) {
            throw new IllegalArgumentException(
                    "back-off: factor >= 1 and jitter in 0..1, but " + factor + " and " + jitter);
        }
    }

    /**
     * The wait before the next attempt.
     *
     * @param failedAttempts how many attempts have failed, from 1
     * @param random a number in [0, 1), drawn by the caller
     */
    public Duration delayAfter(int failedAttempts, double random) {
        double grown = (double) first.toMillis() * Math.pow(factor, Math.max(0, failedAttempts - 1));
        return jittered(Math.min(grown, (double) longest.toMillis()), random);
    }

    /**
     * The longest wait, which an effect that keeps failing has come to.
     *
     * @param random a number in [0, 1), drawn by the caller
     */
    public Duration longestDelay(double random) {
        return jittered((double) longest.toMillis(), random);
    }

    private Duration jittered(double millis, double random) {
        double jittered = millis * (1 + jitter * (random - 0.5));
        return Duration.ofMillis(Math.max(1, Math.min(Math.round(jittered), longest.toMillis())));
    }
}
