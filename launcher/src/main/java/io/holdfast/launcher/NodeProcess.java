package io.holdfast.launcher;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** A node in a JVM of its own, so that it can be killed as a machine dies. */
public final class NodeProcess implements AutoCloseable {

    private static final String MAIN = "io.holdfast.node.NodeMain";
    private static final Duration START_PATIENCE = Duration.ofSeconds(90);
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(40);

    private final Supplier<ProcessBuilder> command;
    private final int port;
    private final Path log;
    private volatile Process process;

    private NodeProcess(Supplier<ProcessBuilder> command, int port, Path log, Process process) {
        this.command = command;
        this.port = port;
        this.log = log;
        this.process = process;
    }

    /**
     * Starts a node and waits until it serves.
     *
     * @param config its settings file
     * @param port the HTTP port that file names
     * @param log where its output goes
     */
    public static NodeProcess start(Path config, int port, Path log) throws IOException, InterruptedException {
        return start(() -> command(config), port, log);
    }

    /** How a node with these settings is started: light, with its classes from an archive where one is kept. */
    public static ProcessBuilder command(Path config) {
        return JavaCommand.serving(MAIN, List.of("node", "--config", config.toString()));
    }

    /**
     * Starts a node and waits until it serves.
     *
     * @param command starts one; called again for every restart
     * @param port the HTTP port it will have
     * @param log where its output goes
     */
    public static NodeProcess start(Supplier<ProcessBuilder> command, int port, Path log)
            throws IOException, InterruptedException {
        var node = new NodeProcess(command, port, log, launch(command, log));
        // Whatever ends this process must not leave the node behind.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> node.process.destroyForcibly(), "end-node"));
        node.awaitReady();
        return node;
    }

    /** Where it serves. */
    public URI address() {
        return URI.create("http://127.0.0.1:" + port);
    }

    /** Number of the process. */
    public long pid() {
        return process.pid();
    }

    /** SIGKILL: no hook runs, nothing is flushed. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** SIGSTOP: it stands still with all it has in hand, until {@link #thaw()}. */
    public void freeze() throws IOException, InterruptedException {
        signal("STOP");
    }

    /** SIGCONT. */
    public void thaw() throws IOException, InterruptedException {
        signal("CONT");
    }

    private void signal(String name) throws IOException, InterruptedException {
        int exit = new ProcessBuilder("sh", "-c", "kill -" + name + " " + process.pid())
                .start()
                .waitFor();
        if (exit != 0) {
            throw new IOException("the node could not be sent SIG" + name);
        }
    }

    /** How it ended; waits until it has. */
    public int exitCode() throws InterruptedException {
        return process.waitFor();
    }

    /** Starts it again and waits until it serves. */
    public void restart() throws IOException, InterruptedException {
        process = launch(command, log);
        awaitReady();
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(STOP_PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private static Process launch(Supplier<ProcessBuilder> command, Path log) throws IOException {
        return command.get()
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                .start();
    }

    private void awaitReady() throws InterruptedException {
        var api = new Api(address());
        long deadline = System.nanoTime() + START_PATIENCE.toNanos();
        while (System.nanoTime() < deadline) {
            if (!process.isAlive()) {
                throw new LaunchException(
                        "The node ended while it started (exit code " + process.exitValue() + "): see " + log + ".");
            }
            try {
                if (api.get("/health/ready").status() == 200) {
                    return;
                }
            } catch (Api.NoAnswer e) {
                // Not listening yet: what this loop is for.
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
        throw new LaunchException(
                "The node was not ready within " + START_PATIENCE.toSeconds() + " s: see " + log + ".");
    }
}
