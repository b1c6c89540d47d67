package io.holdfast.messaging.webhook;

import io.holdfast.reservation.ledger.Anomaly;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * Has the webhooks that are called no more since they failed in the list of what needs a person, each until it is called again or forgotten.
 * Whoever publishes that list tells of it in an event.
 */
final class DisabledWebhooks {

    /** Who finds such anomalies. */
    static final String SOURCE = "webhooks";

    /** Their type. */
    static final String TYPE = "WEBHOOK_DISABLED";

    /** Part of a statement that begins with this one; its parameter is {@link #id}. */
    static final String GONE = "with gone as (update anomaly set gone_at = now() where id = ? and gone_at is null) ";

    private DisabledWebhooks() {}

    /** The id of the anomaly of a webhook. */
    static String id(String webhook) {
        return Anomaly.id(TYPE, webhook);
    }

    /** Adds one that was just disabled, in the transaction that did so. */
    static void add(Connection connection, String webhook) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement("""
            insert into anomaly as a (id, source, type, pool, summary, evidence, at, class, seen_at)
            select ?, ?, ?, w.pool,
                   'Webhook ' || w.id || ', made by ' || w.created_by || ', is called no more: ' || w.disabled_why || '.',
                   jsonb_strip_nulls(jsonb_build_object(
                       'object', w.id, 'reason', w.disabled_why, 'disabled_at', w.disabled_at, 'failing_since', w.failing_since,
                       'failures', w.failures, 'created_by', w.created_by,
                       'command', 'POST /v1/webhooks/' || w.id || '/enable')),
                   w.disabled_at, 'MANUAL', w.disabled_at
            from webhook w where w.id = ?
            on conflict (id) do update set summary = excluded.summary, evidence = excluded.evidence,
                seen_at = excluded.seen_at, gone_at = null, found = a.found + case when a.gone_at is null then 0 else 1 end
            """)) {
            s.setString(1, id(webhook));
            s.setString(2, SOURCE);
            s.setString(3, TYPE);
            s.setString(4, webhook);
            s.executeUpdate();
        }
    }
}
