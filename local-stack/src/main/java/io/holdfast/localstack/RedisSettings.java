package io.holdfast.localstack;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What a Redis of ours is started with.
 *
 * @param folder holds everything of this server; made if absent
 * @param port the port on 127.0.0.1, or 0 for any free one
 * @param fsync when the append-only file is forced to the disk
 * @param extraLines lines for the end of {@code redis.conf}; they win over the settings made here, for example
 *     {@code "maxmemory 2mb"}
 * @param program the {@code redis-server} to run; empty for the one named by the system property {@value #PROGRAM}, and where none is named,
 *     for the one that comes along
 */
public record RedisSettings(Path folder, int port, RedisFsync fsync, List<String> extraLines, Optional<Path> program) {

    /** System property: path of the {@code redis-server} to run wherever none is chosen. For trying another version with every test. */
    public static final String PROGRAM = "holdfast.redis.program";

    public RedisSettings {
        extraLines = List.copyOf(extraLines);
    }

    /** Any free port, forced to the disk once a second. */
    public static RedisSettings in(Path folder) {
        return new RedisSettings(folder, 0, RedisFsync.EVERYSEC, List.of(), Optional.empty());
    }

    public RedisSettings withPort(int wanted) {
        return new RedisSettings(folder, wanted, fsync, extraLines, program);
    }

    public RedisSettings withFsync(RedisFsync wanted) {
        return new RedisSettings(folder, port, wanted, extraLines, program);
    }

    public RedisSettings withExtraLines(String... lines) {
        return new RedisSettings(folder, port, fsync, List.of(lines), program);
    }

    public RedisSettings withProgram(Path wanted) {
        return new RedisSettings(folder, port, fsync, extraLines, Optional.of(wanted));
    }

    /** The program that was chosen, here or for all. */
    Optional<Path> chosenProgram() {
        return program.or(() -> Optional.ofNullable(System.getProperty(PROGRAM)).map(Path::of));
    }
}
