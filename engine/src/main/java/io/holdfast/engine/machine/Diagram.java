package io.holdfast.engine.machine;

import java.util.StringJoiner;

/** The matrix as a Mermaid state diagram: moves between kinds of state, and what each kind owes. */
public final class Diagram {

    private Diagram() {}

    /** A {@code stateDiagram-v2}, without Markdown around it. */
    public static String mermaid(Matrix matrix) {
        StringBuilder diagram = new StringBuilder("stateDiagram-v2\n");
        diagram.append("    [*] --> ").append(matrix.initial()).append('\n');
        for (String state : matrix.states()) {
            Matrix.Debt debt = matrix.owedIn(state);
            if (!debt.isNothing()) {
                StringJoiner owed = new StringJoiner(", ", "    " + state + " : owes ", "\n");
                debt.effects().forEach(owed::add);
                if (debt.wakesUp()) {
                    owed.add("wake-up");
                }
                diagram.append(owed);
            }
        }
        for (Matrix.Transition transition : matrix.transitions()) {
            diagram.append("    ")
                    .append(transition.from())
                    .append(" --> ")
                    .append(transition.to())
                    .append(" : ")
                    .append(String.join(", ", transition.commands()))
                    .append('\n');
        }
        matrix.finalStates()
                .forEach(state -> diagram.append("    ").append(state).append(" --> [*]\n"));
        return diagram.toString();
    }

    /** A Markdown page with the diagram, as GitHub and most viewers render it. */
    public static String page(Matrix matrix) {
        return "# " + matrix.machine() + ": the moves between its states\n\n"
                + "Derived from the code by running the machine; not edited by hand.\n\n"
                + "```mermaid\n" + mermaid(matrix) + "```\n";
    }
}
