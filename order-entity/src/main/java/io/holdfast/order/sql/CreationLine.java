package io.holdfast.order.sql;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.order.domain.OrderCommand.CreationAnswer;
import io.holdfast.order.port.BookAnswer;
import io.holdfast.order.sql.OrderCreations.Asked;
import io.holdfast.order.sql.StockMoves.Item;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Requests for orders, in a line for each item. One transaction of an item is under way at a time on this node: all of them end at the item's
 * row, where they would wait for each other. Whoever comes meanwhile waits here, and those who wait are decided together.
 */
final class CreationLine {

    /** Decided in one transaction; how long the item's row stays locked grows with it. */
    private static final int MOST_TOGETHER = 256;

    /** Waiting for one item. More are tried again later. */
    private static final int MOST_WAITING = 10_000;

    private final Transactions transactions;
    private final OrderCreation alone;
    private final OrderCreations together;
    private final Executor executor;
    /** An item is in it as long as its line is being worked off. */
    private final Map<Item, Queue<Waiting>> lines = new HashMap<>();

    private record Waiting(Asked asked, CompletableFuture<Outcome<BookAnswer<CreationAnswer>>> answer) {}

    /** @param executor runs what blocks; its width bounds how many items are worked off at a time */
    CreationLine(Transactions transactions, OrderCreation alone, OrderCreations together, Executor executor) {
        this.transactions = transactions;
        this.alone = alone;
        this.together = together;
        this.executor = executor;
    }

    /** Decides, off the caller's thread. */
    CompletionStage<Outcome<BookAnswer<CreationAnswer>>> decide(Asked asked) {
        var waiting = new Waiting(asked, new CompletableFuture<>());
        Item item = asked.item();
        synchronized (lines) {
            Queue<Waiting> line = lines.get(item);
            if (line != null) {
                if (line.size() >= MOST_WAITING) {
                    return CompletableFuture.completedFuture(noRoom());
                }
                line.add(waiting);
                return waiting.answer();
            }
            lines.put(item, new ArrayDeque<>(List.of(waiting)));
        }
        workOff(item);
        return waiting.answer();
    }

    private static Outcome<BookAnswer<CreationAnswer>> noRoom() {
        return Outcome.unavailable("no room for another transaction");
    }

    /** A part of the line at a time, so that other items get their turn. */
    private void workOff(Item item) {
        try {
            executor.execute(() -> {
                List<Waiting> part = next(item, MOST_TOGETHER);
                if (!part.isEmpty()) {
                    try {
                        settle(item, part);
                    } finally {
                        workOff(item);
                    }
                }
            });
        } catch (RejectedExecutionException e) {
            for (List<Waiting> part = next(item, Integer.MAX_VALUE);
                    !part.isEmpty();
                    part = next(item, Integer.MAX_VALUE)) {
                part.forEach(waiting -> waiting.answer().complete(noRoom()));
            }
        }
    }

    /** The first of the line; none when there is none left, and then the line is not worked off any more. */
    private List<Waiting> next(Item item, int most) {
        synchronized (lines) {
            Queue<Waiting> line = lines.get(item);
            List<Waiting> part = new ArrayList<>();
            while (line != null && !line.isEmpty() && part.size() < most) {
                part.add(line.remove());
            }
            if (part.isEmpty()) {
                lines.remove(item);
            }
            return part;
        }
    }

    /** Whatever happens, each is answered, and who comes later has a line that is worked off. */
    private void settle(Item item, List<Waiting> part) {
        try {
            if (part.size() == 1) {
                alone(part.getFirst(), false);
            } else {
                together(item, part);
            }
        } catch (RuntimeException | Error broken) {
            part.forEach(waiting -> waiting.answer().completeExceptionally(broken));
            throw broken;
        }
    }

    private void together(Item item, List<Waiting> part) {
        List<Asked> asked = part.stream().map(Waiting::asked).toList();
        Transactions.Settled<Map<String, CreationAnswer.Made>> settled =
                transactions.settle(connection -> together.create(connection, item, asked));
        switch (settled.outcome()) {
            case Outcome.Known<BookAnswer<Map<String, CreationAnswer.Made>>>(
                    BookAnswer.Decided<Map<String, CreationAnswer.Made>>(Map<String, CreationAnswer.Made> made)) ->
                decided(part, new HashMap<>(made), settled.wasUnknown());
            // Nothing is written: something speaks against one of them, and each hears what speaks against it.
            case Outcome.Known<BookAnswer<Map<String, CreationAnswer.Made>>>(BookAnswer.Contradicted<?> _) ->
                part.forEach(waiting -> alone(waiting, settled.wasUnknown()));
            case Outcome.Unknown<BookAnswer<Map<String, CreationAnswer.Made>>>(String why) ->
                part.forEach(waiting -> waiting.answer().complete(Outcome.unknown(why)));
            case Outcome.Unavailable<BookAnswer<Map<String, CreationAnswer.Made>>>(String why) ->
                part.forEach(waiting -> waiting.answer().complete(Outcome.unavailable(why)));
        }
    }

    private void decided(List<Waiting> part, Map<String, CreationAnswer.Made> made, boolean wasUnknown) {
        for (Waiting waiting : part) {
            // A request that is there twice is made once; the other one finds it.
            CreationAnswer.Made answer = made.remove(waiting.asked().order());
            if (answer != null) {
                waiting.answer().complete(Outcome.known(BookAnswer.decided(answer)));
            } else {
                alone(waiting, wasUnknown);
            }
        }
    }

    /** @param wasUnknown whether it may have been decided by a transaction before: then nobody may say that it certainly was not */
    private void alone(Waiting waiting, boolean wasUnknown) {
        Asked asked = waiting.asked();
        Outcome<BookAnswer<CreationAnswer>> outcome = transactions
                .settle(connection -> alone.create(connection, asked.request(), asked.payWithin()))
                .outcome();
        waiting.answer()
                .complete(
                        wasUnknown && outcome instanceof Outcome.Unavailable<BookAnswer<CreationAnswer>>(String why)
                                ? Outcome.unknown(why)
                                : outcome);
    }
}
