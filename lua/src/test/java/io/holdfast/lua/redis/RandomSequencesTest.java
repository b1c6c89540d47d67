package io.holdfast.lua.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.localstack.RedisServer;
import io.holdfast.lua.PoolStatus;
import io.holdfast.lua.model.RedisModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
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

    @ParameterizedTest
    @EnumSource
    void model_and_redis_agree_on_every_sequence_and_the_books_on_every_fence(RedisVersion version) {
        Long only = Long.getLong("lua.seed");
        Set<String> results = new TreeSet<>();
        try (RedisServer server = version.start("random");
                RedisUnderTest redis = new RedisUnderTest(server.uri())) {
            for (long seed = 1; seed <= SEQUENCES; seed++) {
                if (only == null || only == seed) {
                    results.addAll(sequence(seed, redis));
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
                        "MALFORMED");
    }

    private static Set<String> sequence(long seed, RedisUnderTest redis) {
        String pool = "random:s" + seed;
        Random random = new Random(seed);
        List<String> done = new ArrayList<>();
        Set<String> results = new TreeSet<>();
        try (RedisModel model = new RedisModel()) {
            for (int i = 0; i < CALLS; i++) {
                Call call = call(random, i);
                done.add(call.text());
                String expected = call.on().apply(new Calls(model, pool));
                results.add(expected.split(" ")[0]);
                String actual = call.on().apply(new Calls(redis.scripts(), pool));

                assertThat(actual).as("seed %d: %s", seed, done).isEqualTo(expected);
                for (String key : keys(pool)) {
                    assertThat(normal(redis.hash(key), redis.processId()))
                            .as("seed %d: %s in %s", seed, done, key)
                            .isEqualTo(normal(model.hash(key), model.processId()));
                }
                assertBooksAgreeWithFences("seed " + seed + ": " + done, pool, model);
            }
        }
        return results;
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

    private static List<String> keys(String pool) {
        List<String> keys = new ArrayList<>(List.of("hf:{" + pool + "}:stock", "hf:{" + pool + "}:ops"));
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
