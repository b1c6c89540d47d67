package io.holdfast.engine.runtime;

import io.holdfast.engine.entity.CoreLimits;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * Every bound of the runtime.
 *
 * @param limits what one entity keeps to
 * @param shards shards per machine; the same on every node and never changed while the cluster runs
 * @param role cluster role of the nodes that hold entities; empty: all
 * @param stashCapacity commands that wait while an entity replays or writes; more are refused at once, as not taken
 * @param restartAfterMin wait before an entity whose journal failed is started again, at first
 * @param restartAfterMax the same wait after many failures
 * @param maxPatience longest time a caller may have its answer held back
 * @param askMargin what is added to a caller's patience before its answer counts as lost: time for the journal and the way
 * @param maxOutstanding commands this node waits for at a time, per machine; one more is refused as unavailable
 * @param maxResting entities of a machine that rest in this node's memory at a time; one more, and the one that rested longest leaves
 * @param unreadableLinger how long an entity whose journal can't be read says so from memory before the journal is read again
 */
public record EngineSettings(
        CoreLimits limits,
        int shards,
        Optional<String> role,
        int stashCapacity,
        Duration restartAfterMin,
        Duration restartAfterMax,
        Duration maxPatience,
        Duration askMargin,
        int maxOutstanding,
        int maxResting,
        Duration unreadableLinger) {

    public EngineSettings {
        Objects.requireNonNull(limits);
        Objects.requireNonNull(role);
        atLeastOne("shards", shards);
        atLeastOne("stash capacity", stashCapacity);
        atLeastOne("max outstanding", maxOutstanding);
        atLeastOne("max resting", maxResting);
        positive("restart-after min", restartAfterMin);
        positive("max patience", maxPatience);
        positive("ask margin", askMargin);
        positive("unreadable linger", unreadableLinger);
        if (restartAfterMax.compareTo(restartAfterMin) < 0) {
            throw new IllegalArgumentException(
                    "engine: restart-after max " + restartAfterMax + " is less than min " + restartAfterMin);
        }
    }

    /** Settings that suit a server. */
    public static EngineSettings defaults() {
        return new EngineSettings(
                CoreLimits.defaults(),
                128,
                Optional.empty(),
                512,
                Duration.ofMillis(200),
                Duration.ofSeconds(10),
                Duration.ofSeconds(30),
                Duration.ofSeconds(3),
                20_000,
                10_000,
                Duration.ofSeconds(30));
    }

    /** The same with other limits per entity. */
    public EngineSettings withLimits(CoreLimits other) {
        return new EngineSettings(
                other,
                shards,
                role,
                stashCapacity,
                restartAfterMin,
                restartAfterMax,
                maxPatience,
                askMargin,
                maxOutstanding,
                maxResting,
                unreadableLinger);
    }

    /** The same with other room for commands that wait for an entity. */
    public EngineSettings withStashCapacity(int other) {
        return new EngineSettings(
                limits,
                shards,
                role,
                other,
                restartAfterMin,
                restartAfterMax,
                maxPatience,
                askMargin,
                maxOutstanding,
                maxResting,
                unreadableLinger);
    }

    /** The same with another pace of restarts after a failed journal. */
    public EngineSettings withRestartAfter(Duration min, Duration max) {
        return new EngineSettings(
                limits,
                shards,
                role,
                stashCapacity,
                min,
                max,
                maxPatience,
                askMargin,
                maxOutstanding,
                maxResting,
                unreadableLinger);
    }

    /** The same with other times for an asker. */
    public EngineSettings withAsking(Duration maxPatience, Duration askMargin, int maxOutstanding) {
        return new EngineSettings(
                limits,
                shards,
                role,
                stashCapacity,
                restartAfterMin,
                restartAfterMax,
                maxPatience,
                askMargin,
                maxOutstanding,
                maxResting,
                unreadableLinger);
    }

    /** The same with other room for entities that rest. */
    public EngineSettings withMaxResting(int other) {
        return new EngineSettings(
                limits,
                shards,
                role,
                stashCapacity,
                restartAfterMin,
                restartAfterMax,
                maxPatience,
                askMargin,
                maxOutstanding,
                other,
                unreadableLinger);
    }

    /** The same with another time before an unreadable journal is read again. */
    public EngineSettings withUnreadableLinger(Duration other) {
        return new EngineSettings(
                limits,
                shards,
                role,
                stashCapacity,
                restartAfterMin,
                restartAfterMax,
                maxPatience,
                askMargin,
                maxOutstanding,
                maxResting,
                other);
    }

    private static void atLeastOne(String what, int value) {
        if (value < 1) {
            throw new IllegalArgumentException("engine: " + what + " must be at least 1, but is " + value);
        }
    }

    private static void positive(String what, Duration value) {
        if (!value.isPositive()) {
            throw new IllegalArgumentException("engine: " + what + " must be positive, but is " + value);
        }
    }
}
