package io.holdfast.testkit.derived;

import io.holdfast.engine.machine.Cell;
import io.holdfast.engine.machine.Diagram;
import io.holdfast.engine.machine.MachineSamples;
import io.holdfast.engine.machine.Matrix;
import io.holdfast.engine.machine.MatrixPage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/**
 * The machine's pages under {@code docs/generated} say what the code does. Extend it once per machine, give the samples, and the pages are
 * compared on every build. With {@code -Dderived.update=true} they are written instead; the difference then is for review.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
public abstract class DerivedPage {

    private static final String UPDATE = "derived.update";

    /** Examples of everything the machine can be in and can be given. */
    protected abstract MachineSamples<?, ?, ?, ?> samples();

    /** Where the pages are kept. */
    Path folder() {
        return repository().resolve("docs/generated");
    }

    /** Whether the pages are to be written instead of compared. */
    boolean updating() {
        return Boolean.getBoolean(UPDATE);
    }

    @Test
    void every_kind_of_state_and_command_is_sampled() {
        if (!samples().unsampled().isEmpty()) {
            throw new AssertionError(
                    "no sample of " + String.join(", ", samples().unsampled()));
        }
    }

    @Test
    void no_command_breaks_the_machine_in_any_state() {
        List<String> broken = Matrix.of(samples()).cells().stream()
                .filter(cell -> cell.result() instanceof Cell.Result.Breaks)
                .map(cell -> cell.commandSample() + " in " + cell.stateSample() + ": "
                        + ((Cell.Result.Breaks) cell.result()).why())
                .toList();
        if (!broken.isEmpty()) {
            throw new AssertionError(String.join(System.lineSeparator(), broken));
        }
    }

    @Test
    void the_matrix_page_says_what_the_code_does() {
        Matrix matrix = Matrix.of(samples());
        compare(matrix.machine() + "-matrix.md", MatrixPage.markdown(matrix));
    }

    @Test
    void the_diagram_page_says_what_the_code_does() {
        Matrix matrix = Matrix.of(samples());
        compare(matrix.machine() + "-diagram.md", Diagram.page(matrix));
    }

    private void compare(String name, String derived) {
        Path page = folder().resolve(name);
        try {
            if (updating()) {
                Files.createDirectories(page.getParent());
                Files.writeString(page, derived);
                return;
            }
            String checkedIn = Files.exists(page) ? Files.readString(page) : "";
            if (!checkedIn.equals(derived)) {
                throw new AssertionError(page + " no longer says what the code does; first difference: "
                        + firstDifference(checkedIn, derived) + ". Run again with -D" + UPDATE
                        + "=true, and review the difference.");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String firstDifference(String checkedIn, String derived) {
        List<String> before = checkedIn.lines().toList();
        List<String> after = derived.lines().toList();
        for (int line = 0; line < Math.max(before.size(), after.size()); line++) {
            String was = line < before.size() ? before.get(line) : "(nothing)";
            String is = line < after.size() ? after.get(line) : "(nothing)";
            if (!was.equals(is)) {
                return "line " + (line + 1) + " reads \"" + was + "\", the code says \"" + is + "\"";
            }
        }
        return "line ends";
    }

    /** The checkout: the nearest folder upwards that has the launcher's Maven wrapper. */
    private static Path repository() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("mvnw"))) {
            folder = folder.getParent();
            if (folder == null) {
                throw new IllegalStateException("not inside a checkout: no folder upwards has a file named mvnw");
            }
        }
        return folder;
    }
}
