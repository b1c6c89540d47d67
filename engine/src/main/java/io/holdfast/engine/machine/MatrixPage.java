package io.holdfast.engine.machine;

import java.util.List;
import java.util.StringJoiner;
import java.util.stream.Collectors;

/** The matrix as a Markdown page: an overview of kinds, then one table per state sample with every command. */
public final class MatrixPage {

    private MatrixPage() {}

    /** Renders the page. */
    public static String markdown(Matrix matrix) {
        StringBuilder page = new StringBuilder();
        page.append("# ").append(matrix.machine()).append(": every command in every state\n\n");
        page.append(
                "Derived from the code by running the machine; not edited by hand. **Bold** is the state it leads to,"
                        + " *noted* means ");
        page.append("journaled without leaving the state, *repeat* answers what happened the first time, a `CODE` is a"
                + " refusal.\n\n");
        overview(matrix, page);
        String last = "";
        for (Cell cell : matrix.cells()) {
            if (!cell.stateSample().equals(last)) {
                last = cell.stateSample();
                page.append("\n## ").append(last).append("\n\n");
                page.append(owes(matrix.owedInSample(cell.stateSample()))).append("\n\n");
                page.append("| command | result | events | answer |\n|---|---|---|---|\n");
            }
            page.append(row(cell));
        }
        return page.toString();
    }

    private static void overview(Matrix matrix, StringBuilder page) {
        page.append("| |");
        matrix.states().forEach(state -> page.append(' ').append(state).append(" |"));
        page.append("\n|---|").append("---|".repeat(matrix.states().size())).append('\n');
        for (String command : matrix.commands()) {
            page.append("| ").append(command).append(" |");
            for (String state : matrix.states()) {
                page.append(' ').append(brief(matrix, state, command)).append(" |");
            }
            page.append('\n');
        }
    }

    private static String brief(Matrix matrix, String state, String command) {
        return matrix.cells().stream()
                .filter(cell -> cell.state().equals(state) && cell.command().equals(command))
                .map(cell -> result(cell.result()))
                .distinct()
                .collect(Collectors.joining("<br>"));
    }

    private static String owes(Matrix.Debt debt) {
        if (debt.isNothing()) {
            return "Owes nothing.";
        }
        StringJoiner owed = new StringJoiner(" and ", "Owes ", ".");
        debt.effects().forEach(effect -> owed.add("`" + effect + "`"));
        if (debt.wakesUp()) {
            owed.add("a wake-up");
        }
        return owed.toString();
    }

    private static String row(Cell cell) {
        return "| " + cell.commandSample() + " | " + result(cell.result()) + " | " + events(cell.result()) + " | "
                + answer(cell.result()) + " |\n";
    }

    private static String result(Cell.Result result) {
        return switch (result) {
            case Cell.Result.Moves moves ->
                moves.path().stream().map(state -> "**" + state + "**").collect(Collectors.joining(" → "));
            case Cell.Result.Noted _ -> "*noted*";
            case Cell.Result.Repeats _ -> "*repeat*";
            case Cell.Result.Refuses refuses -> "`" + refuses.code() + "`";
            case Cell.Result.Breaks breaks ->
                "BREAKS " + breaks.why().replace("|", "\\|").replace("\n", " ");
        };
    }

    private static String events(Cell.Result result) {
        List<String> events = switch (result) {
            case Cell.Result.Moves moves -> moves.events();
            case Cell.Result.Noted noted -> noted.events();
            case Cell.Result.Refuses refuses -> refuses.recorded();
            case Cell.Result.Repeats _, Cell.Result.Breaks _ -> List.of();
        };
        return String.join(", ", events);
    }

    private static String answer(Cell.Result result) {
        return switch (result) {
            case Cell.Result.Moves moves -> verdict(moves.verdict());
            case Cell.Result.Noted noted -> verdict(noted.verdict());
            case Cell.Result.Repeats repeats -> verdict(repeats.verdict());
            case Cell.Result.Refuses refuses -> "refused `" + refuses.code() + "`";
            case Cell.Result.Breaks _ -> "";
        };
    }

    private static String verdict(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Pending() -> "pending";
            case Verdict.Done() -> "done";
            case Verdict.Refused(Refusal reason) -> "refused `" + reason.code() + "`";
        };
    }
}
