package io.holdfast.http.wire;

import io.holdfast.engine.machine.Cell;
import io.holdfast.engine.machine.Diagram;
import io.holdfast.engine.machine.Matrix;
import io.holdfast.engine.machine.Verdict;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** State machines as they are derived from the running code. */
public final class MachineViews {

    private MachineViews() {}

    /** One line of the list. */
    public record Summary(String name, List<String> states, List<String> commands, String self) {
        /** The wire form. */
        public static Summary of(Matrix matrix) {
            return new Summary(
                    matrix.machine(), matrix.states(), matrix.commands(), "/v1/machines/" + matrix.machine());
        }
    }

    /** The list. */
    public record Listing(List<Summary> machines) {}

    /**
     * One machine.
     *
     * @param initial the state of an entity without a past
     * @param states every state, with what it owes
     * @param transitions every move between states
     * @param matrix every command in every state
     * @param mermaid the diagram, in the language of Mermaid
     */
    public record Detail(
            String name,
            String initial,
            List<State> states,
            List<Transition> transitions,
            List<MatrixCell> matrix,
            String mermaid) {
        /** The wire form. */
        public static Detail of(Matrix matrix) {
            List<String> last = matrix.finalStates();
            return new Detail(
                    matrix.machine(),
                    matrix.initial(),
                    matrix.states().stream()
                            .map(state -> {
                                Matrix.Debt owed = matrix.owedIn(state);
                                return new State(state, owed.effects(), owed.wakesUp(), last.contains(state));
                            })
                            .toList(),
                    matrix.transitions().stream()
                            .map(move -> new Transition(move.from(), move.to(), move.commands()))
                            .toList(),
                    matrix.cells().stream().map(MatrixCell::of).toList(),
                    Diagram.mermaid(matrix));
        }
    }

    /** A state: the effects it owes, whether it asks to be woken, whether nothing leaves it. */
    public record State(String name, Set<String> owes, boolean wakesUp, boolean last) {}

    /** A move, and the commands that make it. */
    public record Transition(String from, String to, List<String> commands) {}

    /**
     * What one command does in one state.
     *
     * @param result MOVES, NOTED, REPEATS or REFUSES; BREAKS where state and command cannot meet
     * @param next the state it leads to, where it moves
     * @param code the refusal, where it refuses
     * @param answer PENDING, DONE or REFUSED
     */
    public record MatrixCell(
            String state,
            String command,
            String result,
            Optional<String> next,
            List<String> events,
            Optional<String> code,
            Optional<String> answer) {

        static MatrixCell of(Cell cell) {
            return switch (cell.result()) {
                case Cell.Result.Moves moves ->
                    cell(cell, "MOVES", Optional.of(moves.next()), moves.events(), moves.verdict());
                case Cell.Result.Noted noted -> cell(cell, "NOTED", Optional.empty(), noted.events(), noted.verdict());
                case Cell.Result.Repeats repeats ->
                    cell(cell, "REPEATS", Optional.empty(), List.of(), repeats.verdict());
                case Cell.Result.Refuses refuses ->
                    new MatrixCell(
                            cell.stateSample(),
                            cell.commandSample(),
                            "REFUSES",
                            Optional.empty(),
                            refuses.recorded(),
                            Optional.of(refuses.code()),
                            Optional.of("REFUSED"));
                case Cell.Result.Breaks _ ->
                    new MatrixCell(
                            cell.stateSample(),
                            cell.commandSample(),
                            "BREAKS",
                            Optional.empty(),
                            List.of(),
                            Optional.empty(),
                            Optional.empty());
            };
        }

        private static MatrixCell cell(
                Cell cell, String result, Optional<String> next, List<String> events, Verdict verdict) {
            return new MatrixCell(
                    cell.stateSample(),
                    cell.commandSample(),
                    result,
                    next,
                    events,
                    verdict instanceof Verdict.Refused refused
                            ? Optional.of(refused.reason().code())
                            : Optional.empty(),
                    Optional.of(
                            switch (verdict) {
                                case Verdict.Pending _ -> "PENDING";
                                case Verdict.Done _ -> "DONE";
                                case Verdict.Refused _ -> "REFUSED";
                            }));
        }
    }
}
