package io.holdfast.localstack;

import io.holdfast.localstack.Signals.Signal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One Redis of ours: append-only file on, nothing ever evicted. */
public final class RedisServer extends LocalServer {

    private final RedisSettings settings;
    private final Path program;
    private final Path data;
    private int backups;

    private RedisServer(RedisSettings settings, DataFolder folder, Path program) {
        super(Service.REDIS, folder, program, Signal.TERM, Duration.ofSeconds(30));
        this.settings = settings;
        this.program = program;
        this.data = folder.resolve("data");
    }

    /**
     * Takes the folder, ends what an earlier owner left running there, and starts. Returns when the server has read all its
     * data and answers.
     *
     * @throws LocalStackException if it cannot, with the reason and what to do
     */
    public static RedisServer start(RedisSettings settings) {
        return startIn(Service.REDIS, settings.folder(), Signal.TERM, settings.port(), folder -> {
            Path program = settings.chosenProgram()
                    .map(RedisServer::executable)
                    .orElseGet(
                            () -> Binaries.cachedOr(folder.resolve("programs")).redisServer());
            return new RedisServer(settings, folder, program);
        });
    }

    private static Path executable(Path program) {
        if (!Files.isExecutable(program)) {
            throw new LocalStackException(
                    "%s is no program that can be run: name a redis-server, or leave out %s to use the one that comes along"
                            .formatted(program.toAbsolutePath(), RedisSettings.PROGRAM));
        }
        return program.toAbsolutePath();
    }

    /** {@code redis://127.0.0.1:port}. */
    public String uri() {
        return "redis://" + host() + ":" + port();
    }

    /** The {@code redis-server} that runs. */
    public Path program() {
        return program;
    }

    /** Where Redis keeps its append-only file. */
    public Path dataFolder() {
        return data;
    }

    /**
     * Sends one command, as somebody at a terminal would.
     *
     * @return the parts of the answer: one for a simple answer, all elements for a list
     * @throws LocalStackException if it does not answer, or answers with an error
     */
    public List<String> ask(String... words) {
        try (RedisWire wire = new RedisWire(host(), port())) {
            List<String> answer = wire.ask(words);
            if (!answer.isEmpty() && answer.getFirst().startsWith("-")) {
                throw new LocalStackException("Redis refused " + words[0] + ": " + answer.getFirst());
            }
            return answer;
        } catch (IOException e) {
            throw new LocalStackException("Redis at " + uri() + " does not answer: " + e.getMessage());
        }
    }

    /** Kills it, removes all data and starts it empty on the same port. */
    public synchronized void wipe() {
        kill();
        FileTree.delete(data);
        start();
    }

    /** Copies the data as they are now, with everything answered so far, and returns where the copy is. */
    public synchronized Path backup() {
        if (isRunning()) {
            writeOut();
        }
        backups++;
        Path copy = folder().resolve("backups").resolve(System.currentTimeMillis() + "-" + backups);
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

    /** Changing this setting makes Redis write and force everything before it answers. */
    private void writeOut() {
        try (RedisWire wire = new RedisWire(host(), port())) {
            wire.ask("CONFIG", "SET", "appendfsync", RedisFsync.ALWAYS.setting());
            wire.ask("CONFIG", "SET", "appendfsync", settings.fsync().setting());
        } catch (IOException e) {
            throw new LocalStackException(
                    "Redis on port %d does not answer, so its data cannot be copied: resume or stop it first"
                            .formatted(port()),
                    e);
        }
    }

    /** It has one process only. */
    @Override
    void endStragglers() {}

    @Override
    ServerProcess launchProgram() {
        Path configuration = folder().resolve("redis.conf");
        List<String> lines = new ArrayList<>(List.of(
                "bind " + host(),
                "port " + port(),
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
            Files.write(configuration, lines);
        } catch (IOException e) {
            throw unusableFolder(e);
        }
        return ServerProcess.launch(
                Service.REDIS, folder(), List.of(program.toString(), configuration.toString()), Signal.TERM);
    }

    /** Redis accepts connections long before it has read its file; only PONG means that it serves. */
    @Override
    Readiness readiness(ServerProcess launched) {
        try (RedisWire wire = new RedisWire(host(), port())) {
            String answer = wire.ask("PING").getFirst();
            boolean serves = answer.equals("PONG") || answer.startsWith("-NOAUTH") || answer.startsWith("-MASTERDOWN");
            return serves ? Readiness.READY : Readiness.BUSY;
        } catch (IOException e) {
            return Readiness.SILENT; // not listening yet
        }
    }

    /** Believes only the server itself. Settings that the extra lines take over are the caller's business. */
    @Override
    void verify() {
        if (overridden("requirepass")) {
            return;
        }
        try (RedisWire wire = new RedisWire(host(), port())) {
            verify(wire, "appendonly", "yes");
            verify(wire, "appendfsync", settings.fsync().setting());
            verify(wire, "maxmemory-policy", "noeviction");
        } catch (IOException e) {
            throw new LocalStackException(
                    "Redis on port %d stopped answering while starting: look at %s".formatted(port(), log()), e);
        }
    }

    private void verify(RedisWire wire, String setting, String wanted) throws IOException {
        List<String> answer = wire.ask("CONFIG", "GET", setting);
        if (!overridden(setting) && !answer.equals(List.of(setting, wanted))) {
            throw new LocalStackException("Redis on port %d runs with %s instead of %s %s: look at %s"
                    .formatted(port(), answer, setting, wanted, log()));
        }
    }

    private boolean overridden(String setting) {
        return settings.extraLines().stream().anyMatch(line -> line.strip().startsWith(setting + " "));
    }

    private static String quoted(Path path) {
        return "\"" + path.toString().replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
}
