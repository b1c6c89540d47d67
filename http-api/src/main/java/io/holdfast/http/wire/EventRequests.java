package io.holdfast.http.wire;

import io.holdfast.json.Fields;
import io.holdfast.json.InputError.Code;
import io.holdfast.json.JsonValue.ObjectValue;
import io.holdfast.json.Parsed;
import io.holdfast.messaging.kafka.EventReplay;
import java.util.Optional;

/** Bodies of what operators ask about events of other systems. */
public final class EventRequests {

    private static final int LONGEST_REASON = 256;

    private EventRequests() {}

    /** Body of {@code POST /v1/dead-letters/replay}. */
    public record ReplayDeadLetters(Optional<String> topic) {
        /** Reads a body. */
        public static Parsed<ReplayDeadLetters> parse(ObjectValue body) {
            var fields = new Fields(body);
            var topic = fields.optionalText("topic", 249);
            return fields.into(() -> new ReplayDeadLetters(topic.get()));
        }
    }

    /** Body of {@code POST /v1/parked-events/{id}/discard}. */
    public record Discard(String reason) {
        /** Reads a body. */
        public static Parsed<Discard> parse(ObjectValue body) {
            var fields = new Fields(body);
            var reason = fields.optionalText("reason", LONGEST_REASON);
            if (!fields.has("reason")) {
                fields.fault("reason", Code.MISSING, "Say why it need not be delivered.");
            }
            return fields.into(() -> new Discard(reason.get().orElseThrow()));
        }
    }

    /** Body of {@code POST /v1/event-replays}. */
    public record Replay(String topic, EventReplay.From from) {
        /** Reads a body. */
        public static Parsed<Replay> parse(ObjectValue body) {
            var fields = new Fields(body);
            var topic = fields.optionalText("topic", 249);
            var time = fields.optionalInstant("from_time");
            var offset = fields.optionalInteger("from_offset", 0, Fields.MAX_INTEGER);
            var partition = fields.optionalInteger("partition", 0, Integer.MAX_VALUE);
            if (!fields.has("topic")) {
                fields.fault("topic", Code.MISSING, "This field must be given.");
            }
            if (fields.has("from_time") == fields.has("from_offset")) {
                fields.fault("from_time", Code.CONFLICTING, "Give from_time or from_offset.");
            }
            if (fields.has("partition") && !fields.has("from_offset")) {
                fields.fault("partition", Code.CONFLICTING, "A partition goes with from_offset.");
            }
            return fields.into(() -> new Replay(
                    topic.get().orElseThrow(),
                    time.get()
                            .<EventReplay.From>map(EventReplay.From.Time::new)
                            .orElseGet(() -> new EventReplay.From.Offset(
                                    partition.get().map(Math::toIntExact),
                                    offset.get().orElseThrow()))));
        }
    }
}
