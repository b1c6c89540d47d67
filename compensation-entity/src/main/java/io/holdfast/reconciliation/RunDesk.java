package io.holdfast.reconciliation;

import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** What is asked of runs: begin one, see how it stands, what it found. Any node can be asked. Blocking. */
public interface RunDesk {

    /** What came of asking for a run. */
    sealed interface Asked {
        /** There is a run; this very wish may have begun it before. */
        record Begun(Run run) implements Asked {}

        /** The id was used for another wish. */
        record Reused() implements Asked {}
    }

    /**
     * A run with its number, by which lists go on.
     *
     * @param number counts runs in the order they were asked for
     */
    record Numbered(long number, Run run) {}

    /**
     * Asks for a run. Asked again under the same id it is the same run.
     *
     * @param id never used for another wish
     */
    Asked ask(String id, RunRequest request) throws SQLException;

    /** The run as it stands. */
    Optional<Run> find(String id) throws SQLException;

    /**
     * Runs, latest first.
     *
     * @param before number to begin below; 0 for the first page
     */
    List<Numbered> list(long before, int limit) throws SQLException;

    /**
     * What a run found, in order.
     *
     * @param after id of the last one seen; 0 to begin
     */
    List<RecordedFinding> findings(String run, long after, int limit) throws SQLException;
}
