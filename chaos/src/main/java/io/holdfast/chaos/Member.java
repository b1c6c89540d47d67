package io.holdfast.chaos;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One node of the fleet: a process, its settings and its lines. It comes and goes and keeps its addresses. */
final class Member implements AutoCloseable {

    private static final Duration ASKED_WITHIN = Duration.ofSeconds(5);

    private final int number;
    private final Lines lines;
    private final int httpPort;
    private final Path config;
    private final Path log;
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(ASKED_WITHIN)
            .build();
    private Distribution distribution;
    private @Nullable Process process;
    private boolean wanted;

    Member(int number, Lines lines, int httpPort, Path config, Path log, Distribution distribution) {
        this.number = number;
        this.lines = lines;
        this.httpPort = httpPort;
        this.config = config;
        this.log = log;
        this.distribution = distribution;
    }

    String name() {
        return "node " + number;
    }

    Lines lines() {
        return lines;
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + httpPort);
    }

    /** The version it is started from the next time. */
    synchronized void use(Distribution other) {
        distribution = other;
    }

    /** Starts it unless it runs; it need not serve yet. From now on it is wanted: {@link #revive()} starts it again. */
    synchronized void start() {
        wanted = true;
        if (process != null && process.isAlive()) {
            return;
        }
        try {
            process = distribution
                    .node(config)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                    .start();
        } catch (IOException e) {
            throw new ChaosException(name() + " can't be started: " + e.getMessage(), e);
        }
    }

    /**
     * Starts it again if it has ended by itself, as whoever looks after processes does.
     *
     * @return the exit code with which it had ended
     */
    synchronized OptionalInt revive() {
        if (!wanted || process == null || process.isAlive()) {
            return OptionalInt.empty();
        }
        int code = process.exitValue();
        start();
        return OptionalInt.of(code);
    }

    /** SIGKILL: no hook runs, nothing is flushed. It stays away until it is started. */
    synchronized void kill() {
        wanted = false;
        if (process != null) {
            process.destroyForcibly();
            await(process, Duration.ofSeconds(10));
        }
    }

    /**
     * SIGTERM, as at an update.
     *
     * @return its exit code; empty if it had to be killed after so long
     */
    OptionalInt terminate(Duration patience) {
        Process ending;
        synchronized (this) {
            wanted = false;
            ending = process;
        }
        if (ending == null) {
            return OptionalInt.of(0);
        }
        ending.destroy();
        if (await(ending, patience)) {
            return OptionalInt.of(ending.exitValue());
        }
        kill();
        return OptionalInt.empty();
    }

    /** SIGSTOP: it stands still with all it has in hand, until {@link #thaw()}. */
    synchronized void freeze() {
        signal("STOP");
    }

    /** SIGCONT. */
    synchronized void thaw() {
        signal("CONT");
    }

    private void signal(String name) {
        if (process == null || !process.isAlive()) {
            return; // it has ended by itself meanwhile
        }
        try {
            new ProcessBuilder("sh", "-c", "kill -" + name + " " + process.pid())
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new ChaosException("no shell could be started to signal " + name() + ": put sh on the PATH", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether it says that it serves. */
    boolean ready() {
        try {
            return http.send(
                                    HttpRequest.newBuilder(address().resolve("/health/ready"))
                                            .timeout(ASKED_WITHIN)
                                            .build(),
                                    BodyHandlers.discarding())
                            .statusCode()
                    == 200;
        } catch (IOException e) {
            return false; // nobody listens yet
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static boolean await(Process ending, Duration patience) {
        try {
            return ending.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Ends it for good. */
    @Override
    public void close() {
        kill();
        http.shutdownNow();
    }
}
