package io.holdfast.simulation.world;

import io.holdfast.testkit.simulation.Chance;
import java.time.Duration;

/**
 * How long a day is, and how often things happen in it. Most days are short, since what goes wrong goes wrong between things that are close
 * together; some are long.
 *
 * @param storm how long things happen and faults strike
 * @param order from one order to the next, about
 * @param group the same, of orders of several lines
 * @param wish the same, of requests at a gate
 * @param change the same, of changes of pools
 * @param trouble the same, of what happens to nodes, clocks and consumers
 * @param weather the same, of what Redis goes through
 * @param late how late news and second thoughts may be
 */
record Pace(
        Duration storm,
        Duration order,
        Duration group,
        Duration wish,
        Duration change,
        Duration trouble,
        Duration weather,
        Duration late) {

    private static final double LONG = 0.03;

    /** That of a day. */
    static Pace of(Chance chance) {
        if (chance.strikes(LONG)) {
            return new Pace(
                    chance.between(Duration.ofSeconds(90), Duration.ofMinutes(4)),
                    Duration.ofSeconds(4),
                    Duration.ofSeconds(9),
                    Duration.ofSeconds(3),
                    Duration.ofSeconds(20),
                    Duration.ofSeconds(45),
                    Duration.ofSeconds(40),
                    Duration.ofMinutes(2));
        }
        return new Pace(
                chance.between(Duration.ofSeconds(10), Duration.ofSeconds(20)),
                Duration.ofMillis(2_500),
                Duration.ofSeconds(6),
                Duration.ofMillis(1_500),
                Duration.ofSeconds(4),
                Duration.ofSeconds(8),
                Duration.ofSeconds(9),
                Duration.ofSeconds(15));
    }
}
