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
    private static final Duration DECIDED_WITHIN = Duration.ofMinutes(15);
    private static final int REGULARS = 1000;

    private final String uri;
    private final List<String> pools;

    /**
     * On this Redis.
     *
     * @param pools that exist there, are open, and have plenty (for holds and users who ask again) or nothing (for looks and users who are refused)
     */
    public RawScripts(String uri, List<String> pools) {
        this.uri = uri;
        this.pools = List.copyOf(pools);
    }

    /** Which script. */
    public enum Script {
        /** A hold of one unit, each for a reservation of its own. */
        TRY("try", "HELD"),
        /** The question whether a pool is sold out, for one reservation that is not there. */
        SOLD_OUT("sold_out", "S"),
        /** A request to a gate, for another user each time; the pools have nothing. */
        ADMIT_SOLD_OUT("admit", "SOLD_OUT"),
        /** The same request to a gate again, by some users; the first times it is let in. */
        ADMIT_AGAIN("admit", "QUEUED");

        private final String file;
        private final String wanted;

        Script(String file, String wanted) {
            this.file = file;
            this.wanted = wanted;
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
        long began = System.currentTimeMillis();
        String now = Long.toString(began);
        String later = Long.toString(began + DECIDED_WITHIN.toMillis());
        return called -> {
            int n = script == Script.ADMIT_AGAIN ? called % REGULARS : called;
            int place = n % pools.size();
            String pool = pools.get(place);
            Map<String, String> stock = stocks.get(place);
            String id = prefix + n;
            String runId = stock.getOrDefault("run_id", "");
            String[] arguments = switch (script) {
                case TRY -> new String[] {id, pool, runId, stock.getOrDefault("epoch", ""), now, id, "1"};
                case SOLD_OUT -> new String[] {id, pool, runId, id + " " + pool + " 1\n"};
                case ADMIT_SOLD_OUT, ADMIT_AGAIN ->
                    new String[] {id, pool, runId, stock.getOrDefault("epoch", ""), now, id, id, "r", "1", later, later
                    };
            };
            String own = "hf:{" + pool + "}:";
            String[] keys = script.file.equals("admit")
                    ? new String[] {own + "stock", own + "r:" + id, own + "notes", own + "due", own + "admitted"}
                    : new String[] {own + "stock", own + "r:" + id};
            return new Call(keys, arguments);
        };
    }

    /** A raw limit of refusals would flatter everybody. */
    private static void requireResult(Script script, Object answer) {
        if (!(answer instanceof List<?> parts) || !parts.contains(script.wanted)) {
            throw new IllegalStateException("the raw call was answered " + answer);
        }
    }
}
