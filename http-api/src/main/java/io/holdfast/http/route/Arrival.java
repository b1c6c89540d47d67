package io.holdfast.http.route;

import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.apache.pekko.NotUsed;
import org.apache.pekko.http.javadsl.model.HttpEntity;
import org.apache.pekko.http.javadsl.model.RequestEntity;
import org.apache.pekko.http.scaladsl.model.EntityStreamSizeException;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/**
 * A body that is read while its answer is written, and how it ended. Once an answer has begun, the server lets a body that breaks off end
 * like one that is whole, so what tells them apart is looked at here: the length that was announced, or the last chunk.
 */
final class Arrival {

    /** What comes of a body, in order; an end is the last. */
    sealed interface Piece {
        /** Some of it. */
        record Bytes(ByteString bytes) implements Piece {}

        /** All of it came. */
        record Whole() implements Piece {}

        /** No more of it comes, though there was more. */
        record BrokenOff(String why) implements Piece {}
    }

    private static final String BROKE_OFF = "the body broke off before its end";

    private long bytes;
    private boolean lastChunk;

    private Arrival() {}

    /**
     * The pieces of a body, to be read once.
     *
     * @param most bytes it may have
     * @param silence for how long nothing may come
     */
    static Source<Piece, NotUsed> of(RequestEntity body, long most, Duration silence) {
        var arrival = new Arrival();
        return arrival.bytes(body.withSizeLimit(most))
                .mapMaterializedValue(_ -> NotUsed.getInstance())
                .idleTimeout(silence)
                .<Piece>map(Piece.Bytes::new)
                .concatLazy(Source.lazySource(() -> Source.single(arrival.end(body))))
                .recover(
                        EntityStreamSizeException.class,
                        () -> new Piece.BrokenOff("it has more than " + most + " bytes"))
                .recover(
                        TimeoutException.class,
                        () -> new Piece.BrokenOff("nothing more of it came for " + silence.toSeconds() + " s"))
                .recover(Exception.class, () -> new Piece.BrokenOff(BROKE_OFF));
    }

    private Source<ByteString, ?> bytes(HttpEntity body) {
        return body instanceof HttpEntity.Chunked chunked
                ? chunked.getChunks().map(chunk -> {
                    lastChunk |= chunk.isLastChunk();
                    return chunk.data();
                })
                : body.getDataBytes().map(some -> {
                    bytes += some.size();
                    return some;
                });
    }

    private Piece end(HttpEntity body) {
        boolean whole = body instanceof HttpEntity.Chunked
                ? lastChunk
                : body.getContentLengthOption().stream().allMatch(length -> length == bytes);
        return whole ? new Piece.Whole() : new Piece.BrokenOff(BROKE_OFF);
    }
}
