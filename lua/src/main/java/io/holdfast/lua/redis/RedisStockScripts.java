package io.holdfast.lua.redis;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.lua.GuardRefusal;
import io.holdfast.lua.OrderTryReply;
import io.holdfast.lua.PoolTags;
import io.holdfast.lua.SoldOutReply;
import io.holdfast.lua.StoredFences;
import io.holdfast.lua.script.GarbledAnswerException;
import io.holdfast.lua.script.ScriptCall;
import io.holdfast.lua.script.ScriptRunner;
import io.holdfast.lua.script.Scripts;
import io.holdfast.lua.script.SoldOutLooks.Look;
import io.holdfast.lua.script.StockScript;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stock scripts on Redis.
 *
 * <p>A call is sent once, on a connection whose process is known, with the identity of that process. Nothing is ever sent again by itself,
 * but for the two cases where the first sending certainly did nothing: the script was not loaded, or the identity had changed under the
 * connection. Every answer names script, entity and call; one that names another closes the connection, and all calls on it are unknown.
 */
public final class RedisStockScripts extends ScriptRunner implements StoredFences, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RedisStockScripts.class);

    private static final Duration SHUTDOWN_PATIENCE = Duration.ofSeconds(2);

    private final RedisClientSettings settings;
    private final ScriptListener listener;
    private final ClientResources resources = DefaultClientResources.create();
    private final RedisClient client;
    private final ScheduledExecutorService timer;
    private final Route route;
    private final AtomicLong calls = new AtomicLong();
    private final ConcurrentMap<Object, GatheredLooks> looks = new ConcurrentHashMap<>();

    /** Makes a client of pools that share no hash tags; the first call or {@link #check()} connects. */
    public RedisStockScripts(RedisClientSettings settings, ScriptListener listener) {
        this(settings, listener, PoolTags.none());
    }

    /**
     * Makes a client; the first call or {@link #check()} connects.
     *
     * @param tags under which hash tags the pools are
     */
    public RedisStockScripts(RedisClientSettings settings, ScriptListener listener, PoolTags tags) {
        super(tags);
        this.settings = settings;
        this.listener = new HarmlessListener(listener);
        this.client = RedisClient.create(resources);
        client.setOptions(ClientOptions.builder()
                .autoReconnect(false)
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .pingBeforeActivateConnection(true)
                .protocolVersion(ProtocolVersion.RESP2)
                .requestQueueSize(settings.requestQueueSize())
                .sslOptions(
                        settings.authority().map(RedisStockScripts::trusting).orElseGet(SslOptions::create))
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(settings.connectTimeout())
                        .keepAlive(true)
                        .build())
                .build());
        this.timer = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("holdfast-redis-reconnect").factory());
        RedisLink.Shared shared = new RedisLink.Shared(
                client,
                LoadedScripts.all(),
                timer,
                settings.connectTimeout(),
                settings.reconnect(),
                settings.probeInterval(),
                this.listener);
        List<RedisURI> uris = settings.uris().stream().map(this::uri).toList();
        this.route = uris.size() == 1
                ? new SingleRoute(new RedisLink(shared, uris.get(0), false))
                : new ClusterRoute(shared, uris);
    }

    /** Certificates that are signed by these. */
    public static SslOptions trusting(Path authority) {
        return SslOptions.builder()
                .jdkSslProvider()
                .trustManager(authority.toFile())
                .build();
    }

    private RedisURI uri(String text) {
        RedisURI uri = RedisURI.create(text);
        uri.setTimeout(settings.connectTimeout());
        if (uri.getClientName() == null) {
            uri.setClientName("holdfast");
        }
        return uri;
    }

    /** Connects where there is no connection and no wait for the next attempt, and says whether Redis can be used. Never fails. */
    public CompletionStage<RedisState> check() {
        return route.check();
    }

    @Override
    protected <Q, R> CompletionStage<Outcome<R>> run(StockScript<Q, R> script, Q request, Optional<String> tag) {
        long started = System.nanoTime();
        return route.link(script.poolKey(request, tag))
                .thenCompose(link -> link.connection()
                        .thenCompose(connection -> new Attempt<>(script, request, tag, link, connection).run()))
                .exceptionally(error -> {
                    route.doubted();
                    return new Answered<>(
                            "UNAVAILABLE", Outcome.unavailable(Failure.of(error).why()));
                })
                .thenApply(answered -> {
                    listener.answered(script.name(), answered.result(), Duration.ofNanos(System.nanoTime() - started));
                    return answered.outcome();
                });
    }

    @Override
    protected CompletionStage<Outcome<SoldOutReply>> look(Look look) {
        return looks.computeIfAbsent(
                        route.together(look.poolKey()),
                        _ -> new GatheredLooks(asked -> run(
                                Scripts.SOLD_OUT,
                                asked,
                                asked.looks().getFirst().tag())))
                .ask(look);
    }

    @Override
    public CompletionStage<Outcome<Names>> names(String pool, String from, int effort) {
        return fencePrefix(pool).thenCompose(outcome -> switch (outcome) {
            case Outcome.Known<String>(String prefix) -> scanned(prefix, from, effort);
            case Outcome.Unknown<String>(String why) ->
                CompletableFuture.completedFuture(Outcome.<Names>unavailable(why));
            case Outcome.Unavailable<String>(String why) ->
                CompletableFuture.completedFuture(Outcome.<Names>unavailable(why));
        });
    }

    private CompletionStage<Outcome<Names>> scanned(String prefix, String from, int effort) {
        return route.link(prefix)
                .thenCompose(RedisLink::connection)
                .thenCompose(connection -> connection.scan(prefix + "*", from, effort))
                .thenApply(met -> Outcome.known(new Names(
                        met.getKeys().stream()
                                .map(key -> key.substring(prefix.length()))
                                .toList(),
                        met.isFinished() ? BEGIN : met.getCursor())))
                .toCompletableFuture()
                .completeOnTimeout(
                        Outcome.unavailable("no answer within " + settings.commandTimeout()),
                        settings.commandTimeout().toMillis(),
                        TimeUnit.MILLISECONDS)
                .exceptionally(error -> {
                    route.doubted();
                    return Outcome.unavailable(Failure.of(error).why());
                });
    }

    /** An outcome, with its name for the listener. */
    private record Answered<R>(String result, Outcome<R> outcome) {}

    /** One call on one connection. Its stages never fail. */
    private final class Attempt<Q, R> {
        private final StockScript<Q, R> script;
        private final Q request;
        private final Optional<String> tag;
        private final RedisLink link;
        private final CheckedConnection connection;

        Attempt(
                StockScript<Q, R> script,
                Q request,
                Optional<String> tag,
                RedisLink link,
                CheckedConnection connection) {
            this.script = script;
            this.request = request;
            this.tag = tag;
            this.link = link;
            this.connection = connection;
        }

        CompletionStage<Answered<R>> run() {
            return script.storesProcess() ? afterRefresh(connection.refreshProcessId()) : sendOnce(true);
        }

        private CompletionStage<Answered<R>> afterRefresh(CompletionStage<String> refreshed) {
            return timed(
                    refreshed
                            .handle((id, error) -> error == null ? sendOnce(true) : notSent(error))
                            .thenCompose(stage -> stage),
                    System.nanoTime());
        }

        private CompletionStage<Answered<R>> notSent(Throwable error) {
            Failure failure = Failure.of(error);
            act(failure);
            return done(new Answered<>("UNAVAILABLE", Outcome.unavailable(failure.why())));
        }

        /**
         * @param again whether it may be sent a second time where the first did nothing
         */
        private CompletionStage<Answered<R>> sendOnce(boolean again) {
            ScriptCall call = script.call(request, tag, Long.toString(calls.incrementAndGet()), connection.processId());
            long sent = System.nanoTime();
            return timed(
                    connection
                            .send(call)
                            .handle((raw, error) -> error == null ? answer(call, raw, again) : failed(error, again))
                            .thenCompose(stage -> stage),
                    sent);
        }

        private CompletionStage<Answered<R>> answer(ScriptCall call, List<Object> raw, boolean again) {
            try {
                R reply = script.reply(call, raw);
                if (again && ofOtherProcess(reply)) {
                    String asked = connection.processId();
                    return connection
                            .refreshProcessId()
                            .handle((id, error) ->
                                    error == null && !id.equals(asked) ? sendOnce(false) : done(known(raw, reply)))
                            .thenCompose(stage -> stage);
                }
                return done(known(raw, reply));
            } catch (GarbledAnswerException garbled) {
                String why = "answers out of step: " + garbled.getMessage();
                LOG.error("Redis connection closed, {}", why);
                link.lost(connection, why);
                return done(unknown(why));
            }
        }

        private static boolean ofOtherProcess(Object reply) {
            return switch (reply) {
                case GuardRefusal.PoolSuspect suspect -> suspect.otherProcess();
                case OrderTryReply.Refused(var _, GuardRefusal.PoolSuspect suspect) -> suspect.otherProcess();
                default -> false;
            };
        }

        private Answered<R> known(List<Object> raw, R reply) {
            return new Answered<>(StockScript.result(raw), Outcome.known(reply));
        }

        private CompletionStage<Answered<R>> failed(Throwable error, boolean again) {
            Failure failure = Failure.of(error);
            act(failure);
            return switch (failure.meaning()) {
                case NOT_DONE -> done(new Answered<>("UNAVAILABLE", Outcome.unavailable(failure.why())));
                case NO_SCRIPT ->
                    again
                            ? connection
                                    .load()
                                    .handle((loaded, unloaded) ->
                                            unloaded == null ? sendOnce(false) : notSent(unloaded))
                                    .thenCompose(stage -> stage)
                            : done(new Answered<>("UNAVAILABLE", Outcome.unavailable(failure.why())));
                case UNKNOWN -> done(unknown(failure.why()));
            };
        }

        private void act(Failure failure) {
            switch (failure.connection()) {
                case KEEP -> {}
                case DROP -> link.lost(connection, failure.why());
                case REROUTE -> route.doubted();
            }
        }

        @SuppressWarnings("ReferenceEquality") // the very value that stands for the time-out is meant
        private CompletionStage<Answered<R>> timed(CompletionStage<Answered<R>> answered, long since) {
            Answered<R> late = unknown("no answer within " + settings.commandTimeout());
            CompletableFuture<Answered<R>> timed = new CompletableFuture<>();
            answered.whenComplete((done, bug) -> {
                if (bug == null) {
                    timed.complete(done);
                } else {
                    LOG.error("A call of {} broke", script.name(), bug);
                    timed.complete(unknown("broken: " + bug));
                }
            });
            return timed.completeOnTimeout(late, settings.commandTimeout().toMillis(), TimeUnit.MILLISECONDS)
                    .whenComplete((done, bug) -> {
                        // A connection on which nothing comes back at all is taken for dead: a new one may lead
                        // elsewhere.
                        if (done == late && connection.silentSince(since)) {
                            link.lost(connection, "silent for " + settings.commandTimeout());
                        }
                    });
        }

        private Answered<R> unknown(String why) {
            return new Answered<>("UNKNOWN", Outcome.unknown(why));
        }

        private static <T> CompletionStage<T> done(T value) {
            return CompletableFuture.completedFuture(value);
        }
    }

    /** Closes connections and threads; calls in flight become unknown. */
    @Override
    public void close() {
        CompletableFuture<Void> closed = route.close().toCompletableFuture();
        timer.shutdownNow();
        closed.completeOnTimeout(null, SHUTDOWN_PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .join();
        client.shutdown(Duration.ZERO, SHUTDOWN_PATIENCE);
        resources
                .shutdown(0, SHUTDOWN_PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .awaitUninterruptibly();
    }
}
