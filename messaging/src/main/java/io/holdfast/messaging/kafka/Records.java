package io.holdfast.messaging.kafka;

import io.holdfast.json.JsonWriter;
import io.holdfast.messaging.event.Channel;
import io.holdfast.messaging.event.RawEvent;
import io.holdfast.messaging.event.TraceContext;
import io.holdfast.messaging.out.OutgoingMessage;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** Records of Kafka as events, and messages as records: the binary mode of CloudEvents 1.0. */
public final class Records {

    private static final int SPAN_BYTES = 8;

    private Records() {}

    /** A record as it came. */
    public static RawEvent raw(Channel channel, ConsumerRecord<byte[], byte[]> record) {
        Map<String, String> headers = new HashMap<>();
        for (Header header : record.headers()) {
            headers.remove(header.key());
            text(header.value()).ifPresent(value -> headers.put(header.key(), value));
        }
        byte[] data = record.value() == null ? new byte[0] : record.value();
        return new RawEvent(channel, record.topic(), record.partition(), record.offset(), headers, data);
    }

    static Optional<String> text(byte[] utf8) {
        if (utf8 == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(utf8))
                    .toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }

    /**
     * A message as it is sent.
     *
     * @param source what names this fleet in its events
     */
    public static ProducerRecord<byte[], byte[]> of(OutgoingMessage message, String topic, String source) {
        var headers = new RecordHeaders();
        add(headers, "ce_specversion", "1.0");
        add(headers, "ce_id", message.id());
        add(headers, "ce_source", source);
        add(headers, "ce_type", message.type());
        add(headers, "ce_subject", message.subject());
        add(headers, "ce_time", message.time().toString());
        add(headers, "ce_schemaversion", Integer.toString(OutgoingMessage.SCHEMA_VERSION));
        add(headers, "ce_sequence", Long.toString(message.sequence()));
        add(headers, "ce_partitionkey", message.key());
        add(headers, "content-type", "application/json");
        message.traceId()
                .flatMap(trace -> TraceContext.traceparent(trace, span(message.id())))
                .ifPresent(traceparent -> add(headers, TraceContext.HEADER, traceparent));
        // Its time in Kafka is that of its sending, from which retention counts: an old entry that is published late
        // must not expire unread.
        return new ProducerRecord<>(
                topic,
                null,
                null,
                message.key().getBytes(StandardCharsets.UTF_8),
                JsonWriter.write(message.data()),
                headers);
    }

    static void add(RecordHeaders headers, String name, String value) {
        headers.add(name, value.getBytes(StandardCharsets.UTF_8));
    }

    /** The same each time the message is sent, as everything about it. */
    private static String span(String id) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(id.getBytes(StandardCharsets.UTF_8));
            digest[0] |= 1; // a span of zeros is none
            return HexFormat.of().formatHex(digest, 0, SPAN_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
