package io.holdfast.engine.projection;

import java.time.Instant;
import java.util.Optional;

/**
 * One projection as the database knows it, whichever nodes run it.
 *
 * @param name of the projection
 * @param exactlyOnce its promise: exactly once in this database, or at least once to the outside
 * @param takesAgain whether it can be set back to a position
 * @param paused who has paused it, if it is
 * @param ordered what it has been told and not done yet: "rebuild", "rewind", or nothing
 * @param reached everything before this position is handled, as far as it was readable when the offset moved last
 * @param lag how far it is behind
 * @param parked entities it has set aside
 * @param leftOut events it goes on without, as ordered
 * @param rebuilds how often its shares were begun anew
 * @param movedAt when an offset of it last moved; empty if it never ran
 */
public record ProjectionState(
        String name,
        boolean exactlyOnce,
        boolean takesAgain,
        Optional<OrderedBy> paused,
        String ordered,
        JournalPosition reached,
        Lag lag,
        long parked,
        long leftOut,
        long rebuilds,
        Optional<Instant> movedAt) {

    ProjectionState withLag(Lag measured) {
        return new ProjectionState(
                name, exactlyOnce, takesAgain, paused, ordered, reached, measured, parked, leftOut, rebuilds, movedAt);
    }
}
