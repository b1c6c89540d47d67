package io.holdfast.messaging.webhook;

import io.holdfast.engine.projection.JournalRow;
import io.holdfast.json.JsonWriter;
import io.holdfast.messaging.out.CloudEventDocument;
import io.holdfast.messaging.out.OutgoingMessage;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Deliveries in the making, written with one statement. */
final class DeliveryInsert {

    private static final String COLUMNS =
            "insert into webhook_delivery (webhook_id, message_id, type, entity, xid, ordering, place, body)"
                    + " select * from unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::xid8[], ?::bigint[],"
                    + " ?::integer[], ?::text[])";

    private static final String KEEP = " on conflict (webhook_id, message_id) do nothing";

    private static final String AGAIN = " on conflict (webhook_id, message_id) do update set status = 'PENDING',"
        + " attempts = 0, next_at = now(), asked_at = now(), ended_at = null, last_status = null, last_error = null";

    private record Line(
            String webhook,
            String message,
            String type,
            String entity,
            String xid,
            long ordering,
            int place,
            String body) {}

    private final Connection connection;
    private final String source;
    private final boolean again;
    private final List<Line> lines = new ArrayList<>();

    /** @param again whether what was sent already is sent again */
    DeliveryInsert(Connection connection, String source, boolean again) {
        this.connection = connection;
        this.source = source;
        this.again = again;
    }

    /** Those of a row's announcements that a webhook is about. */
    void add(String webhook, WebhookFilter about, JournalRow row, List<OutgoingMessage> announced) {
        for (int i = 0; i < announced.size(); i++) {
            OutgoingMessage message = announced.get(i);
            if (about.wants(message)) {
                lines.add(new Line(
                        webhook,
                        WebhookSignature.messageId(message.id()),
                        message.type(),
                        row.persistenceId(),
                        Long.toString(row.xid()),
                        row.ordering(),
                        i,
                        new String(JsonWriter.write(CloudEventDocument.of(message, source)), StandardCharsets.UTF_8)));
            }
        }
    }

    /** @return how many were written */
    int execute() throws SQLException {
        if (lines.isEmpty()) {
            return 0;
        }
        try (PreparedStatement s = connection.prepareStatement(COLUMNS + (again ? AGAIN : KEEP))) {
            set(s, 1, "text", lines.stream().map(Line::webhook).toArray());
            set(s, 2, "text", lines.stream().map(Line::message).toArray());
            set(s, 3, "text", lines.stream().map(Line::type).toArray());
            set(s, 4, "text", lines.stream().map(Line::entity).toArray());
            set(s, 5, "text", lines.stream().map(Line::xid).toArray());
            set(s, 6, "bigint", lines.stream().map(Line::ordering).toArray());
            set(s, 7, "integer", lines.stream().map(Line::place).toArray());
            set(s, 8, "text", lines.stream().map(Line::body).toArray());
            return s.executeUpdate();
        }
    }

    private void set(PreparedStatement s, int index, String type, Object[] values) throws SQLException {
        s.setArray(index, connection.createArrayOf(type, values));
    }
}
