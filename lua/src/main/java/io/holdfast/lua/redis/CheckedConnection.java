package io.holdfast.lua.redis;

import io.holdfast.lua.script.ScriptCall;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a Redis process whose identity, role and set-up are known, with the scripts loaded. Shared and pipelined. It is never
 * reconnected: a new connection may lead to another process.
 */
final class CheckedConnection {

    private final StatefulRedisConnection<String, String> connection;
    private final RedisAsyncCommands<String, String> commands;
    private final LoadedScripts scripts;
    private final String server;
    private final boolean cluster;
    private final BatchedFlush flush;
    private final SharedQuestion<String> identity = new SharedQuestion<>(this::readProcessId);
    private volatile String processId;
    private volatile long lastAnswer = System.nanoTime();

    private CheckedConnection(
            StatefulRedisConnection<String, String> connection,
            String server,
            boolean cluster,
            LoadedScripts scripts,
            String processId) {
        this.connection = connection;
        this.server = server;
        this.cluster = cluster;
        this.commands = connection.async();
        this.scripts = scripts;
        this.processId = processId;
        this.flush =
                new BatchedFlush(connection.getResources().eventExecutorGroup().next(), connection::flushCommands);
        connection.setAutoFlushCommands(false);
    }

    /**
     * Checks a new connection and loads the scripts.
     *
     * @param cluster whether a node of a cluster is expected
     */
    static CompletionStage<CheckedConnection> check(
            StatefulRedisConnection<String, String> connection, String server, boolean cluster, LoadedScripts scripts) {
        return connection.async().info().thenCompose(text -> {
            ServerInfo info = ServerInfo.read(text);
            NotConnectedException no = refusal(info, server, cluster);
            if (no != null) {
                return CompletableFuture.failedFuture(no);
            }
            CheckedConnection checked = new CheckedConnection(connection, server, cluster, scripts, info.processId());
            return checked.load().thenApply(loaded -> checked);
        });
    }

    private static @Nullable NotConnectedException refusal(ServerInfo info, String server, boolean cluster) {
        if (info.loading()) {
            return NotConnectedException.unreachable("Redis at " + server + " is loading its data");
        }
        if (!info.role().equals("master")) {
            return NotConnectedException.unreachable("Redis at " + server + " is a replica");
        }
        if (!info.evictionPolicy().equals("noeviction")) {
            return NotConnectedException.unsuitable("Redis at " + server + " has maxmemory-policy "
                    + info.evictionPolicy() + " and may throw stock away: set maxmemory-policy noeviction");
        }
        if (info.mode().equals("cluster") != cluster) {
            return NotConnectedException.unsuitable(
                    cluster
                            ? "Redis at " + server + " is no cluster node: name one URI alone, or nodes of a cluster"
                            : "Redis at " + server + " is a cluster node: name the URIs of two or more nodes");
        }
        return null;
    }

    /** Loads all scripts. */
    CompletionStage<Void> load() {
        List<CompletableFuture<String>> loads = new ArrayList<>();
        scripts.texts()
                .forEach(text -> loads.add(commands.scriptLoad(text)
                        .whenComplete((digest, error) -> flush.answered())
                        .toCompletableFuture()));
        loads.forEach(load -> flush.soon());
        return CompletableFuture.allOf(loads.toArray(CompletableFuture[]::new));
    }

    /** Checks again what was checked when the connection was opened; fails where that is no longer so. */
    CompletionStage<Void> probe() {
        return info().thenCompose(text -> {
            ServerInfo info = ServerInfo.read(text);
            NotConnectedException no = refusal(info, server, cluster);
            if (no == null && !info.processId().equals(processId)) {
                no = NotConnectedException.unreachable("Redis at " + server + " has become another process");
            }
            return no == null ? CompletableFuture.completedFuture(null) : CompletableFuture.failedFuture(no);
        });
    }

    /**
     * Reads the identity again: it changes under an open connection when the process is demoted and promoted. Redis needs longer for it than
     * for a script, so those who ask at once ask together.
     */
    CompletionStage<String> refreshProcessId() {
        return identity.ask();
    }

    private CompletionStage<String> readProcessId() {
        return info().thenApply(text -> {
            processId = ServerInfo.read(text).processId();
            return processId;
        });
    }

    private CompletionStage<String> info() {
        CompletionStage<String> text = commands.info();
        flush.soon();
        return text.whenComplete((answer, error) -> flush.answered());
    }

    /** Sends a call. The stage completes with the answer of this connection that is next in turn, which the caller must check. */
    CompletionStage<List<Object>> send(ScriptCall call) {
        CompletionStage<List<Object>> sent = commands.dispatch(
                CommandType.EVALSHA,
                new AnswerOutput(),
                new CommandArgs<>(StringCodec.UTF8)
                        .add(scripts.digest(call.script()))
                        .add(call.keys().size())
                        .addKeys(call.keys())
                        .addValues(call.arguments()));
        flush.soon();
        return sent.whenComplete((answer, error) -> answered());
    }

    /** Goes on through the keys of this server that match a pattern. */
    CompletionStage<KeyScanCursor<String>> scan(String pattern, String from, int effort) {
        CompletionStage<KeyScanCursor<String>> scanned = commands.scan(
                ScanCursor.of(from), ScanArgs.Builder.limit(effort).match(pattern));
        flush.soon();
        return scanned.whenComplete((answer, error) -> answered());
    }

    private void answered() {
        lastAnswer = System.nanoTime();
        flush.answered();
    }

    String processId() {
        return processId;
    }

    /** Whether nothing at all has come back since a moment of {@link System#nanoTime()}. */
    boolean silentSince(long nanoTime) {
        return lastAnswer - nanoTime < 0;
    }

    boolean isOpen() {
        return connection.isOpen();
    }

    @SuppressWarnings("ReferenceEquality") // the very connection is meant
    boolean is(Object other) {
        return connection == other;
    }

    CompletableFuture<Void> close() {
        return connection.closeAsync();
    }
}
