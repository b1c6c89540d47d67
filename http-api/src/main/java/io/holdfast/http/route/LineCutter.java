package io.holdfast.http.route;

import io.holdfast.http.route.Arrival.Piece;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.apache.pekko.NotUsed;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.util.ByteString;

/** Cuts a body into lines as it arrives. Holds no more than the longest line: of a longer one only its number is kept. */
final class LineCutter {

    /** One line, by its number from 1. Empty ones are counted and left out. */
    sealed interface Line {
        /** Its number. */
        long number();

        /** All of it, without its end. */
        record Whole(long number, byte[] bytes) implements Line {}

        /** One that is longer than a line may be. */
        record TooLong(long number) implements Line {}
    }

    private final int longest;
    private final ByteArrayOutputStream begun = new ByteArrayOutputStream();
    private boolean tooLong;
    private long number = 1;

    LineCutter(int longest) {
        this.longest = longest;
    }

    /**
     * The lines of a body. What has begun and was not ended when the body broke off is no line: half of one may well be read as another.
     *
     * @param brokenOff is told why no more lines come, where more were to come
     */
    static Flow<Piece, Line, NotUsed> flow(int longest, Consumer<String> brokenOff) {
        return Flow.of(Piece.class).statefulMapConcat(() -> {
            var cutter = new LineCutter(longest);
            return piece -> switch (piece) {
                case Piece.Bytes(ByteString bytes) -> cutter.take(bytes.toArray());
                case Piece.Whole() -> cutter.end();
                case Piece.BrokenOff(String why) -> {
                    brokenOff.accept(why);
                    yield List.of();
                }
            };
        });
    }

    /** The lines that end in this chunk. */
    List<Line> take(byte[] chunk) {
        List<Line> lines = new ArrayList<>();
        int from = 0;
        for (int i = 0; i < chunk.length; i++) {
            if (chunk[i] == '\n') {
                keep(chunk, from, i);
                lines.addAll(end());
                from = i + 1;
            }
        }
        keep(chunk, from, chunk.length);
        return lines;
    }

    private void keep(byte[] chunk, int from, int to) {
        if (!tooLong && begun.size() + to - from > longest + 1) { // one more for a carriage return
            tooLong = true;
            begun.reset();
        }
        if (!tooLong) {
            begun.write(chunk, from, to - from);
        }
    }

    /** The line that has begun, if there is anything on it. */
    List<Line> end() {
        byte[] bytes = begun.toByteArray();
        int length = bytes.length > 0 && bytes[bytes.length - 1] == '\r' ? bytes.length - 1 : bytes.length;
        boolean over = tooLong || length > longest;
        long its = number++;
        begun.reset();
        tooLong = false;
        if (over) {
            return List.of(new Line.TooLong(its));
        }
        return length == 0 ? List.of() : List.of(new Line.Whole(its, Arrays.copyOf(bytes, length)));
    }
}
