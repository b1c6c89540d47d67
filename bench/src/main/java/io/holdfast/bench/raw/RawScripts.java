package io.holdfast.bench.raw;

import io.holdfast.lua.script.ScriptText;
import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/** The product's own script, called with EVALSHA through two connections that send a batch, wait for its answers, and send the next. */
public final class RawScripts {

    private static final int CONNECTIONS = 2;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final String uri;
    private final List<String> pools;

    /**
     * On this Redis.
     *
     * @param pools that exist there, are open, and have plenty (for holds) or nothing (for looks)
     */
    public RawScripts(String uri, List<String> pools) {
        this.uri = uri;
        this.pools = List.copyOf(pools);
    }

    /** Which script. */
    public enum Script {
        /** A hold of one unit, each for a reservation of its own. */
        TRY("try"),
        /** The question whether a pool is sold out, for one reservation that is not there. */
        SOLD_OUT("sold_out");

        private final String file;

        Script(String file) {
            this.file = file;
        }
    }

    /**
     * Makes a turn.
     *
     * @param depth calls on the way at any time, all connections together
     */
    public RawRate run(Script script, int depth, Duration warmUp, Duration counted) throws InterruptedException {
        RedisClient client = RedisClient.create(uri);
        int batch = Math.max(1, depth / CONNECTIONS);
        String turn = "raw" + Long.toString(System.nanoTime(), Character.MAX_RADIX) + "-";
        try {
            return RawLoop.run(
                    "EVALSHA of " + script.file + ", " + batch * CONNECTIONS + " pipelined",
                    CONNECTIONS,
                    i -> () -> new Caller(client.connect(), script, turn + i + "-", batch),
                    warmUp,
                    counted);
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        }
    }

    private final class Caller implements RawLoop.Doer {

        private final StatefulRedisConnection<String, String> connection;
        private final Script script;
        private final String sha;
        private final IntFunction<Call> calls;
        private final int batch;
        private int called;

        private Caller(StatefulRedisConnection<String, String> connection, Script script, String prefix, int batch) {
            this.connection = connection;
            this.script = script;
            this.sha = connection.sync().scriptLoad(ScriptText.loaded(script.file));
            this.calls = calls(connection, script, prefix);
            this.batch = batch;
            connection.setAutoFlushCommands(false);
        }

        @Override
        public int once() throws Exception {
            RedisFuture<?>[] answers = new RedisFuture<?>[batch];
            for (int i = 0; i < batch; i++) {
                Call call = calls.apply(called++);
                answers[i] = connection.async().evalsha(sha, ScriptOutputType.MULTI, call.keys, call.arguments);
            }
            connection.flushCommands();
            if (!LettuceFutures.awaitAll(PATIENCE, answers)) {
                throw new IllegalStateException("Redis does not answer");
            }
            requireResult(script, answers[0].get());
            return batch;
        }

        @Override
        public void close() {
            connection.close();
        }
    }

    /** As the driver wants it. */
    private static final class Call {
        private final String[] keys;
        private final String[] arguments;

        private Call(String[] keys, String[] arguments) {
            this.keys = keys;
            this.arguments = arguments;
        }
    }

    /** Keys and arguments as the heads of the script files list them. */
    private IntFunction<Call> calls(StatefulRedisConnection<String, String> connection, Script script, String prefix) {
        List<Map<String, String>> stocks = new ArrayList<>();
        for (String pool : pools) {
            stocks.add(connection.sync().hgetall("hf:{" + pool + "}:stock"));
        }
        String now = Long.toString(System.currentTimeMillis());
        return n -> {
            int place = n % pools.size();
            String pool = pools.get(place);
            Map<String, String> stock = stocks.get(place);
            String id = prefix + n;
            String runId = stock.getOrDefault("run_id", "");
            String[] arguments = switch (script) {
                case TRY -> new String[] {id, pool, runId, stock.getOrDefault("epoch", ""), now, id, "1"};
                case SOLD_OUT -> new String[] {id, pool, runId, id + " " + pool + " 1\n"};
            };
            return new Call(new String[] {"hf:{" + pool + "}:stock", "hf:{" + pool + "}:r:" + id}, arguments);
        };
    }

    /** A raw limit of refusals would flatter everybody. */
    private static void requireResult(Script script, Object answer) {
        String wanted = switch (script) {
            case TRY -> "HELD";
            case SOLD_OUT -> "S";
        };
        if (!(answer instanceof List<?> parts) || !parts.contains(wanted)) {
            throw new IllegalStateException("the raw call was answered " + answer);
        }
    }
}
