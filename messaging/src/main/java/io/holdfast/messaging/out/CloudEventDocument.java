package io.holdfast.messaging.out;

import java.util.LinkedHashMap;
import java.util.Map;

/** A message as one JSON object: the structured mode of CloudEvents 1.0. Its attributes are those that go over Kafka as headers. */
public final class CloudEventDocument {

    private CloudEventDocument() {}

    /**
     * The document.
     *
     * @param source where events of this fleet come from
     */
    public static Map<String, Object> of(OutgoingMessage message, String source) {
        Map<String, Object> event = new LinkedHashMap<>();
        event.put("specversion", "1.0");
        event.put("id", message.id());
        event.put("source", source);
        event.put("type", message.type());
        event.put("subject", message.subject());
        event.put("time", message.time().toString());
        event.put("datacontenttype", "application/json");
        event.put("schemaversion", Integer.toString(OutgoingMessage.SCHEMA_VERSION));
        event.put("sequence", Long.toString(message.sequence()));
        event.put("partitionkey", message.key());
        event.put("data", message.data());
        return event;
    }
}
