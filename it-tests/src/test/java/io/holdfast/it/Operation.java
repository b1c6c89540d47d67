package io.holdfast.it;

import io.holdfast.it.Client.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Everything that moves stock, each on a pool of 10 units of its own: what must have happened before, and what comes of it. */
enum Operation {
    // First, because it asks Redis for its identity, and a line that has gone silent under another's script would not
    // answer that.
    POOL_INIT(List.of(), List.of("OperationAccepted", "PoolInitialized"), 201, "OPEN", new Numbers(10, 0, 0, 1)),
    POOL_ADJUST(
            POOL_INIT.journal(), List.of("OperationAccepted", "TotalAdjusted"), 200, "OPEN", new Numbers(12, 0, 0, 2)),
    HOLD(List.of(), List.of("HoldRequested", "HoldGranted"), 201, "RESERVED", new Numbers(7, 3, 0, 2)),
    CONFIRM(HOLD.journal(), List.of("ConfirmStarted", "HoldConfirmed"), 200, "CONFIRMED", new Numbers(7, 0, 3, 3)),
    CANCEL(HOLD.journal(), List.of("ReleaseStarted", "HoldReleased"), 200, "CANCELED", new Numbers(10, 0, 0, 3)),
    REFUND(CONFIRM.journal(), List.of("RefundStarted", "HoldRefunded"), 200, "CONFIRMED", new Numbers(9, 0, 1, 4));

    /** A pool's numbers, and how many times they changed. */
    record Numbers(long available, long reserved, long sold, long version) {

        static Numbers of(Answer pool) {
            return new Numbers(
                    pool.number("/redis/books/available"),
                    pool.number("/redis/books/reserved"),
                    pool.number("/redis/books/sold"),
                    pool.number("/redis/books/version"));
        }
    }

    private static final String ITEM = "i1";

    private final List<String> before;
    private final List<String> events;
    /** What the client is told in the end. */
    final int status;

    final String says;
    final Numbers numbers;

    Operation(List<String> before, List<String> events, int status, String says, Numbers numbers) {
        this.before = before;
        this.events = events;
        this.status = status;
        this.says = says;
        this.numbers = numbers;
    }

    /** What the client is told whose request was accepted before, or was not. A PUT of what is there already is no creation. */
    int statusOf(boolean acceptedBefore) {
        return this == POOL_INIT && acceptedBefore ? 200 : status;
    }

    /** The whole journal of the entity when the operation is done: once. */
    List<String> journal() {
        return journal(CrashWindow.Journaled.OUTCOME);
    }

    /** The whole journal of the entity when so much of the operation is in it. */
    List<String> journal(CrashWindow.Journaled journaled) {
        List<String> journal = new ArrayList<>(before);
        journal.addAll(
                switch (journaled) {
                    case NOTHING -> List.of();
                    case INTENT -> events.subList(0, 1);
                    case OUTCOME -> events;
                });
        return journal;
    }

    /** The pool's version in Redis, before the script ran or after. */
    long version(boolean ran) {
        return numbers.version() - (ran ? 0 : 1);
    }

    String dish(Crash crash) {
        return crash.dish(name().toLowerCase(Locale.ROOT).replace('_', '-'));
    }

    /** Who journals it. */
    String entity(Crash crash) {
        return switch (this) {
            case HOLD, CONFIRM, CANCEL, REFUND -> Client.idOf(dish(crash), ITEM);
            case POOL_INIT, POOL_ADJUST -> Client.pool(dish(crash));
        };
    }

    /** Does what must have happened before. */
    void prepare(Client client, Crash crash) {
        String dish = dish(crash);
        switch (this) {
            case HOLD, POOL_ADJUST -> client.createPool(dish, 10);
            case CONFIRM, CANCEL -> {
                client.createPool(dish, 10);
                client.hold(dish, ITEM, 3);
            }
            case REFUND -> {
                client.createPool(dish, 10);
                client.hold(dish, ITEM, 3);
                client.confirm(dish, ITEM);
            }
            case POOL_INIT -> {}
        }
    }

    /** Asks for it; every time the same request. */
    CompletableFuture<Answer> ask(Client client, Crash crash) {
        String dish = dish(crash);
        Map<String, String> headers = Map.of("Prefer", "wait=30", "Idempotency-Key", "key-of-" + dish);
        Map<String, String> order = Map.of("order_id", "order-" + ITEM);
        return switch (this) {
            case HOLD -> client.postAsync("/v1/reservations", Client.holdBody(dish, ITEM, 3), headers);
            case CONFIRM -> client.postAsync(Client.reservation(dish, ITEM) + "/confirm", order, headers);
            case CANCEL -> client.postAsync(Client.reservation(dish, ITEM) + "/cancel", order, headers);
            case REFUND ->
                client.postAsync(
                        Client.reservation(dish, ITEM) + "/refunds", Map.of("refund_id", "r1", "quantity", 2), headers);
            case POOL_INIT -> client.putAsync("/v1/pools/" + Client.pool(dish), Map.of("total", 10), headers);
            case POOL_ADJUST ->
                client.postAsync("/v1/pools/" + Client.pool(dish) + "/adjustments", Map.of("total", 12), headers);
        };
    }
}
