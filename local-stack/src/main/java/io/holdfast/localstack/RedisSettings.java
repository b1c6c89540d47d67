package io.holdfast.localstack;

import java.nio.file.Path;
import java.util.List;

/**
 * What a Redis of ours is started with.
 *
 * @param folder holds everything of this server; made if absent
 * @param port the port on 127.0.0.1, or 0 for any free one
 * @param fsync when the append-only file is forced to the disk
 * @param extraLines lines for the end of {@code redis.conf}; they win over the settings made here, for example
 *     {@code "maxmemory 2mb"}
 */
public record RedisSettings(Path folder, int port, RedisFsync fsync, List<String> extraLines) {

    public RedisSettings {
        extraLines = List.copyOf(extraLines);
    }

    /** Any free port, forced to the disk once a second. */
    public static RedisSettings in(Path folder) {
        return new RedisSettings(folder, 0, RedisFsync.EVERYSEC, List.of());
    }

    public RedisSettings withPort(int wanted) {
        return new RedisSettings(folder, wanted, fsync, extraLines);
    }

    public RedisSettings withFsync(RedisFsync wanted) {
        return new RedisSettings(folder, port, wanted, extraLines);
    }

    public RedisSettings withExtraLines(String... lines) {
        return new RedisSettings(folder, port, fsync, List.of(lines));
    }
}
