package io.holdfast.http.route;

import io.holdfast.engine.projection.Offset;
import io.holdfast.messaging.follow.Followers;
import io.holdfast.messaging.follow.Following;
import io.holdfast.messaging.follow.Interest;
import io.holdfast.messaging.follow.Place;
import io.holdfast.messaging.follow.Portion;
import io.holdfast.messaging.follow.Told;
import io.holdfast.messaging.out.OutTopic;
import io.holdfast.messaging.out.OutgoingMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

/** Streams that a test writes. Without one they end at once. */
final class TestFollowers implements Followers {

    /** The portions of every stream, by number from 0. */
    volatile IntFunction<CompletionStage<Portion>> script =
            _ -> CompletableFuture.completedFuture(new Portion(List.of(), place(1), true));

    volatile int most = 100;
    /** What was asked for last. */
    volatile Optional<Interest> interest = Optional.empty();

    volatile Optional<Place> from = Optional.empty();
    final AtomicInteger open = new AtomicInteger();
    /** Portions that were asked for. */
    final AtomicInteger asked = new AtomicInteger();

    static Place place(int row) {
        return new Place(new Offset(700 + row, row), Place.ALL);
    }

    static Told told(int row, String type, Map<String, Object> data) {
        return new Told.Announcement(
                place(row),
                new OutgoingMessage(
                        OutTopic.LIFECYCLE,
                        "reservation|r#" + row,
                        type,
                        "o-1",
                        "r",
                        row,
                        Instant.parse("2026-11-29T10:00:00Z"),
                        Optional.empty(),
                        data));
    }

    @Override
    public Optional<Following> follow(Interest wanted, Optional<Place> after) {
        interest = Optional.of(wanted);
        from = after;
        if (open.get() >= most) {
            return Optional.empty();
        }
        open.incrementAndGet();
        var next = new AtomicInteger();
        return Optional.of(new Following() {
            private boolean closed;

            @Override
            public CompletionStage<Portion> next(Duration patience) {
                asked.incrementAndGet();
                return script.apply(next.getAndIncrement());
            }

            @Override
            public synchronized void close() {
                if (!closed) {
                    closed = true;
                    open.decrementAndGet();
                }
            }
        });
    }
}
