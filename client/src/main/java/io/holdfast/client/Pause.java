package io.holdfast.client;

import java.time.Duration;
import java.util.function.DoubleSupplier;

/**
 * How long to wait between attempts where the server does not say: longer each time, and never the same for all callers.
 *
 * @param first before the second attempt, on average
 * @param longest however often
 */
public record Pause(Duration first, Duration longest) {

    /** 100 ms, doubled each time, at most 5 s. */
    public static final Pause USUAL = new Pause(Duration.ofMillis(100), Duration.ofSeconds(5));

    /**
     * Before the attempt after so many.
     *
     * @param chance from 0 to 1
     */
    Duration after(int attempts, DoubleSupplier chance) {
        double doubled = first.toMillis() * Math.pow(2, Math.min(attempts - 1, 30));
        double bounded = Math.min(doubled, longest.toMillis());
        return Duration.ofMillis(Math.round(bounded * (0.5 + chance.getAsDouble())));
    }
}
