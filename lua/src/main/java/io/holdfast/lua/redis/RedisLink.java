package io.holdfast.lua.redis;

import io.holdfast.engine.effect.Backoff;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One server, or the master that the Sentinels name: at most one open connection, and our own reconnecting, since each new connection must
 * be checked before it is used. Callers share an attempt under way; between attempts they are refused at once.
 */
@SuppressWarnings("FutureReturnValueIgnored") // every outcome is dealt with in the stage that is dropped
final class RedisLink {

    /** What all links of a client share. */
    record Shared(
            RedisClient client,
            LoadedScripts scripts,
            ScheduledExecutorService timer,
            Duration connectTimeout,
            Backoff backoff,
            Duration probeInterval,
            ScriptListener listener) {}

    private final Shared shared;
    private final RedisURI uri;
    private final String server;
    private final boolean cluster;

    private @Nullable CheckedConnection open;
    private @Nullable CompletableFuture<CheckedConnection> attempt;
    private @Nullable NotConnectedException lastFailure;
    private int failedAttempts;
    private boolean closed;

    RedisLink(Shared shared, RedisURI uri, boolean cluster) {
        this.shared = shared;
        this.uri = uri;
        this.cluster = cluster;
        this.server = uri.getSentinels().isEmpty()
                ? uri.getHost() + ":" + uri.getPort()
                : "master " + uri.getSentinelMasterId();
    }

    /** The open connection; or the attempt under way; or, while waiting for the next attempt, a failure at once. */
    synchronized CompletionStage<CheckedConnection> connection() {
        if (closed) {
            return CompletableFuture.failedFuture(NotConnectedException.unreachable("the client is closed"));
        }
        CheckedConnection connection = open;
        if (connection != null && connection.isOpen()) {
            return CompletableFuture.completedFuture(connection);
        }
        if (connection != null) {
            lost(connection, "closed");
        }
        if (attempt != null) {
            return attempt;
        }
        if (lastFailure != null) {
            return CompletableFuture.failedFuture(lastFailure);
        }
        return start();
    }

    /** Gives a connection up, and connects anew at once. */
    synchronized void lost(CheckedConnection connection, String why) {
        if (open == connection) {
            open = null;
            connection.close();
            shared.listener().disconnected(server, why);
            if (!closed && attempt == null) {
                start();
            }
        }
    }

    private synchronized CompletableFuture<CheckedConnection> start() {
        CompletableFuture<CheckedConnection> started = new CompletableFuture<>();
        attempt = started;
        lastFailure = null;
        CompletableFuture<StatefulRedisConnection<String, String>> connecting = connect();
        connecting
                .thenCompose(this::checked)
                .toCompletableFuture()
                .orTimeout(shared.connectTimeout().toMillis(), TimeUnit.MILLISECONDS)
                .whenComplete((connection, error) -> {
                    if (connection != null) {
                        opened(started, connection);
                    } else {
                        connecting.thenAccept(StatefulRedisConnection::closeAsync);
                        failed(started, error);
                    }
                });
        return started;
    }

    /** What can't even be begun is an attempt that failed: callers share it, and the next comes after a pause. */
    private CompletableFuture<StatefulRedisConnection<String, String>> connect() {
        try {
            return shared.client().connectAsync(StringCodec.UTF8, uri).toCompletableFuture();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private CompletionStage<CheckedConnection> checked(StatefulRedisConnection<String, String> connection) {
        connection.addListener(new RedisConnectionStateListener() {
            @Override
            public void onRedisDisconnected(RedisChannelHandler<?, ?> gone) {
                disconnected(connection);
            }

            @Override
            public void onRedisConnected(RedisChannelHandler<?, ?> handler, SocketAddress address) {}
        });
        return CheckedConnection.check(connection, server, cluster, shared.scripts());
    }

    private synchronized void disconnected(StatefulRedisConnection<String, String> gone) {
        CheckedConnection connection = open;
        if (connection != null && connection.is(gone)) {
            lost(connection, "connection lost");
        }
    }

    private void opened(CompletableFuture<CheckedConnection> started, CheckedConnection connection) {
        synchronized (this) {
            attempt = null;
            if (!closed) {
                open = connection;
                failedAttempts = 0;
                probeLater(connection);
            } else {
                connection.close();
            }
        }
        started.complete(connection);
        shared.listener().connected(server, connection.processId());
    }

    private void probeLater(CheckedConnection connection) {
        shared.timer().schedule(() -> probe(connection), shared.probeInterval().toMillis(), TimeUnit.MILLISECONDS);
    }

    private void probe(CheckedConnection connection) {
        if (holds(connection)) {
            connection
                    .probe()
                    .toCompletableFuture()
                    .orTimeout(shared.connectTimeout().toMillis(), TimeUnit.MILLISECONDS)
                    .whenComplete((ok, error) -> {
                        if (error == null) {
                            probeLater(connection);
                        } else {
                            lost(connection, String.valueOf(failure(error).getMessage()));
                        }
                    });
        }
    }

    private synchronized boolean holds(CheckedConnection connection) {
        return open == connection;
    }

    private void failed(CompletableFuture<CheckedConnection> started, Throwable error) {
        NotConnectedException failure = failure(error);
        synchronized (this) {
            attempt = null;
            if (!closed) {
                lastFailure = failure;
                failedAttempts++;
                Duration delay = shared.backoff()
                        .delayAfter(failedAttempts, ThreadLocalRandom.current().nextDouble());
                shared.timer().schedule(this::retry, delay.toMillis(), TimeUnit.MILLISECONDS);
            }
        }
        started.completeExceptionally(failure);
    }

    private synchronized void retry() {
        if (!closed && attempt == null && open == null) {
            start();
        }
    }

    private NotConnectedException failure(Throwable thrown) {
        Throwable error = thrown;
        while (error instanceof CompletionException && error.getCause() != null) {
            error = error.getCause();
        }
        if (error instanceof NotConnectedException known) {
            return known;
        }
        Throwable root = error;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String why = root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
        return NotConnectedException.unreachable("no connection to Redis at " + server + ": " + why);
    }

    synchronized CompletableFuture<Void> close() {
        closed = true;
        CheckedConnection connection = open;
        open = null;
        return connection == null ? CompletableFuture.completedFuture(null) : connection.close();
    }
}
