package io.holdfast.http.route;

import io.holdfast.json.JsonWriter;
import io.holdfast.messaging.follow.Place;
import io.holdfast.messaging.follow.Portion;
import io.holdfast.messaging.follow.Told;
import io.holdfast.messaging.out.CloudEventDocument;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.pekko.util.ByteString;

/**
 * What is written into a stream of server-sent events. Every block carries the place to go on from as its id, also those without an event,
 * which a browser does not show and whose id it keeps.
 */
final class EventStream {

    /** The type of the event by which a stream says that there will be no more. */
    static final String END = "end";
    /** The type of what stands for an entry that can't be read. */
    static final String UNREADABLE = "unreadable";

    private static final int COME_BACK_AFTER_MILLIS = 1000;

    private final String source;

    EventStream(String source) {
        this.source = source;
    }

    /** How it begins: from here on nothing is left out. */
    static ByteString opening(Place from) {
        return block("retry: " + COME_BACK_AFTER_MILLIS + "\nid: " + from.text() + "\n: from here on\n\n");
    }

    /** A portion; one without events says that the stream is alive, and how far it has come. */
    ByteString of(Portion portion) {
        if (portion.told().isEmpty() && !portion.atRest()) {
            return block("id: " + portion.reached().text() + "\n: alive\n\n");
        }
        var out = new ByteArrayOutputStream();
        for (Told told : portion.told()) {
            switch (told) {
                case Told.Announcement(Place place, var message) ->
                    write(out, place, message.type(), CloudEventDocument.of(message, source));
                case Told.Unreadable(Place place, String persistenceId, long sequenceNumber) ->
                    write(
                            out,
                            place,
                            UNREADABLE,
                            Map.of("persistence_id", persistenceId, "sequence", Long.toString(sequenceNumber)));
            }
        }
        if (portion.atRest()) {
            write(out, portion.reached(), END, Map.of("reason", "AT_REST"));
        }
        return ByteString.fromArrayUnsafe(out.toByteArray());
    }

    /** JSON has no line breaks of its own: one data line holds it. */
    private static void write(ByteArrayOutputStream out, Place place, String type, Object data) {
        out.writeBytes(utf8("id: " + place.text() + "\nevent: " + type + "\ndata: "));
        out.writeBytes(JsonWriter.write(data));
        out.writeBytes(utf8("\n\n"));
    }

    private static ByteString block(String text) {
        return ByteString.fromArrayUnsafe(utf8(text));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
