package io.holdfast.testkit.table;

import io.holdfast.engine.machine.MachineSamples;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Which cells of a machine's matrix (kind of state x kind of command) a table has checked. Keep one per test class in a static field
 * and end the class with {@link #everyCellWasChecked()}, for instance from {@code @AfterAll}.
 */
public final class MatrixCoverage<S, C> {

    private final MachineSamples<S, C, ?, ?> samples;
    private final Set<String> checked = new LinkedHashSet<>();

    private MatrixCoverage(MachineSamples<S, C, ?, ?> samples) {
        this.samples = samples;
    }

    /** Nothing checked yet. */
    public static <S, C> MatrixCoverage<S, C> of(MachineSamples<S, C, ?, ?> samples) {
        return new MatrixCoverage<>(samples);
    }

    /** Notes that this cell was checked; a table does so by itself. For what is decided alike in every state and checked over the samples. */
    public void checked(S state, C command) {
        checked.add(cell(state, command));
    }

    /** Cells of the samples that no row has checked. */
    public Set<String> missed() {
        Set<String> missed = new LinkedHashSet<>();
        samples.states()
                .forEach(state ->
                        samples.commands().forEach(command -> missed.add(cell(state.value(), command.value()))));
        missed.removeAll(checked);
        return missed;
    }

    /** Fails with the list of missed cells. */
    public void everyCellWasChecked() {
        Set<String> missed = missed();
        if (!missed.isEmpty()) {
            throw new AssertionError(missed.size() + " cells of the matrix of "
                    + samples.machine().name() + " are not in the table: " + String.join(", ", missed));
        }
    }

    private String cell(S state, C command) {
        return command.getClass().getSimpleName() + " in "
                + samples.kindOf(state).getClass().getSimpleName();
    }
}
