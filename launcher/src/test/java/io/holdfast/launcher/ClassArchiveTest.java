package io.holdfast.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which JVMs get one. That nodes write and use one is seen where nodes are started. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class ClassArchiveTest {

    private static final String OF_A_JAR = "picocli.CommandLine";
    private static final List<String> FLAGS = JavaCommand.LIGHT;

    @TempDir
    Path folder;

    private final Optional<String> before = Optional.ofNullable(System.getProperty(ClassArchive.FOLDER));

    @BeforeEach
    void name_the_folder() {
        System.setProperty(ClassArchive.FOLDER, folder.toString());
    }

    @AfterEach
    void as_it_was() {
        before.ifPresentOrElse(
                value -> System.setProperty(ClassArchive.FOLDER, value),
                () -> System.clearProperty(ClassArchive.FOLDER));
    }

    @Test
    void a_program_of_a_jar_has_one_over_the_jars_that_lie_beside_it_alone() {
        String classPath = ClassArchive.of(OF_A_JAR, FLAGS).orElseThrow().classPath();
        assertThat(Stream.of(classPath.split(File.pathSeparator)).map(Path::of))
                .isNotEmpty()
                .allMatch(Files::isRegularFile)
                .allMatch(jar -> Files.exists(ofPicocli().resolveSibling(jar.getFileName())))
                .contains(ofPicocli());
    }

    private static Path ofPicocli() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .filter(jar -> jar.getFileName().toString().startsWith("picocli"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void a_program_of_a_folder_has_none() {
        assertThat(ClassArchive.of(ClassArchiveTest.class.getName(), FLAGS)).isEmpty();
    }

    @Test
    void nobody_has_one_where_no_folder_is_named() {
        System.clearProperty(ClassArchive.FOLDER);
        assertThat(ClassArchive.of(OF_A_JAR, FLAGS)).isEmpty();
        assertThat(ClassArchive.passedOn()).isEmpty();
    }

    @Test
    void the_folder_is_named_to_processes_that_start_others() {
        assertThat(ClassArchive.passedOn()).containsExactly("-D" + ClassArchive.FOLDER + "=" + folder);
    }

    @Test
    void what_serves_writes_it_when_it_ends_and_what_answers_does_not() {
        assertThat(JavaCommand.serving(OF_A_JAR, List.of("x")).command())
                .contains("-XX:+AutoCreateSharedArchive")
                .anyMatch(flag -> flag.startsWith("-XX:SharedArchiveFile=" + folder));
        assertThat(JavaCommand.answering(OF_A_JAR, List.of("x")).command())
                .doesNotContain("-XX:+AutoCreateSharedArchive")
                .anyMatch(flag -> flag.startsWith("-XX:SharedArchiveFile=" + folder));
    }

    @Test
    void it_is_written_by_the_first_that_ends_and_then_used() throws Exception {
        Process first = JavaCommand.serving("picocli.AutoComplete", List.of("-h"))
                .redirectErrorStream(true)
                .start();
        String said = new String(first.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(first.waitFor()).as(said).isZero();
        assertThat(folder).isDirectoryContaining(file -> file.toString().endsWith(".jsa"));
        ProcessBuilder second = JavaCommand.answering("picocli.AutoComplete", List.of("-h"));
        second.command().add(1, "-Xlog:class+load");
        Process again = second.redirectErrorStream(true).start();
        said = new String(again.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(again.waitFor()).isZero();
        assertThat(said).contains("source: shared objects file (top)");
    }
}
