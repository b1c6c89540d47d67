package io.holdfast.lua;

/** What a pool in Redis accepts. */
public enum PoolStatus {
    /** Holds are taken. */
    OPEN,
    /** No new hold for now; running reservations go on. */
    PAUSED,
    /** No new hold any more; running reservations end normally. */
    CLOSED,
    /** Frozen until its numbers are compared with the journals. */
    SUSPECT,
    /** Frozen while it is loaded again from the journals. */
    REBUILDING,
    /** Done: nothing is reserved and nothing changes. */
    ARCHIVED
}
