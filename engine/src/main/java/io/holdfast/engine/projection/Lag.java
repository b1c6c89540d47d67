package io.holdfast.engine.projection;

import java.time.Duration;
import java.util.Optional;

/**
 * How far a projection is behind the journal.
 *
 * @param events not handled yet: counted up to {@link Projections#COUNTED_AT_MOST}, beyond that estimated from the numbers of the rows
 * @param oldest how long ago the oldest of them was written (by the writer's clock)
 * @param openWriter age of the oldest transaction that is still writing anywhere in the cluster, as far as this user may see it: if it is
 *     old, the projection waits for it
 */
public record Lag(long events, Optional<Duration> oldest, Optional<Duration> openWriter) {}
