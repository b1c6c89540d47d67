package io.holdfast.localstack;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Another JVM that runs {@link OwnerMain}. */
final class Owner implements AutoCloseable {

    private final Process process;
    private final BufferedReader words;

    private Owner(List<String> command, Map<String, String> environment) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(environment);
        process = builder.start();
        words = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    static Owner of(Path folder) throws IOException {
        return launch(List.of(), System.getProperty("java.class.path"), folder, Map.of());
    }

    /**
     * @param prefix words before the command, to run it as somebody else
     */
    static Owner launch(List<String> prefix, String classPath, Path folder, Map<String, String> environment)
            throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx128m"));
        if (prefix.isEmpty()) { // another user may not go where the templates are
            command.addAll(DataTemplate.passedOn());
        }
        command.addAll(List.of("-cp", classPath, OwnerMain.class.getName(), folder.toString()));
        return new Owner(command, environment);
    }

    /** Waits until it has said what runs; anything else it says is a failure. */
    Running awaitUp() throws IOException {
        String line = firstLine();
        if (!line.startsWith("up ")) {
            throw new AssertionError("the owner did not start: " + line);
        }
        String[] words = line.split(" ");
        return new Running(
                identity(words[1]), Integer.parseInt(words[2]), identity(words[3]), Integer.parseInt(words[4]));
    }

    String firstLine() throws IOException {
        String line = words.readLine();
        return line == null ? "" : line;
    }

    List<String> furtherLines() {
        return words.lines().toList();
    }

    long pid() {
        return process.pid();
    }

    /** All processes it has started, guards among them. */
    List<ProcessIdentity> children() {
        return process.children()
                .map(ProcessHandle::pid)
                .map(pid -> ProcessIdentity.of(pid).orElseThrow())
                .toList();
    }

    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Lets it leave through {@code System.exit} without closing its stack. */
    void exit() throws IOException, InterruptedException {
        process.getOutputStream().write('\n');
        process.getOutputStream().flush();
        process.waitFor();
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        words.close();
    }

    private static ProcessIdentity identity(String pid) {
        return ProcessIdentity.of(Long.parseLong(pid)).orElseThrow();
    }

    record Running(ProcessIdentity postgres, int postgresPort, ProcessIdentity redis, int redisPort) {

        List<ProcessIdentity> both() {
            return Stream.of(postgres, redis).toList();
        }
    }
}
