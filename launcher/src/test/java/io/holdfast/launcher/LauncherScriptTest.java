package io.holdfast.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
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

    @ParameterizedTest
    @ValueSource(strings = {"-V", "--version", "dev -V", "node --version", "reconcile -V", "bench -V", "help -V"})
    void the_version_needs_no_java(String line) throws Exception {
        var ended = run(toolsWithoutJava().toString(), "", line.split(" "));
        assertThat(ended.exitCode()).isZero();
        assertThat(ended.out()).matches("holdfast [0-9]+\\.[0-9]+\\.[0-9]+(-SNAPSHOT)?\n");
        assertThat(ended.err()).isEmpty();
    }

    @Test
    void an_unknown_command_is_refused() throws Exception {
        var ended = run("/usr/bin:/bin", "", "devv");
        assertThat(ended.exitCode()).isEqualTo(2);
        assertThat(ended.err()).contains("holdfast: does not know the command 'devv'.");
    }

    @Test
    void of_two_first_starts_at_once_one_builds_and_the_other_waits() throws Exception {
        Path jdk = folder.resolve("jdk");
        fakeJava(jdk.resolve("bin"), "25.0.1");
        executable(jdk.resolve("bin/javac"), "");
        Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"25.0.1\"\n");
        Path home = Files.createDirectories(folder.resolve("home"));
        Path script = Files.copy(SCRIPT, home.resolve("holdfast"));
        Files.createDirectories(home.resolve("launcher/src/main"));
        Files.writeString(home.resolve("pom.xml"), "");
        Files.writeString(home.resolve("launcher/pom.xml"), "");
        executable(home.resolve("mvnw"), "echo built >> builds; until [ -e go ]; do sleep 0.05; done");

        var one = start(jdk, script, "one");
        await(() -> Files.exists(home.resolve("builds")), one);
        var other = start(jdk, script, "other");
        await(() -> Files.readString(folder.resolve("other")).contains("waits for another build"), other);
        Files.writeString(home.resolve("go"), "");

        assertThat(one.waitFor()).isZero();
        assertThat(other.waitFor()).isZero();
        assertThat(home.resolve("builds")).hasContent("built");
    }

    /** The commands as the usage names them, each with arguments that start it, and whether it means the stack of `dev`. */
    static List<Arguments> commands() {
        return List.of(
                arguments("dev", List.of("dev"), false),
                arguments("node", List.of("node"), false),
                arguments("check-config", List.of("check-config"), false),
                arguments("audit", List.of("audit", "replay", "x"), true),
                arguments("projection", List.of("projection", "list"), true),
                arguments("pool", List.of("pool", "rebuild", "--all"), true),
                arguments("reconcile", List.of("reconcile", "--all"), true),
                arguments("review", List.of("review", "list"), true),
                arguments("payments", List.of("payments", "reconcile", "--from", "x", "--to", "y"), true),
                arguments("simulate", List.of("simulate", "--seeds", "1"), false),
                arguments("chaos", List.of("chaos", "--minutes", "1"), false),
                arguments("bench", List.of("bench", "--list"), false),
                arguments("dlq", List.of("dlq", "list"), true),
                arguments("parked", List.of("parked", "list"), true),
                arguments("events", List.of("events", "replay"), true));
    }

    @Test
    void every_command_of_the_usage_is_told_of_the_stack_of_dev_or_not() throws Exception {
        var ended = run(toolsWithoutJava().toString(), "", "help");
        List<String> named = ended.out()
                .lines()
                .filter(line -> line.matches("  [a-z].*"))
                .map(line -> line.strip().split(" ")[0])
                .distinct()
                .filter(command -> !List.of("test", "campaign", "help").contains(command))
                .toList();
        assertThat(commands().stream().map(row -> row.get()[0]).toList())
                .as("a command that is new has to be told of it, or not")
                .containsExactlyInAnyOrderElementsOf(named);
    }

    @ParameterizedTest
    @MethodSource("commands")
    void a_command_that_means_a_running_stack_finds_the_one_dev_started(
            String command, List<String> arguments, boolean meansDev) throws Exception {
        Path home = builtHome();
        Path work = Files.createDirectories(folder.resolve("work"));
        assertThat(javaArguments(home, work, arguments)).doesNotContain("--config .holdfast/dev.conf");

        Files.createDirectories(work.resolve(".holdfast"));
        Files.writeString(work.resolve(".holdfast/dev.conf"), "");
        String given = String.join(" ", arguments);
        if (meansDev) {
            assertThat(javaArguments(home, work, arguments)).endsWith(given + " --config .holdfast/dev.conf\n");
        } else {
            assertThat(javaArguments(home, work, arguments)).doesNotContain(".holdfast/dev.conf");
        }
        for (List<String> more :
                List.of(List.of("--config", "my.conf"), List.of("--config=my.conf"), List.of("--help"))) {
            List<String> all = new ArrayList<>(arguments);
            all.addAll(more);
            assertThat(javaArguments(home, work, all)).doesNotContain(".holdfast/dev.conf");
        }
        assertThat(javaArguments(home, work, List.of(command))).doesNotContain(".holdfast/dev.conf");
    }

    @ParameterizedTest
    @ValueSource(strings = {"test --help", "test -h", "campaign --help", "campaign 5 -h", "bench micro --help"})
    void help_for_what_runs_maven_is_printed_without_it_and_without_java(String line) throws Exception {
        var ended = run(toolsWithoutJava().toString(), "", line.split(" "));
        assertThat(ended.exitCode()).isZero();
        assertThat(ended.out()).startsWith("Usage: ./holdfast " + line.replaceAll(" (5 )?-.*", ""));
        assertThat(ended.err()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"campaign many", "campaign 0", "campaign 5 -1"})
    void a_campaign_of_what_is_no_number_is_refused_in_one_line(String line) throws Exception {
        var ended = run(toolsWithoutJava().toString(), "", line.split(" "));
        assertThat(ended.exitCode()).isEqualTo(2);
        assertThat(ended.err().lines())
                .singleElement()
                .asString()
                .contains("must be a whole number above 0", "campaign --help");
    }

    @Test
    void a_campaign_simulates_then_tests_what_there_is_so_often_and_tries_nothing_again() throws Exception {
        Path home = builtHome();
        executable(home.resolve("mvnw"), "echo \"$@\"");
        String said = javaArguments(home, home, List.of("campaign", "7", "8", "9"));
        assertThat(said).contains("--seeds 7\n");
        List<String> maven =
                List.of(said.lines().reduce((_, last) -> last).orElseThrow().split(" "));
        assertThat(maven)
                .contains("-Dsim.runs=7", "-Dcrash.rounds=8", "-Dcrash.window-rounds=9", "-Dtest.reruns=0", "-am");
        String named = maven.stream()
                .filter(word -> word.startsWith("-Dtest="))
                .findFirst()
                .orElseThrow();
        // Of what these need, engine-testkit has a simulation of its own.
        List<String> modules =
                new ArrayList<>(List.of(maven.get(maven.indexOf("-pl") + 1).split(",")));
        modules.add("engine-testkit");
        List<String> tests = new ArrayList<>();
        for (String module : modules) {
            try (Stream<Path> files = Files.walk(SCRIPT.resolveSibling(module).resolve("src/test/java"))) {
                files.map(file -> file.getFileName().toString()).forEach(tests::add);
            }
        }
        assertThat(Stream.of(named.substring("-Dtest=".length()).split(",")).map(test -> test + ".java"))
                .isSubsetOf(tests);
    }

    /** A checkout that is built, with a java that says what it was given. */
    private Path builtHome() throws IOException {
        Path jdk = folder.resolve("echo-jdk");
        Files.createDirectories(jdk.resolve("bin"));
        executable(jdk.resolve("bin/java"), "echo \"$@\"");
        executable(jdk.resolve("bin/javac"), "");
        Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"25.0.1\"\n");
        Path home = Files.createDirectories(folder.resolve("built-home"));
        Files.copy(SCRIPT, home.resolve("holdfast"));
        Files.writeString(home.resolve("pom.xml"), "");
        executable(home.resolve("mvnw"), "exit 0");
        for (String module : List.of("launcher", "bench", "simulation", "chaos")) {
            Files.createDirectories(home.resolve(module + "/src/main"));
            Files.createDirectories(home.resolve(module + "/target"));
            Files.writeString(home.resolve(module + "/pom.xml"), "");
        }
        return home;
    }

    private String javaArguments(Path home, Path work, List<String> arguments)
            throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of("/bin/bash", home.resolve("holdfast").toString()));
        command.addAll(arguments);
        var builder = new ProcessBuilder(command).directory(work.toFile());
        builder.environment().clear();
        builder.environment().put("PATH", "/usr/bin:/bin");
        builder.environment().put("JAVA_HOME", folder.resolve("echo-jdk").toString());
        var process = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        return out;
    }

    private Process start(Path jdk, Path script, String errors) throws IOException {
        var builder = new ProcessBuilder("/bin/bash", script.toString(), "dev");
        builder.environment().clear();
        builder.environment().put("PATH", "/usr/bin:/bin");
        builder.environment().put("JAVA_HOME", jdk.toString());
        return builder.redirectError(folder.resolve(errors).toFile())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static void await(Callable<Boolean> condition, Process alive) throws Exception {
        while (!condition.call()) {
            assertThat(alive.isAlive()).isTrue();
            Thread.onSpinWait();
        }
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
