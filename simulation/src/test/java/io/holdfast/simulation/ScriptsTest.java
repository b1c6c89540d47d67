package io.holdfast.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every script that was kept: one of a wrong variant fails as it did, and not once nothing is done wrong; one of a fault that was mended does
 * not fail any more. A step that no longer comes up means that worlds are made otherwise since: then the seed has to be looked for and shrunk
 * anew, or the case written by hand.
 */
@DisplayNameGeneration(ReplaceUnderscores.class)
@Execution(ExecutionMode.CONCURRENT) // each world is its own
class ScriptsTest {

    static List<Path> kept() throws IOException, URISyntaxException {
        Path folder = Path.of(Objects.requireNonNull(ScriptsTest.class.getResource("/scripts"))
                .toURI());
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(Script.SUFFIX))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("kept")
    void a_script_fails_by_its_variant_alone(Path file) {
        Script script = Script.read(file);

        if (script.variant().isPresent()) {
            WorldRun wrong = script.run();
            assertThat(wrong.claim()).contains(script.claim());
            assertThat(wrong.leftOut(script)).isEmpty();
        }
        WorldRun right = script.runRight();
        assertThat(right.told()).isEmpty();
        assertThat(right.decisions()).isNotEmpty();
    }
}
