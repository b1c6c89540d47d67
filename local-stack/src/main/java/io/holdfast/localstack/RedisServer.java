package io.holdfast.localstack;

import io.holdfast.localstack.Signals.Signal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One Redis of ours: append-only file on, nothing ever evicted. Keeps its port and its folder until {@link #close()}, so that
 * it can be stopped, killed, paused, emptied or set back and started again under a running client.
 */
public final class RedisServer implements AutoCloseable {

    private static final Duration STOP_PATIENCE = Duration.ofSeconds(20);
    private static final Duration SILENCE_PATIENCE = Duration.ofSeconds(30);
    private static final long POLL_NANOS = 2_000_000;

    private final RedisSettings settings;
    private final DataFolder folder;
    private final Path data;
    private final Path program;
    private int port;
    private int backups;
    private @Nullable ServerProcess process;

    private RedisServer(RedisSettings settings, DataFolder folder, Path program) {
        this.settings = settings;
        this.folder = folder;
        this.data = folder.resolve("data");
        this.program = program;
    }

    /**
     * Takes the folder, ends what an earlier owner left running there, and starts. Returns when the server has read all its
     * data and answers.
     *
     * @throws LocalStackException if it cannot, with the reason and what to do
     */
    public static RedisServer start(RedisSettings settings) {
        DataFolder folder = DataFolder.take(Service.REDIS, settings.folder());
        try {
            ServerProcess.reap(Service.REDIS, folder, Signal.TERM, STOP_PATIENCE);
            RedisServer server =
                    new RedisServer(settings, folder, Binaries.cachedOr(folder.resolve("programs")).redisServer());
            server.startFirst();
            return server;
        } catch (RuntimeException e) {
            folder.close();
            throw e;
        }
    }

    /** {@code redis://127.0.0.1:port}. */
    public String uri() {
        return "redis://" + host() + ":" + port;
    }

    public String host() {
        return "127.0.0.1";
    }

    public int port() {
        return port;
    }

    /** Where Redis keeps its append-only file. */
    public Path dataFolder() {
        return data;
    }

    /** The number of the running process. */
    public synchronized long pid() {
        return running().pid();
    }

    /** What the server has said. */
    public Path log() {
        return folder.resolve(ServerProcess.LOG);
    }

    public synchronized boolean isRunning() {
        return process != null && process.isAlive();
    }

    /** Starts again on the same port with the data that is there; does nothing if it runs. */
    public synchronized void start() {
        if (!isRunning()) {
            Ports.requireFree(Service.REDIS, port);
            launch();
        }
    }

    /** Ends it cleanly, everything written to the disk. */
    public synchronized void stop() {
        if (process != null) {
            process.end(Signal.TERM, STOP_PATIENCE);
            process = null;
        }
    }

    /** SIGKILL, as by the kernel when memory runs out. What was answered is in the append-only file and comes back. */
    public synchronized void kill() {
        if (process != null) {
            process.kill();
            process = null;
        }
    }

    /** SIGSTOP: connections stay open and nothing answers, until {@link #resume()}. */
    public synchronized void pause() {
        running().signal(Signal.STOP);
    }

    /** SIGCONT: what arrived during the pause is done now. */
    public synchronized void resume() {
        running().signal(Signal.CONT);
    }

    /** Kills it, removes all data and starts it empty on the same port. */
    public synchronized void wipe() {
        kill();
        FileTree.delete(data);
        start();
    }

    /** Copies the data as they are now, with everything answered so far, and returns where the copy is. */
    public synchronized Path backup() {
        backups++;
        Path copy = folder.resolve("backups").resolve(Long.toString(System.currentTimeMillis()) + "-" + backups);
        FileTree.copy(data, copy);
        return copy;
    }

    /** Kills it, puts the data of a {@link #backup()} in place of its own, and starts it on the same port. */
    public synchronized void restore(Path backup) {
        if (!Files.isDirectory(backup)) {
            throw new LocalStackException("there is no backup at " + backup + ": give the path that backup() returned");
        }
        kill();
        FileTree.delete(data);
        FileTree.copy(backup, data);
        start();
    }

    /** Ends it cleanly and gives up its folder; it cannot be started again. */
    @Override
    public synchronized void close() {
        try {
            stop();
        } finally {
            folder.close();
        }
    }

    private ServerProcess running() {
        if (process == null || !process.isAlive()) {
            throw new LocalStackException("Redis on port " + port + " is not running: start it first");
        }
        return process;
    }

    private synchronized void startFirst() {
        Ports.launchOn(Service.REDIS, settings.port(), chosen -> {
            port = chosen;
            launch();
        });
    }

    private void launch() {
        writeConfiguration();
        ServerProcess launched = ServerProcess.launch(
                Service.REDIS, folder, List.of(program.toString(), folder.resolve("redis.conf").toString()), Signal.TERM);
        process = launched;
        try {
            awaitReady(launched);
            verify();
        } catch (RuntimeException e) {
            if (launched.isAlive()) {
                launched.kill();
            }
            process = null;
            throw e;
        }
    }

    private void writeConfiguration() {
        List<String> lines = new ArrayList<>(List.of(
                "bind 127.0.0.1",
                "port " + port,
                "dir " + quoted(data),
                "appendonly yes",
                "appendfsync " + settings.fsync().setting(),
                "maxmemory-policy noeviction",
                "save \"\"",
                "tcp-backlog 128",
                "daemonize no"));
        lines.addAll(settings.extraLines());
        try {
            Files.createDirectories(data);
            Files.write(folder.resolve("redis.conf"), lines);
        } catch (IOException e) {
            throw new LocalStackException(
                    "the folder %s for Redis cannot be written (%s): make it writable or choose another folder"
                            .formatted(folder.path(), e),
                    e);
        }
    }

    private static String quoted(Path path) {
        return "\"" + path.toString().replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }

    /** Redis accepts connections long before it has read its file; only PONG means that it serves. */
    private void awaitReady(ServerProcess launched) {
        long lastSign = System.nanoTime();
        while (System.nanoTime() - lastSign < SILENCE_PATIENCE.toNanos()) {
            if (!launched.isAlive()) {
                throw launched.whyItEnded(program, port);
            }
            try (RedisWire wire = new RedisWire(host(), port)) {
                String answer = wire.ask("PING").getFirst();
                if (answer.equals("PONG") || answer.startsWith("-NOAUTH") || answer.startsWith("-MASTERDOWN")) {
                    return;
                }
                lastSign = System.nanoTime(); // loading: as long as it takes
            } catch (IOException e) {
                LockSupport.parkNanos(POLL_NANOS); // not listening yet
                continue;
            }
            LockSupport.parkNanos(POLL_NANOS * 10);
        }
        throw new LocalStackException("Redis on port %d has not answered for %d seconds: look at %s"
                .formatted(port, SILENCE_PATIENCE.toSeconds(), log()));
    }

    /** Believes only the server itself. Settings that the extra lines take over are the caller's business. */
    private void verify() {
        verify("appendonly", "yes");
        verify("appendfsync", settings.fsync().setting());
        verify("maxmemory-policy", "noeviction");
    }

    private void verify(String setting, String wanted) {
        if (settings.extraLines().stream().anyMatch(line -> line.strip().startsWith(setting + " ") || line.strip().startsWith("requirepass "))) {
            return;
        }
        try (RedisWire wire = new RedisWire(host(), port)) {
            List<String> answer = wire.ask("CONFIG", "GET", setting);
            if (!answer.equals(List.of(setting, wanted))) {
                throw new LocalStackException("Redis on port %d runs with %s instead of %s %s: remove what overrides it in %s"
                        .formatted(port, answer, setting, wanted, folder.path()));
            }
        } catch (IOException e) {
            throw new LocalStackException("Redis on port %d stopped answering while starting: look at %s".formatted(port, log()), e);
        }
    }
}
