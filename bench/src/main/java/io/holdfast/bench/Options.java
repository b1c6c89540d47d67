package io.holdfast.bench;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * How a scenario is to run.
 *
 * @param counted how long is measured
 * @param warmUpMin how long is warmed up at least
 * @param warmUpMax and at most, should it not become stable
 * @param outstanding operations on the way at any time
 * @param pools over which they are spread
 * @param profile where a flight recording of the measured stretch goes
 */
record Options(
        Duration counted, Duration warmUpMin, Duration warmUpMax, int outstanding, int pools, Optional<Path> profile) {}
