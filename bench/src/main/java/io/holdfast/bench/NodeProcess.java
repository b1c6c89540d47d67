package io.holdfast.bench;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A node in a JVM of its own, with the flags of production, so that it can be killed as a machine dies. */
public final class NodeProcess implements AutoCloseable {

    private static final Duration START_PATIENCE = Duration.ofSeconds(90);
    private static final List<String> FLAGS =
            List.of("-XX:+UseParallelGC", "-XX:+UseCompactObjectHeaders", "-XX:+UseTransparentHugePages");

    private final Map<String, String> environment;
    private final int port;
    private final Path log;
    private Process process;

    private NodeProcess(Map<String, String> environment, int port, Path log, Process process) {
        this.environment = environment;
        this.port = port;
        this.log = log;
        this.process = process;
    }

    /**
     * Starts a node and waits until it serves.
     *
     * @param settings by their environment variables; the port is chosen here
     * @param log where its output goes
     */
    public static NodeProcess start(Map<String, String> settings, Path log) throws IOException, InterruptedException {
        int port = freePort();
        Map<String, String> environment = new HashMap<>(settings);
        environment.put("HOLDFAST_HTTP_PORT", Integer.toString(port));
        var node = new NodeProcess(environment, port, log, launch(environment, log));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> node.process.destroyForcibly(), "end-node"));
        node.awaitReady();
        return node;
    }

    /** Where it serves. */
    public URI address() {
        return URI.create("http://127.0.0.1:" + port);
    }

    /** SIGKILL: no hook runs, nothing is flushed. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Starts it again and waits until it serves. */
    public void restart() throws IOException, InterruptedException {
        process = launch(environment, log);
        awaitReady();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    private static Process launch(Map<String, String> environment, Path log) throws IOException {
        ProcessBuilder builder = ChildJvm.of("io.holdfast.node.NodeMain", FLAGS, List.of("node"));
        builder.environment().putAll(environment);
        return builder.redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                .start();
    }

    private void awaitReady() throws InterruptedException {
        var request = HttpRequest.newBuilder(address().resolve("/health/ready")).build();
        long deadline = System.nanoTime() + START_PATIENCE.toNanos();
        try (HttpClient client = HttpClient.newHttpClient()) {
            while (System.nanoTime() < deadline) {
                if (!process.isAlive()) {
                    throw new IllegalStateException(
                            "the node ended while it started (exit code " + process.exitValue() + "): see " + log);
                }
                if (ready(client, request)) {
                    return;
                }
                TimeUnit.MILLISECONDS.sleep(50);
            }
        }
        throw new IllegalStateException(
                "the node was not ready within " + START_PATIENCE.toSeconds() + " s: see " + log);
    }

    private static boolean ready(HttpClient client, HttpRequest request) throws InterruptedException {
        try {
            return client.send(request, BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException e) {
            return false; // not listening yet
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
