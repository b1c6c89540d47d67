package io.holdfast.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The script before any Java runs: what it says when there is no JDK it can use. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class LauncherScriptTest {

    private static final Path SCRIPT =
            Path.of("..", "holdfast").toAbsolutePath().normalize();

    @TempDir
    Path folder;

    private record Ended(int exitCode, String out, String err) {}

    @ParameterizedTest
    @ValueSource(strings = {"dev", "node", "audit", "check-config", "test"})
    void an_unsuitable_jdk_is_said_in_one_line_with_the_one_it_needs(String command) throws Exception {
        fakeJava(folder.resolve("bin"), "17.0.15");
        var ended = run(folder.resolve("bin") + ":/usr/bin:/bin", "", command);
        assertThat(ended.exitCode()).isEqualTo(2);
        assertThat(ended.err())
                .isEqualTo("holdfast: needs a JDK 25 or newer (with javac) and found 17.0.15; install one, for example"
                        + " Temurin from https://adoptium.net/temurin/releases/?version=25, and point JAVA_HOME at"
                        + " it.\n");
        assertThat(ended.out()).isEmpty();
    }

    @Test
    void every_version_it_found_is_named_once() throws Exception {
        fakeJava(folder.resolve("path/bin"), "11.0.2");
        fakeJava(folder.resolve("jdks/a/bin"), "1.8.0_402");
        fakeJava(folder.resolve("jdks/b/bin"), "21.0.9");
        fakeJava(folder.resolve("jdks/c/bin"), "21.0.9");
        var ended = run(
                folder.resolve("path/bin") + ":/usr/bin:/bin",
                folder.resolve("jdks").toString(),
                "dev");
        assertThat(ended.err()).contains("found 11.0.2, 1.8.0_402, 21.0.9;");
    }

    @Test
    void no_java_at_all_is_said_too() throws Exception {
        var ended = run(toolsWithoutJava().toString(), "", "dev");
        assertThat(ended.exitCode()).isEqualTo(2);
        assertThat(ended.err()).contains("found no Java at all;");
    }

    @Test
    void a_recent_java_without_a_compiler_does_not_do() throws Exception {
        Path bin = folder.resolve("jre/bin");
        fakeJava(bin, "25.0.1");
        var ended = run(bin + ":/usr/bin:/bin", "", "dev");
        assertThat(ended.err()).contains("(with javac) and found 25.0.1;");
    }

    @Test
    void help_needs_no_java() throws Exception {
        var ended = run(toolsWithoutJava().toString(), "", "help");
        assertThat(ended.exitCode()).isZero();
        assertThat(ended.out()).contains("dev --tour", "audit replay ID");
    }

    @Test
    void an_unknown_command_is_refused() throws Exception {
        var ended = run("/usr/bin:/bin", "", "devv");
        assertThat(ended.exitCode()).isEqualTo(2);
        assertThat(ended.err()).contains("holdfast: does not know the command 'devv'.");
    }

    private static void fakeJava(Path bin, String version) throws IOException {
        Files.createDirectories(bin);
        executable(bin.resolve("java"), "echo 'openjdk version \"" + version + "\" 2026-01-01' >&2");
    }

    private static void executable(Path file, String line) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + line + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** A folder with what the script uses of the system, and no java: /usr/bin may have one. */
    private Path toolsWithoutJava() throws IOException {
        Path tools = Files.createDirectories(folder.resolve("tools"));
        for (String tool : List.of("dirname", "tr", "sed", "head", "readlink", "cat", "find", "mkdir", "rm", "grep")) {
            executable(tools.resolve(tool), "exec /usr/bin/" + tool + " \"$@\"");
        }
        return tools;
    }

    private static Ended run(String path, String jdkFolders, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("/bin/bash", SCRIPT.toString()));
        command.addAll(Arrays.asList(arguments));
        var builder = new ProcessBuilder(command);
        builder.environment().clear();
        builder.environment().put("PATH", path);
        builder.environment().put("HOLDFAST_JDK_FOLDERS", jdkFolders);
        var process = builder.start();
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), out, err);
    }
}
