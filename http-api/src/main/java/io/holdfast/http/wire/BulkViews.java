package io.holdfast.http.wire;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/** Lines of the answer to an upload of pools. */
public final class BulkViews {

    private BulkViews() {}

    /**
     * What came of one line.
     *
     * @param line its number, from 1
     * @param pool which it named, as far as it could be read
     * @param status what a PUT of that pool alone would have been answered with
     * @param result in a word
     * @param problem why, where it was not taken
     */
    public record ResultView(long line, Optional<String> pool, int status, Result result, Optional<JsonNode> problem) {}

    /** What came of a line, in a word. */
    public enum Result {
        /** The pool is there now. */
        CREATED,
        /** It would be made. */
        WOULD_CREATE,
        /** It was there already, as asked for. */
        UNCHANGED,
        /** It is being made; send the line again to hear how that went. */
        ACCEPTED,
        /** The line can't be read. */
        INVALID,
        /** It can't be made as asked for. */
        REFUSED,
        /** It is not known, or not now: send the line again. */
        UNSETTLED;

        /** Of a status. */
        public static Result of(int status, boolean dryRun) {
            return switch (status) {
                case 201 -> dryRun ? WOULD_CREATE : CREATED;
                case 200 -> UNCHANGED;
                case 202 -> ACCEPTED;
                case 400 -> INVALID;
                default -> status >= 500 ? UNSETTLED : REFUSED;
            };
        }
    }

    /** The last line. */
    public record EndView(SummaryView summary) {}

    /**
     * All together.
     *
     * @param lines that asked for something
     * @param created pools that are there now, or would be
     * @param unchanged pools that were there
     * @param failed lines that came to neither
     * @param dryRun whether nothing was done
     * @param complete whether all of the body was looked at
     * @param reason why not
     */
    public record SummaryView(
            long lines,
            long created,
            long unchanged,
            long failed,
            boolean dryRun,
            boolean complete,
            Optional<String> reason) {}
}
