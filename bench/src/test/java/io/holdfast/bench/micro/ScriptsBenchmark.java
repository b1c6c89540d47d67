package io.holdfast.bench.micro;

import io.holdfast.engine.effect.Backoff;
import io.holdfast.engine.effect.Outcome;
import io.holdfast.localstack.RedisServer;
import io.holdfast.localstack.RedisSettings;
import io.holdfast.lua.PoolInitReply;
import io.holdfast.lua.PoolInitRequest;
import io.holdfast.lua.StockScripts;
import io.holdfast.lua.TryReply;
import io.holdfast.lua.TryRequest;
import io.holdfast.lua.model.RedisModel;
import io.holdfast.lua.redis.RedisClientSettings;
import io.holdfast.lua.redis.RedisStockScripts;
import io.holdfast.lua.redis.ScriptListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The port of the scripts: on a real Redis, and on the model that runs the same files in this process. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class ScriptsBenchmark {

    private static final int PIPELINED = 64;
    private static final String POOL = "bench:soup";
    private static final Instant NOW = Instant.parse("2030-05-17T10:15:30Z");

    /** What is behind the port. */
    @Param({"redis", "model"})
    public String behind = "redis";

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private StockScripts scripts;
    private long number;

    @Setup(Level.Trial)
    public void open() throws IOException {
        scripts = behind.equals("model") ? model() : redis();
        Outcome<PoolInitReply> made = scripts.poolInit(new PoolInitRequest(POOL, 1, "init", 1L << 40, NOW))
                .toCompletableFuture()
                .join();
        if (!(made instanceof Outcome.Known<PoolInitReply>(PoolInitReply.Created _))) {
            throw new IllegalStateException("no pool, but " + made);
        }
    }

    @TearDown(Level.Trial)
    public void close() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
    }

    /** One hold at a time: the way there and back counts whole. */
    @Benchmark
    public TryReply one_hold_at_a_time() {
        return held(ask());
    }

    /** Many at once: what a call costs when nobody waits for the line. */
    @Benchmark
    @OperationsPerInvocation(PIPELINED)
    public int holds_64_pipelined() {
        List<CompletableFuture<Outcome<TryReply>>> asked = new ArrayList<>(PIPELINED);
        for (int i = 0; i < PIPELINED; i++) {
            asked.add(ask());
        }
        int held = 0;
        for (CompletableFuture<Outcome<TryReply>> one : asked) {
            held += held(one) instanceof TryReply.Held ? 1 : 0;
        }
        return held;
    }

    private CompletableFuture<Outcome<TryReply>> ask() {
        return scripts.tryHold(new TryRequest(POOL, 1, "r" + number++, 1, NOW)).toCompletableFuture();
    }

    private static TryReply held(CompletableFuture<Outcome<TryReply>> answer) {
        if (answer.join() instanceof Outcome.Known<TryReply>(TryReply.Held reply)) {
            return reply;
        }
        throw new IllegalStateException("no hold, but " + answer.join());
    }

    private StockScripts model() {
        var model = new RedisModel();
        open.push(model);
        return model;
    }

    private StockScripts redis() throws IOException {
        Path folder = Files.createTempDirectory("holdfast-jmh");
        RedisServer server = RedisServer.start(RedisSettings.in(folder));
        open.push(server);
        var settings = new RedisClientSettings(
                List.of(server.uri()),
                Duration.ofSeconds(5),
                Duration.ofSeconds(5),
                new Backoff(Duration.ofMillis(50), Duration.ofSeconds(2), 2, 0.2),
                Duration.ofSeconds(5),
                10_000);
        var real = new RedisStockScripts(settings, ScriptListener.NONE);
        open.push(real);
        return real;
    }
}
