package io.holdfast.compensation.domain;

import java.util.Map;

/** What a compensation can be told: by its reservation, by Redis, by persons. */
public sealed interface CompensationCommand {

    /**
     * The reservation owes it. Repeated until the answer is a result.
     *
     * @param content fixed by the first one
     * @param asked where the reservation's journal stands
     */
    record Compensate(Content content, Asked asked) implements CompensationCommand {}

    /** What became of the script that was called for this. */
    record ScriptAnswered(Asked asked, ScriptAnswer answer) implements CompensationCommand {}

    /** What the script said. */
    sealed interface ScriptAnswer {
        /** It is done, now or before. */
        record Done(Result result) implements ScriptAnswer {}

        /** Redis and the journal contradict each other; nothing moved. */
        record Contradicts(String answer, Map<String, String> details) implements ScriptAnswer {
            public Contradicts {
                details = Map.copyOf(details);
            }
        }

        /** The script was not called: the reservation does not owe this any more. */
        record NotOwed(String standing) implements ScriptAnswer {}
    }

    /**
     * What the fence shows after it.
     *
     * @param shown whether it has the operation
     * @param found what the fence has
     */
    record FenceRead(Asked asked, boolean shown, String found) implements CompensationCommand {}

    /** A person stops it. */
    record Freeze(Statement by) implements CompensationCommand {}

    /** A person says how it goes on. */
    record Resolve(Resolution resolution, Statement by) implements CompensationCommand {}

    /** A second person agrees to what was proposed. */
    record Approve(Resolution resolution, Statement by) implements CompensationCommand {}

    /** A person takes a proposal off the table. */
    record Decline(Statement by) implements CompensationCommand {}

    /** The time has come. Nothing here depends on time. */
    record WakeUp() implements CompensationCommand {}

    /** An event came under a known id with other content. */
    record Contradicted(String causeId) implements CompensationCommand {}
}
