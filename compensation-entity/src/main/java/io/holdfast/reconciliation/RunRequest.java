package io.holdfast.reconciliation;

/**
 * What a run is to do.
 *
 * @param scope which pools
 * @param mode whether it may repair
 * @param full whether it looks at every reservation, also at those that an earlier run proved and that have not moved since
 * @param requestedBy who asked, or that the schedule did
 */
public record RunRequest(Scope scope, Mode mode, boolean full, String requestedBy) {

    /** Which pools. */
    public sealed interface Scope {
        /** One. */
        record OnePool(String pool) implements Scope {}

        /** All whose id begins so, such as {@code m1:} for a merchant's. */
        record Prefix(String prefix) implements Scope {}

        /** All. */
        record All() implements Scope {}
    }

    /** Whether it may repair. */
    public enum Mode {
        /** Says what it finds. */
        DRY_RUN,
        /** Repairs what may be repaired, too. */
        REPAIR
    }
}
