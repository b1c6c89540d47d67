package io.holdfast.http.route;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.pekko.NotUsed;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/**
 * A place that an answer occupies while it is streamed. It is given back when the stream ends, however it ends, and also when it never
 * begins: nobody reads the answer to a caller that has hung up meanwhile.
 */
final class Occupied {

    private Occupied() {}

    /**
     * The answer, which gives its place back once.
     *
     * @param longest how long it may take to begin; one that would begin later fails
     */
    static Source<ByteString, NotUsed> by(Source<ByteString, NotUsed> answer, Duration longest, Runnable giveBack) {
        var settled = new AtomicBoolean();
        CompletableFuture.delayedExecutor(longest.toMillis(), TimeUnit.MILLISECONDS)
                .execute(() -> {
                    if (settled.compareAndSet(false, true)) {
                        giveBack.run();
                    }
                });
        return Source.fromMaterializer((_, _) -> settled.compareAndSet(false, true)
                        ? answer.watchTermination((_, done) -> {
                            done.whenComplete((_, _) -> giveBack.run());
                            return NotUsed.getInstance();
                        })
                        : Source.<ByteString>failed(new IllegalStateException("nobody began to read it in time")))
                .mapMaterializedValue(_ -> NotUsed.getInstance());
    }
}
