package io.holdfast.chaos;

import io.holdfast.localstack.RedisServer;
import io.holdfast.localstack.RedisSettings;
import java.nio.file.Path;
import java.util.List;

/** A Redis and its replica. Roles are told at run time and kept nowhere, so each may be either. */
final class RedisPair implements AutoCloseable {

    private RedisServer primary;
    private RedisServer replica;

    RedisPair(Path folder) {
        primary = RedisServer.start(RedisSettings.in(folder.resolve("redis-1")));
        replica = RedisServer.start(RedisSettings.in(folder.resolve("redis-2")));
        follow();
    }

    private void follow() {
        primary.ask("REPLICAOF", "NO", "ONE");
        replica.ask("REPLICAOF", primary.host(), Integer.toString(primary.port()));
    }

    RedisServer primary() {
        return primary;
    }

    RedisServer replica() {
        return replica;
    }

    /** SIGKILL and a start with what is in its file. */
    void restart() {
        primary.kill();
        primary.start();
        follow();
    }

    /** Everything is forgotten, and the process lives on. */
    void flush() {
        primary.ask("FLUSHALL");
    }

    /** The replica hears nothing more of what the primary is told: what is answered from now on is lost at a failover. */
    void deafen() {
        replica.pause();
    }

    /** The primary dies, and the replica, with what it has heard, takes its place. */
    void failOver() {
        primary.kill();
        replica.resume();
        RedisServer old = primary;
        primary = replica;
        replica = old;
        primary.ask("REPLICAOF", "NO", "ONE");
    }

    /** The dead one comes back, empty, as the replica of the other. */
    void comeBack() {
        replica.wipe();
        follow();
    }

    List<String> ask(String... words) {
        return primary.ask(words);
    }

    @Override
    public void close() {
        replica.close();
        primary.close();
    }
}
