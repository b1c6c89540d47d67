package io.holdfast.it;

import static org.awaitility.Awaitility.await;

import io.holdfast.localstack.fault.FaultProxy;
import java.time.Duration;
import java.util.concurrent.Callable;

/** A point between two steps of an operation, what is then in the stores, and how to bring every operation there and no further. */
enum CrashWindow {
    BEFORE_THE_INTENT_IS_JOURNALED(Journaled.NOTHING, false),
    BEFORE_THE_SCRIPT_REACHES_REDIS(Journaled.INTENT, false),
    BEFORE_THE_SCRIPTS_ANSWER_REACHES_THE_NODE(Journaled.INTENT, true),
    BEFORE_THE_OUTCOME_IS_JOURNALED(Journaled.INTENT, true),
    BEFORE_THE_CLIENT_IS_ANSWERED(Journaled.OUTCOME, true);

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** How much of an operation is in the journal. */
    enum Journaled {
        NOTHING,
        INTENT,
        OUTCOME
    }

    /** What stands between the steps. */
    record Doors(Site site, FaultProxy toNode, HeldJournal journal) {}

    /** A look at the stores, past every door. */
    interface Stores {
        boolean has(Operation operation, Journaled journaled) throws Exception;

        boolean ran(Operation operation) throws Exception;
    }

    final Journaled journaled;
    final boolean ran;

    CrashWindow(Journaled journaled, boolean ran) {
        this.journaled = journaled;
        this.ran = ran;
    }

    /** Whether what was asked for at this point must come to its end. */
    boolean accepted() {
        return journaled != Journaled.NOTHING;
    }

    /** Before anything is asked. */
    void shut(Doors doors) throws Exception {
        switch (this) {
            case BEFORE_THE_INTENT_IS_JOURNALED -> doors.journal().hold();
            case BEFORE_THE_SCRIPT_REACHES_REDIS -> doors.site().toRedis.blackhole();
            case BEFORE_THE_SCRIPTS_ANSWER_REACHES_THE_NODE, BEFORE_THE_OUTCOME_IS_JOURNALED ->
                doors.site().toRedis.muteAfter("EVALSHA");
            case BEFORE_THE_CLIENT_IS_ANSWERED -> doors.toNode().muteAfter(" HTTP/1.1");
        }
    }

    /** After the operation was asked for: returns when it is at this point, or is only to be let on there by {@link #letOn}. */
    void reach(Doors doors, Stores stores, Operation operation) {
        switch (this) {
            case BEFORE_THE_INTENT_IS_JOURNALED -> until(doors.journal()::isWaitedFor);
            case BEFORE_THE_SCRIPT_REACHES_REDIS -> until(() -> stores.has(operation, Journaled.INTENT));
            case BEFORE_THE_SCRIPTS_ANSWER_REACHES_THE_NODE, BEFORE_THE_OUTCOME_IS_JOURNALED ->
                until(() -> stores.ran(operation));
            case BEFORE_THE_CLIENT_IS_ANSWERED -> until(() -> stores.has(operation, Journaled.OUTCOME));
        }
    }

    /** After every operation was reached: shuts the next door before it opens the one they wait at. */
    void letOn(Doors doors) throws Exception {
        switch (this) {
            case BEFORE_THE_OUTCOME_IS_JOURNALED -> {
                doors.journal().hold();
                doors.site().toRedis.heal();
                until(doors.journal()::isWaitedFor);
            }
            case BEFORE_THE_INTENT_IS_JOURNALED,
                    BEFORE_THE_SCRIPT_REACHES_REDIS,
                    BEFORE_THE_SCRIPTS_ANSWER_REACHES_THE_NODE,
                    BEFORE_THE_CLIENT_IS_ANSWERED -> {}
        }
    }

    private static void until(Callable<Boolean> reached) {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).until(reached);
    }
}
