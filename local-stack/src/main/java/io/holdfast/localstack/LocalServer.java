package io.holdfast.localstack;

import io.holdfast.localstack.Signals.Signal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One server of ours. Keeps its port and its folder until {@link #close()}, so that it can be stopped, killed or paused and
 * come back under a running client. Every failure is a {@link LocalStackException}.
 */
public abstract sealed class LocalServer implements AutoCloseable permits PostgresServer, RedisServer, KafkaServer {

    private static final Duration STOP_PATIENCE = Duration.ofSeconds(60);
    private static final long POLL_NANOS = 5_000_000;

    private final Service service;
    private final DataFolder folder;
    private final Path program;
    private final Signal goodbye;
    private final Duration silencePatience;
    private int port;
    private @Nullable ServerProcess process;

    /**
     * @param program what is run, for messages
     * @param goodbye the signal that asks this program to end cleanly
     * @param silencePatience how long the program may give no sign of life while it starts
     */
    LocalServer(Service service, DataFolder folder, Path program, Signal goodbye, Duration silencePatience) {
        this.service = service;
        this.folder = folder;
        this.program = program;
        this.goodbye = goodbye;
        this.silencePatience = silencePatience;
    }

    /** What a starting server shows of itself. */
    enum Readiness {
        SILENT,
        BUSY,
        READY
    }

    /** 127.0.0.1. */
    public final String host() {
        return "127.0.0.1";
    }

    public final synchronized int port() {
        return port;
    }

    /** The number of the running process. */
    public final synchronized long pid() {
        return running().pid();
    }

    /** What the server has said. */
    public final Path log() {
        return folder.resolve(ServerProcess.LOG);
    }

    public final synchronized boolean isRunning() {
        return process != null && process.isAlive();
    }

    /** Starts again on the same port with the data that is there; does nothing if it runs. */
    public final synchronized void start() {
        if (!isRunning()) {
            stop();
            Ports.requireFree(service, port);
            launch();
        }
    }

    /** Ends it cleanly, everything written to the disk. */
    public final synchronized void stop() {
        end(goodbye);
    }

    /** SIGKILL for all its processes, as by the kernel when memory runs out. */
    public final synchronized void kill() {
        if (process != null) {
            process.kill();
            process = null;
            endStragglers();
        }
    }

    /** SIGSTOP for all its processes: connections stay open and nothing answers, until {@link #resume()}. */
    public final synchronized void pause() {
        running().freeze();
    }

    /** SIGCONT: what arrived during the pause is done now. */
    public final synchronized void resume() {
        running().signalWhole(Signal.CONT);
    }

    /** Ends it cleanly and gives up its folder; it cannot be started again. */
    @Override
    public final synchronized void close() {
        try {
            stop();
        } finally {
            folder.close();
        }
    }

    /** Takes the folder, ends what an earlier owner left running in it, makes the server and starts it. */
    static <S extends LocalServer> S startIn(
            Service service, Path path, Signal goodbye, int wantedPort, Function<DataFolder, S> make) {
        DataFolder folder = DataFolder.take(service, path);
        try {
            ServerProcess.reap(service, folder, goodbye, STOP_PATIENCE);
            S server = make.apply(folder);
            LocalServer starting = server;
            starting.startFirst(wantedPort);
            return server;
        } catch (RuntimeException e) {
            folder.close();
            throw e;
        }
    }

    final DataFolder folder() {
        return folder;
    }

    final synchronized void end(Signal signal) {
        if (process != null) {
            process.signalWhole(Signal.CONT); // a paused one would not hear
            process.end(signal, STOP_PATIENCE);
            process = null;
            endStragglers();
        }
    }

    final LocalStackException unusableFolder(Exception cause) {
        return new LocalStackException(
                "the folder %s for %s cannot be used (%s): make it writable or choose another folder"
                        .formatted(folder.path(), service.title(), cause),
                cause);
    }

    /** Ends processes of this server that may live on although their server is gone. */
    abstract void endStragglers();

    /** Makes everything ready and launches the program, which need not answer yet. */
    abstract ServerProcess launchProgram();

    abstract Readiness readiness(ServerProcess launched);

    /** Asks the server, now that it answers, whether it is set as it must be. */
    abstract void verify();

    private ServerProcess running() {
        if (process == null || !process.isAlive()) {
            throw new LocalStackException(
                    "%s on port %d is not running: start it first".formatted(service.title(), port));
        }
        return process;
    }

    private synchronized void startFirst(int wantedPort) {
        Ports.launchOn(service, wantedPort, chosen -> {
            port = chosen;
            launch();
        });
    }

    private synchronized void launch() {
        endStragglers();
        ServerProcess launched = launchProgram();
        process = launched;
        try {
            awaitReady(launched);
            verify();
        } catch (RuntimeException e) {
            kill();
            throw e;
        }
    }

    private void awaitReady(ServerProcess launched) {
        long lastSign = System.nanoTime();
        while (System.nanoTime() - lastSign < silencePatience.toNanos()) {
            if (!launched.isAlive()) {
                throw launched.whyItEnded(program, port);
            }
            switch (readiness(launched)) {
                case READY -> {
                    return;
                }
                case BUSY -> lastSign = System.nanoTime();
                case SILENT -> {}
            }
            LockSupport.parkNanos(POLL_NANOS);
            if (Thread.currentThread().isInterrupted()) {
                throw new LocalStackException(
                        "%s was interrupted while it started: start it again".formatted(service.title()));
            }
        }
        throw new LocalStackException("%s on port %d has not answered for %d seconds: look at %s"
                .formatted(service.title(), port, silencePatience.toSeconds(), log()));
    }
}
