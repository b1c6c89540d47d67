package io.holdfast.bench;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * How a scenario is to run.
 *
 * @param counted how long each of those that take turns is measured, all its turns together
 * @param warmUp the longest time one of them is warmed up; half of it is the shortest
 * @param outstanding operations on the way at any time
 * @param pools over which they are spread
 * @param many how many of what a scenario makes in bulk (holds in flight, live entities)
 * @param alone leaves out those it is compared with
 * @param profile where a flight recording of the first turn goes
 */
public record Options(
        Duration counted,
        Duration warmUp,
        int outstanding,
        int pools,
        int many,
        boolean alone,
        Optional<Path> profile) {

    private static final Duration SHORTEST_SHARE = Duration.ofMillis(200);

    /** How long something lasts that takes a quarter of the time counted, within bounds. */
    public Duration share(Duration longest) {
        Duration quarter = counted.dividedBy(4);
        Duration atMost = quarter.compareTo(longest) < 0 ? quarter : longest;
        return atMost.compareTo(SHORTEST_SHARE) < 0 ? SHORTEST_SHARE : atMost;
    }

    /** The same over another number of pools. */
    public Options withPools(int number) {
        return new Options(counted, warmUp, outstanding, number, many, alone, profile);
    }

    /** The same with another number of operations on the way. */
    public Options withOutstanding(int number) {
        return new Options(counted, warmUp, number, pools, many, alone, profile);
    }
}
