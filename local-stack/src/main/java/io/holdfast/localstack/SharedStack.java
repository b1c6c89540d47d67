package io.holdfast.localstack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * For tests: one PostgreSQL, one Redis and one Kafka per JVM, started when first asked for and ended with the JVM. They begin empty and
 * live under {@code target/local-stack} of the working directory. Whoever breaks a server starts a private one instead.
 */
public final class SharedStack {

    private static final Path ROOT = Path.of("target", "local-stack");
    /** How often each name was asked for. */
    private static final Map<String, Integer> TAKEN = new ConcurrentHashMap<>();

    private static @Nullable Path folder;
    private static @Nullable PostgresServer postgres;
    private static @Nullable RedisServer redis;
    private static @Nullable KafkaServer kafka;

    private SharedStack() {}

    /** The shared PostgreSQL. Take a database of your own with {@link #freshDatabase}. */
    public static synchronized PostgresServer postgres() {
        if (postgres == null) {
            postgres = PostgresServer.start(PostgresSettings.in(freshFolder("postgres")));
            closeAtEnd(postgres);
        }
        return postgres;
    }

    /** The shared Redis. Keep to keys of your own; never flush, stop or reconfigure it. */
    public static synchronized RedisServer redis() {
        if (redis == null) {
            redis = RedisServer.start(RedisSettings.in(freshFolder("redis")));
            closeAtEnd(redis);
        }
        return redis;
    }

    /** The shared Kafka. Keep to topics and groups of your own; never stop it. */
    public static synchronized KafkaServer kafka() {
        if (kafka == null) {
            kafka = KafkaServer.start(KafkaSettings.in(freshFolder("kafka")));
            closeAtEnd(kafka);
        }
        return kafka;
    }

    /**
     * An empty database of the caller's own in the shared PostgreSQL.
     *
     * @param name what it is for; numbered where it was taken before, so a test that runs again gets another one
     * @return its JDBC URL
     */
    public static String freshDatabase(String name) {
        return postgres().createDatabase(numbered("database " + name, name));
    }

    /**
     * A database of the caller's own that begins as a copy of another one in the shared PostgreSQL.
     *
     * @param name as above
     * @param template name of the other one; nobody may be connected to it meanwhile
     * @return its JDBC URL
     */
    public static String freshCopy(String name, String template) {
        return postgres().createDatabase(numbered("database " + name, name), template);
    }

    /**
     * A folder of this JVM for a server of the test's own, not there yet.
     *
     * @param name what the server is for; numbered where it was taken before, so a test that runs again gets another one
     */
    public static synchronized Path freshFolder(String name) {
        if (folder == null) {
            removeLeftOvers(ROOT);
            folder = ROOT.resolve("jvm-" + ProcessHandle.current().pid()).toAbsolutePath();
            FileTree.delete(folder);
        }
        return folder.resolve(numbered("folder " + name, name));
    }

    private static String numbered(String what, String name) {
        int before = TAKEN.merge(what, 1, Integer::sum) - 1;
        return before == 0 ? name : name + "_" + before;
    }

    private static void closeAtEnd(AutoCloseable server) {
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            try {
                                server.close();
                            } catch (Exception e) {
                                System.err.println("a test server did not end cleanly: " + e.getMessage());
                            }
                        },
                        "end-test-server"));
    }

    /** Folders of earlier test JVMs; those of one that still lives stay. */
    static void removeLeftOvers(Path root) {
        if (!Files.isDirectory(root)) {
            return;
        }
        try (Stream<Path> folders = Files.list(root)) {
            List<Path> dead = folders.filter(path -> !ownerLives(path)).toList();
            dead.forEach(SharedStack::remove);
        } catch (IOException e) {
            throw new LocalStackException("%s cannot be read (%s): remove it".formatted(root.toAbsolutePath(), e), e);
        }
    }

    /** Only after the servers in it have ended: their guards may still be about it. */
    private static void remove(Path dead) {
        try (Stream<Path> servers = Files.list(dead)) {
            servers.filter(Files::isDirectory).forEach(ServerProcess::discard);
        } catch (IOException e) {
            throw new LocalStackException("%s cannot be read (%s): remove it".formatted(dead, e), e);
        }
        FileTree.delete(dead);
    }

    private static boolean ownerLives(Path folder) {
        String pid = folder.getFileName().toString().replaceFirst("^jvm-", "");
        return pid.matches("\\d{1,18}") && ProcessHandle.of(Long.parseLong(pid)).isPresent();
    }
}
