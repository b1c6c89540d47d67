package io.holdfast.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Optional;

/** What one request came to, and what follows from it: the rules of asking again, without time or network. */
sealed interface Attempt {

    /** That is the end of it. */
    record Ended(Result result) implements Attempt {}

    /** It is under way: asked again under the same key, it is answered with what became of it. */
    record UnderWay(JsonNode body, Optional<Duration> after) implements Attempt {}

    /** It may have been carried out; the same key finds out. */
    record Lost(String why, Optional<Duration> after) implements Attempt {}

    /** It was not carried out, and may be later. */
    record TurnedAway(String why, Optional<Duration> after) implements Attempt {}

    /** What an answer says. */
    static Attempt of(int status, JsonNode body, boolean replayed, Optional<Duration> after) {
        String code = body.path("code").asText("");
        // Without a time to come again, what was asked for has begun, and its own address tells of it.
        if (status == 202 && after.isPresent()) {
            return new UnderWay(body, after);
        }
        if (status < 300) {
            return new Ended(new Result.Done(status, body, replayed));
        }
        return switch (status) {
            case 503 ->
                code.equals("OUTCOME_UNKNOWN") || code.isEmpty()
                        ? new Lost("503 " + code, after)
                        : new TurnedAway("503 " + code, after);
            case 408, 429 -> new TurnedAway(status + " " + code, after);
            // A fault of the server, or of whatever stands before it: nobody knows how far the request came.
            case 500, 502, 504 -> new Lost(status + " " + code, after);
            default -> new Ended(new Result.Refused(status, code, body));
        };
    }
}
