package io.holdfast.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
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
                .allMatch(jar -> jar.getFileName().toString().startsWith("picocli"));
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
    void a_process_of_a_jar_prepares_for_it_until_it_is_written() {
        assertThat(JavaCommand.of(OF_A_JAR, List.of("x")).command())
                .contains("-XX:+RecordDynamicDumpInfo")
                .noneMatch(flag -> flag.startsWith("-XX:SharedArchiveFile"));
    }
}
