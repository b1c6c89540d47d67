package io.holdfast.lua.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.localstack.RedisServer;
import io.holdfast.lua.PoolStatus;
import io.holdfast.lua.StockScripts;
import io.holdfast.lua.model.RedisModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random sequences of calls, the same on the model and on Redis. After every call: both answer the same, both have stored the same, and
 * the books agree with the fences. A failure names its seed; {@code -Dlua.seed=N} runs that one alone.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RandomSequencesTest {

    private static final int SEQUENCES = 60;
    private static final int CALLS = 60;
    private static final int RESERVATIONS = 4;
    private static final long LIMIT = 4;

    @ParameterizedTest
    @EnumSource
    void model_and_redis_agree_on_every_sequence_and_the_books_on_every_fence(RedisVersion version) {
        Long only = Long.getLong("lua.seed");
        Set<String> results = new TreeSet<>();
        try (RedisServer server = version.start("random");
                RedisUnderTest redis = RedisUnderTest.patient(server.uri())) {
            for (long seed = 1; seed <= SEQUENCES; seed++) {
                if (only == null || only == seed) {
                    results.addAll(sequence(seed, redis, seed % 2 == 0));
                }
            }
        }
        assertThat(results)
                .as("the sequences meet every result they can")
                .contains(
                        "HELD",
                        "SHORT",
                        "PAUSED",
                        "FENCED",
                        "CONFLICT",
                        "CONFIRMED",
                        "EXCEEDS",
                        "CONTRADICTION",
                        "MISSING",
                        "RELEASED",
                        "ALREADY_RELEASED",
                        "FENCED_EMPTY",
                        "CONFIRMED_ALREADY",
                        "OTHER_COMPENSATION",
                        "MISMATCH",
                        "REFUNDED",
                        "ADJUSTED",
                        "OUTDATED",
                        "CHANGED",
                        "MALFORMED",
                        "QUEUED",
                        "KNOWN_AS",
                        "LIMIT_REACHED",
                        "SOLD_OUT",
                        "CLAIMED",
                        "HANDED_OFF");
    }

    /** @param gated whether the pool has a gate, and most requests come in by it */
    private static Set<String> sequence(long seed, RedisUnderTest redis, boolean gated) {
        String pool = "random:s" + seed + (gated ? "g" : "");
        Random random = new Random(seed);
        List<String> done = new ArrayList<>();
        Set<String> results = new TreeSet<>();
        try (RedisModel model = new RedisModel()) {
            for (int i = 0; i < CALLS; i++) {
                Call call = gated && i > 0 && random.nextInt(3) == 0 ? gateCall(random) : call(random, i);
                done.add(call.text());
                String expected = call.on().apply(calls(model, pool, gated));
                results.add(expected.split(" ")[0]);
                String actual = call.on().apply(calls(redis.scripts(), pool, gated));

                assertThat(actual).as("seed %d: %s", seed, done).isEqualTo(expected);
                for (String key : keys(pool)) {
                    assertThat(normal(redis.hash(key), redis.processId()))
                            .as("seed %d: %s in %s", seed, done, key)
                            .isEqualTo(normal(model.hash(key), model.processId()));
                }
                String due = "hf:{" + pool + "}:due";
                assertThat(redis.scores(due))
                        .as("seed %d: %s in %s", seed, done, due)
                        .isEqualTo(model.scores(due));
                assertBooksAgreeWithFences("seed " + seed + ": " + done, pool, model);
                assertNotesAgreeWithFences("seed " + seed + ": " + done, pool, model);
            }
        }
        return results;
    }

    private static Calls calls(StockScripts scripts, String pool, boolean gated) {
        return gated ? Calls.gated(scripts, pool, LIMIT) : new Calls(scripts, pool);
    }

    private record Call(String text, Function<Calls, String> on) {}

    /** A call with few reservations, quantities and operations, so that they meet. */
    private static Call call(Random random, int index) {
        String r = "r" + random.nextInt(RESERVATIONS);
        int quantity = random.nextInt(8) == 0 ? random.nextInt(-1, 9) : 1 + random.nextInt(3);
        if (index == 0) {
            return new Call("init", calls -> calls.init(6));
        }
        return switch (random.nextInt(14)) {
            case 0, 1, 2, 3 -> new Call("try " + r + " " + quantity, calls -> calls.hold(r, quantity));
            case 4, 5, 6 -> new Call("confirm " + r + " " + quantity, calls -> calls.confirm(r, quantity));
            case 7, 8 -> {
                boolean held = random.nextInt(4) > 0;
                yield new Call("cancel " + r + " " + quantity + " " + held, calls -> calls.cancel(r, quantity, held));
            }
            case 9, 10, 11 -> {
                String refund = "f" + random.nextInt(3);
                boolean restock = random.nextInt(3) > 0;
                yield new Call(
                        "refund " + r + " " + refund + " " + quantity + " " + restock,
                        calls -> calls.refund(r, refund, quantity, restock));
            }
            case 12 -> {
                int total = random.nextInt(12);
                int baseline = 2 + random.nextInt(40);
                String operation = "a" + random.nextInt(20);
                yield new Call(
                        "adjust " + operation + " " + total + " " + baseline,
                        calls -> calls.adjust(operation, total, baseline));
            }
            case 13 -> {
                PoolStatus target = random.nextInt(3) == 0 ? PoolStatus.PAUSED : PoolStatus.OPEN;
                String operation = "s" + random.nextInt(20);
                yield new Call("status " + operation + " " + target, calls -> calls.status(operation, target));
            }
            default -> throw new AssertionError();
        };
    }

    /** Mostly each reservation is a request of its own. */
    private static Call gateCall(Random random) {
        int i = random.nextInt(RESERVATIONS);
        String r = "r" + i;
        return switch (random.nextInt(6)) {
            case 0, 1, 2 -> {
                String user = "u" + (random.nextInt(6) == 0 ? random.nextInt(2) : i % 2);
                String request = "q" + (random.nextInt(6) == 0 ? random.nextInt(RESERVATIONS) : i);
                int quantity = 1 + random.nextInt(3);
                yield new Call(
                        "admit " + r + " " + user + " " + request + " " + quantity,
                        calls -> calls.admit(r, user, request, quantity));
            }
            case 3 -> {
                int by = random.nextInt(4, 20);
                yield new Call("claim " + by, calls -> calls.claim(by, by + 3L, 2));
            }
            case 4, 5 -> new Call("handed off " + r, calls -> calls.handedOff(r));
            default -> throw new AssertionError();
        };
    }

    /** What each user holds is what the user's fences have left; listed are holds alone, each with what is kept of it. */
    private static void assertNotesAgreeWithFences(String sequence, String pool, RedisModel model) {
        Map<String, Long> left = new TreeMap<>();
        Set<String> held = new TreeSet<>();
        for (int i = 0; i < RESERVATIONS; i++) {
            Map<String, String> fence = model.hash("hf:{" + pool + "}:r:r" + i);
            boolean live = Set.of("RESERVED", "CONFIRMED").contains(fence.getOrDefault("phase", ""));
            if (live && fence.containsKey("user")) {
                held.add("r" + i);
                long units = number(fence, "quantity") - number(fence, "released") - number(fence, "refunded");
                left.merge("u:" + fence.get("user"), units, Long::sum);
            }
        }
        Map<String, Long> noted = new TreeMap<>();
        model.hash("hf:{" + pool + "}:notes").forEach((field, value) -> {
            if (field.startsWith("u:")) {
                noted.put(field, Long.parseLong(value));
            }
        });
        assertThat(noted).as(sequence).isEqualTo(left);
        assertThat(noted.values()).as(sequence).allMatch(units -> units <= LIMIT);
        assertThat(held)
                .as(sequence)
                .containsAll(model.scores("hf:{" + pool + "}:due").keySet());
        assertThat(model.hash("hf:{" + pool + "}:admitted").keySet())
                .as(sequence)
                .isEqualTo(model.scores("hf:{" + pool + "}:due").keySet());
    }

    private static List<String> keys(String pool) {
        List<String> keys = new ArrayList<>();
        List.of("stock", "ops", "notes", "admitted").forEach(key -> keys.add("hf:{" + pool + "}:" + key));
        for (int i = 0; i < RESERVATIONS; i++) {
            keys.add("hf:{" + pool + "}:r:r" + i);
        }
        return keys;
    }

    private static Map<String, String> normal(Map<String, String> hash, String processId) {
        Map<String, String> normal = new HashMap<>(hash);
        normal.replaceAll((field, value) -> value.replace(processId, "PROCESS"));
        return normal;
    }

    /** Reserved is what the RESERVED fences hold; sold is what the confirmed ones keep and what was refunded without restocking. */
    private static void assertBooksAgreeWithFences(String sequence, String pool, RedisModel model) {
        Map<String, String> stock = model.hash("hf:{" + pool + "}:stock");
        long reserved = 0;
        long sold = 0;
        for (int i = 0; i < RESERVATIONS; i++) {
            Map<String, String> fence = model.hash("hf:{" + pool + "}:r:r" + i);
            if (!fence.isEmpty()) {
                long left = number(fence, "quantity") - number(fence, "released") - number(fence, "refunded");
                reserved += fence.get("phase").equals("RESERVED") ? left : 0;
                sold += fence.get("phase").equals("CONFIRMED") ? left : 0;
                sold += keptSold(fence);
            }
        }
        assertThat(number(stock, "reserved")).as(sequence).isEqualTo(reserved);
        assertThat(number(stock, "sold")).as(sequence).isEqualTo(sold);
        assertThat(number(stock, "total") + number(stock, "deficit"))
                .as(sequence)
                .isEqualTo(number(stock, "available") + reserved + sold);
        assertThat(Math.min(number(stock, "deficit"), number(stock, "available")))
                .as(sequence)
                .isZero();
        assertThat(List.of("total", "deficit", "available", "reserved", "sold"))
                .as(sequence + Arrays.asList(stock))
                .allSatisfy(field -> assertThat(number(stock, field)).isNotNegative());
    }

    /** Units refunded without restocking, from the kept answers: {@code ... operation quantity restock phase left}. */
    private static long keptSold(Map<String, String> fence) {
        return fence.entrySet().stream()
                .filter(field -> field.getKey().startsWith("refund:"))
                .map(field -> field.getValue().split(" "))
                .filter(words -> words[11].equals("0"))
                .mapToLong(words -> Long.parseLong(words[10]))
                .sum();
    }

    private static long number(Map<String, String> hash, String field) {
        return Long.parseLong(hash.get(field));
    }
}
