package io.holdfast.chaos;

/** The kinds of faults there are. */
enum FaultKind {
    KILL,
    FREEZE,
    ISOLATE,
    CUT_POSTGRES,
    CUT_REDIS,
    CUT_KAFKA,
    RESTART_REDIS,
    FLUSH_REDIS,
    FAIL_OVER,
    RESTART_POSTGRES,
    RESTART_BROKER,
    ROLL;

    /** Whether it is done to one node, and may come beside another. */
    boolean ofANode() {
        return switch (this) {
            case KILL, FREEZE, ISOLATE, CUT_POSTGRES, CUT_REDIS, CUT_KAFKA -> true;
            case RESTART_REDIS, FLUSH_REDIS, FAIL_OVER, RESTART_POSTGRES, RESTART_BROKER, ROLL -> false;
        };
    }
}
