package io.holdfast.messaging.kafka;

import io.holdfast.json.JsonWriter;
import io.holdfast.reservation.ledger.Anomaly;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Has the dead letters that wait in the list of what needs a person, each as an anomaly with its reason and the command that replays it. One
 * that was replayed is gone from there; one that comes back is another letter.
 */
public final class DeadLetterAnomalies {

    /** Who finds such anomalies. */
    public static final String SOURCE = "messaging";

    /** Their type. */
    public static final String TYPE = "DEAD_LETTER";

    /** Of one topic; what is behind them comes into the list once these are replayed. */
    private static final int MOST = 500;

    private final DeadLetters letters;
    private final List<String> sources;

    /** @param sources topics that are read */
    public DeadLetterAnomalies(DeadLetters letters, List<String> sources) {
        this.letters = letters;
        this.sources = List.copyOf(sources);
    }

    /**
     * Looks once. Blocks.
     *
     * @param now by the database's clock or near it
     * @throws org.apache.kafka.common.KafkaException when the broker can't be asked
     */
    public void look(Connection connection, Instant now) throws SQLException {
        Map<String, Long> waiting = letters.counts();
        for (String source : sources) {
            boolean any = waiting.getOrDefault(source, 0L) > 0;
            List<DeadLetter> found = any ? letters.list(source, MOST) : List.of();
            keep(connection, found, now);
            gone(connection, source, now);
        }
    }

    private static void keep(Connection connection, List<DeadLetter> found, Instant now) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement("""
            insert into anomaly as a (id, source, type, summary, evidence, at, class, seen_at)
            values (?, ?, ?, ?, ?::jsonb, ?, 'MANUAL', ?)
            on conflict (id) do update set seen_at = excluded.seen_at, gone_at = null,
                found = a.found + case when a.gone_at is null then 0 else 1 end
            """)) {
            for (DeadLetter letter : found) {
                s.setString(1, Anomaly.id(TYPE, letter.topic() + " " + letter.partition() + " " + letter.offset()));
                s.setString(2, SOURCE);
                s.setString(3, TYPE);
                s.setString(4, "An event of " + letter.sourceTopic() + " was not understood: " + letter.reason() + ".");
                s.setString(5, new String(JsonWriter.write(evidence(letter)), StandardCharsets.UTF_8));
                s.setObject(6, OffsetDateTime.ofInstant(at(letter, now), ZoneOffset.UTC));
                s.setObject(7, OffsetDateTime.ofInstant(now, ZoneOffset.UTC));
                s.addBatch();
            }
            s.executeBatch();
        }
    }

    private static Instant at(DeadLetter letter, Instant now) {
        try {
            return Instant.parse(letter.at());
        } catch (java.time.DateTimeException e) {
            // Buried by somebody else: then it came about when it was first seen.
            return now;
        }
    }

    private static Map<String, Object> evidence(DeadLetter letter) {
        Map<String, Object> evidence = new LinkedHashMap<>();
        evidence.put("object", letter.topic() + "/" + letter.partition() + "/" + letter.offset());
        evidence.put("topic", letter.sourceTopic());
        letter.sourcePartition().ifPresent(partition -> evidence.put("partition", partition.toString()));
        letter.sourceOffset().ifPresent(offset -> evidence.put("offset", offset.toString()));
        evidence.put("reason", letter.reason());
        evidence.put("detail", letter.detail());
        letter.type().ifPresent(type -> evidence.put("event_type", type));
        letter.eventId().ifPresent(id -> evidence.put("event", id));
        letter.key().ifPresent(key -> evidence.put("key", key));
        evidence.put("command", "./holdfast dlq replay --topic " + letter.sourceTopic());
        return evidence;
    }

    private static void gone(Connection connection, String source, Instant now) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement("""
            update anomaly set gone_at = now()
            where source = ? and gone_at is null and seen_at < ? and evidence ->> 'topic' = ?
            """)) {
            s.setString(1, SOURCE);
            s.setObject(2, OffsetDateTime.ofInstant(now, ZoneOffset.UTC));
            s.setString(3, source);
            s.executeUpdate();
        }
    }
}
