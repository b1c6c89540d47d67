package io.holdfast.messaging.webhook;

import io.holdfast.engine.projection.JournalPages;
import io.holdfast.engine.projection.JournalRow;
import io.holdfast.engine.projection.Offset;
import io.holdfast.json.JsonWriter;
import io.holdfast.messaging.follow.Place;
import io.holdfast.messaging.out.JournalMessages;
import io.holdfast.messaging.out.JournalMessages.Written;
import io.holdfast.messaging.out.OutgoingMessage;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Tables {@code webhook_delivery} and {@code webhook_attempt}. Blocking. */
public final class WebhookDeliveries {

    /** The most entries of one page. */
    public static final int LONGEST_PAGE = 500;

    /** The type by which other webhooks are told that one is not called any more. */
    public static final String DISABLED_TYPE = "WebhookDisabled";

    private static final int LONGEST_ERROR = 500;

    // A delivery waits for those of its entity before it. Whoever takes one has it until next_at; then it is anybody's
    // again.
    private static final String CLAIM = """
        with due as (
            select d.id as due_id from webhook w cross join lateral (
                select p.id, p.xid, p.ordering, p.place from webhook_delivery p
                where p.webhook_id = w.id and p.status = 'PENDING' and p.next_at <= now()
                  and not exists (select from webhook_delivery e where e.webhook_id = p.webhook_id and e.entity = p.entity
                      and e.status = 'PENDING' and (e.xid, e.ordering, e.place) < (p.xid, p.ordering, p.place))
                order by p.xid, p.ordering, p.place
                limit case when w.failures = 0 then ? else 1 end
                for update of p skip locked) d
            where w.status = 'ENABLED' and (w.retry_at is null or w.retry_at <= now()) and w.id <> all (?)
            limit ?),
        taken as (
            update webhook_delivery t set next_at = now() + ? * interval '1 millisecond', attempts = t.attempts + 1
            from due where t.id = due_id
            returning t.id, t.webhook_id, t.message_id, t.entity, t.xid, t.ordering, t.place, t.body, t.attempts)
        select t.id, t.webhook_id, t.message_id, t.body, t.attempts, w.url,
               (select array_agg(s.secret order by s.version desc) from webhook_secret s where s.webhook_id = w.id)
        from taken t join webhook w on w.id = t.webhook_id order by t.xid, t.ordering, t.place
        """;

    private final DataSource database;

    /** @param database the read side's own pool */
    public WebhookDeliveries(DataSource database) {
        this.database = database;
    }

    /**
     * One to be sent now.
     *
     * @param attempt which, from 1
     * @param secrets newest first
     */
    record Due(long id, String webhook, String messageId, String body, int attempt, URI url, List<byte[]> secrets) {
        @Override
        public String toString() {
            return "Due[" + id + " to " + webhook + "]";
        }
    }

    /**
     * Takes what is due and free.
     *
     * @param most of all
     * @param toOne of one webhook that works; of one that fails, a single one
     * @param full webhooks that have enough under way
     * @param lease how long the taker may need
     */
    List<Due> claim(int most, int toOne, Collection<String> full, Duration lease) throws SQLException {
        try (Connection c = database.getConnection();
                PreparedStatement s = c.prepareStatement(CLAIM)) {
            s.setInt(1, toOne);
            s.setArray(2, c.createArrayOf("text", full.toArray()));
            s.setInt(3, most);
            s.setLong(4, lease.toMillis());
            List<Due> due = new ArrayList<>();
            try (ResultSet r = s.executeQuery()) {
                while (r.next()) {
                    due.add(new Due(
                            r.getLong(1),
                            r.getString(2),
                            r.getString(3),
                            r.getString(4),
                            r.getInt(5),
                            URI.create(r.getString(6)),
                            List.of((byte[][]) r.getArray(7).getArray())));
                }
            }
            return due;
        }
    }

    /** What came of one attempt. */
    sealed interface Result {
        /**
         * It was taken.
         *
         * @param status HTTP status
         */
        record Taken(int status) implements Result {}

        /**
         * It was not.
         *
         * @param status what came back; empty if nothing did
         * @param why for people
         * @param theirs whether it is the webhook that fails, and not this one delivery
         * @param gone whether the receiver wants no more calls at all
         * @param retryIn when the next attempt is due
         */
        record Failed(Optional<Integer> status, String why, boolean theirs, boolean gone, Duration retryIn)
                implements Result {}
    }

    /**
     * Notes an attempt.
     *
     * @return the reason if the webhook was disabled for it
     */
    Optional<String> note(Due due, Result result, Duration took, WebhookSettings settings) throws SQLException {
        try (Connection c = database.getConnection()) {
            c.setAutoCommit(false);
            try {
                Optional<String> disabled = note(c, due, result, took, settings);
                c.commit();
                return disabled;
            } finally {
                c.rollback();
                c.setAutoCommit(true);
            }
        }
    }

    private static Optional<String> note(Connection c, Due due, Result result, Duration took, WebhookSettings settings)
            throws SQLException {
        switch (result) {
            case Result.Taken(int status) -> {
                if (!attempted(c, due, took, status, null)) {
                    return Optional.empty();
                }
                update(
                        c,
                        "update webhook_delivery set status = 'DELIVERED', ended_at = now(), last_status = ?,"
                                + " last_error = null where id = ? and status = 'PENDING'",
                        status,
                        due.id());
                update(
                        c,
                        "update webhook set failures = 0, failing_since = null, retry_at = null where id = ? and"
                                + " failures > 0",
                        due.webhook());
                return Optional.empty();
            }
            case Result.Failed failed -> {
                return attempted(c, due, took, failed.status().orElse(null), shortened(failed.why()))
                        ? failed(c, due, failed, settings)
                        : Optional.empty();
            }
        }
    }

    private static Optional<String> failed(Connection c, Due due, Result.Failed failed, WebhookSettings settings)
            throws SQLException {
        update(
                c,
                "update webhook_delivery set last_status = ?, last_error = ?,"
                        + " status = case when asked_at + ? * interval '1 millisecond' <= now() then 'GIVEN_UP' else"
                        + " 'PENDING' end,"
                        + " ended_at = case when asked_at + ? * interval '1 millisecond' <= now() then now() end,"
                        + " next_at = now() + ? * interval '1 millisecond' where id = ? and status = 'PENDING'",
                failed.status().orElse(null),
                shortened(failed.why()),
                settings.giveUpAfter().toMillis(),
                settings.giveUpAfter().toMillis(),
                failed.retryIn().toMillis(),
                due.id());
        update(
                c,
                "update webhook set failures = failures + 1, failing_since = coalesce(failing_since, now()),"
                        + " retry_at = case when ? then now() + ? * interval '1 millisecond' else retry_at end"
                        + " where id = ?",
                failed.theirs(),
                failed.retryIn().toMillis(),
                due.webhook());
        Optional<String> why = failed.gone()
                ? Optional.of("the receiver answered " + failed.status().orElse(410) + ": it is gone")
                : failingTooLong(c, due.webhook(), settings.disableAfter());
        if (why.isEmpty() || !Webhooks.disable(c, due.webhook(), why.get())) {
            return Optional.empty();
        }
        tellOthers(c, due.webhook(), why.get());
        DisabledWebhooks.add(c, due.webhook());
        return why;
    }

    private static Optional<String> failingTooLong(Connection c, String webhook, Duration longest) throws SQLException {
        try (PreparedStatement s = c.prepareStatement("select failures from webhook where id = ?"
                + " and failing_since + ? * interval '1 millisecond' <= now()")) {
            s.setString(1, webhook);
            s.setLong(2, longest.toMillis());
            try (ResultSet r = s.executeQuery()) {
                return r.next()
                        ? Optional.of("nothing was taken for " + longest + ", " + r.getInt(1) + " attempts in a row")
                        : Optional.empty();
            }
        }
    }

    /** An event like the others for those that may see it, though no journal has it. */
    private static void tellOthers(Connection c, String webhook, String why) throws SQLException {
        Map<String, Object> event = new LinkedHashMap<>();
        String id = "webhook|" + webhook + "#";
        try (PreparedStatement s = c.prepareStatement(
                "select disabled_at, pg_current_xact_id()::text, merchants from webhook where id = ?")) {
            s.setString(1, webhook);
            try (ResultSet r = s.executeQuery()) {
                r.next();
                Instant at = r.getObject(1, OffsetDateTime.class).toInstant();
                id += at;
                event.put("specversion", "1.0");
                event.put("id", id);
                event.put("type", DISABLED_TYPE);
                event.put("subject", webhook);
                event.put("time", at.toString());
                event.put("datacontenttype", "application/json");
                event.put("data", Map.of("webhook_id", webhook, "reason", why));
            }
        }
        try (PreparedStatement s = c.prepareStatement("""
            insert into webhook_delivery (webhook_id, message_id, type, entity, xid, ordering, place, body)
            select w.id, ?, ?, ?, pg_current_xact_id(), 0, 0, ? from webhook w, webhook f
            where f.id = ? and w.id <> f.id and w.status = 'ENABLED' and w.pool is null
              and (w.types = '{}' or ? = any (w.types)) and (w.merchants is null or w.merchants @> f.merchants)
            on conflict do nothing
            """)) {
            s.setString(1, WebhookSignature.messageId(id));
            s.setString(2, DISABLED_TYPE);
            s.setString(3, "webhook|" + webhook);
            s.setString(4, new String(JsonWriter.write(event), StandardCharsets.UTF_8));
            s.setString(5, webhook);
            s.setString(6, DISABLED_TYPE);
            s.executeUpdate();
        }
    }

    /** @return false if the delivery is no more */
    private static boolean attempted(
            Connection c, Due due, Duration took, @Nullable Integer status, @Nullable String error)
            throws SQLException {
        try (PreparedStatement s = c.prepareStatement("""
            insert into webhook_attempt (delivery_id, number, took_ms, status, error)
            select d.id, coalesce((select max(number) from webhook_attempt where delivery_id = d.id), 0) + 1, ?, ?, ?
            from webhook_delivery d where d.id = ? for update
            """)) {
            s.setLong(1, took.toMillis());
            if (status == null) {
                s.setNull(2, Types.INTEGER);
                s.setString(3, error);
            } else {
                s.setInt(2, status);
                s.setNull(3, Types.VARCHAR);
            }
            s.setLong(4, due.id());
            return s.executeUpdate() > 0;
        }
    }

    private static void update(Connection c, String sql, @Nullable Object... values) throws SQLException {
        try (PreparedStatement s = c.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                if (values[i] == null) {
                    s.setNull(i + 1, Types.INTEGER);
                } else {
                    s.setObject(i + 1, values[i]);
                }
            }
            s.executeUpdate();
        }
    }

    private static String shortened(String why) {
        String text = why.replace("\u0000", "");
        return text.length() <= LONGEST_ERROR ? text : text.substring(0, LONGEST_ERROR);
    }

    /** Forgets what ended long ago. */
    int forget(Duration keep, int most) throws SQLException {
        try (Connection c = database.getConnection();
                PreparedStatement s = c.prepareStatement("delete from webhook_delivery where id in (select id from"
                        + " webhook_delivery where ended_at < now() - ? * interval '1 millisecond' order by ended_at"
                        + " limit ?)")) {
            s.setLong(1, keep.toMillis());
            s.setInt(2, most);
            return s.executeUpdate();
        }
    }

    // ---- what people ask

    /**
     * One delivery, as it is shown.
     *
     * @param tried how often since it was made, or asked for again
     */
    public record Delivery(
            long id,
            String messageId,
            String type,
            String entity,
            Place place,
            Instant createdAt,
            String status,
            int tried,
            Optional<Instant> nextAt,
            Optional<Integer> lastStatus,
            Optional<String> lastError,
            Optional<Instant> endedAt,
            String body) {}

    /**
     * One time it was tried.
     *
     * @param status what came back; empty if nothing did
     * @param error why nothing did
     */
    public record Attempt(int number, Instant at, long tookMillis, Optional<Integer> status, Optional<String> error) {}

    private static final String SHOWN = "select id, message_id, type, entity, xid::text, ordering, place, created_at,"
            + " status, attempts, next_at, last_status, last_error, ended_at, body from webhook_delivery";

    /**
     * Those to one webhook, newest first.
     *
     * @param before only those made before this one
     */
    public List<Delivery> list(String webhook, Optional<String> status, Optional<Long> before, int limit)
            throws SQLException {
        try (Connection c = database.getConnection();
                PreparedStatement s = c.prepareStatement(SHOWN + " where webhook_id = ? and id < ?"
                        + (status.isPresent() ? " and status = ?" : "") + " order by id desc limit ?")) {
            int i = 0;
            s.setString(++i, webhook);
            s.setLong(++i, before.orElse(Long.MAX_VALUE));
            if (status.isPresent()) {
                s.setString(++i, status.get());
            }
            s.setInt(++i, limit);
            return read(s);
        }
    }

    /** One of them. */
    public Optional<Delivery> find(String webhook, long id) throws SQLException {
        try (Connection c = database.getConnection();
                PreparedStatement s = c.prepareStatement(SHOWN + " where webhook_id = ? and id = ?")) {
            s.setString(1, webhook);
            s.setLong(2, id);
            return read(s).stream().findFirst();
        }
    }

    /** Each time one was tried. */
    public List<Attempt> attempts(long id) throws SQLException {
        try (Connection c = database.getConnection();
                PreparedStatement s = c.prepareStatement("select number, at, took_ms, status, error from"
                        + " webhook_attempt where delivery_id = ? order by number desc limit 100")) {
            s.setLong(1, id);
            List<Attempt> attempts = new ArrayList<>();
            try (ResultSet r = s.executeQuery()) {
                while (r.next()) {
                    attempts.add(new Attempt(
                            r.getInt(1),
                            r.getObject(2, OffsetDateTime.class).toInstant(),
                            r.getLong(3),
                            integer(r, 4),
                            Optional.ofNullable(r.getString(5))));
                }
            }
            return attempts;
        }
    }

    /** Sends one again, under the same id, as soon as its turn comes. */
    public boolean again(String webhook, long id) throws SQLException {
        try (Connection c = database.getConnection();
                PreparedStatement s = c.prepareStatement("update webhook_delivery set status = 'PENDING', attempts = 0,"
                        + " next_at = now(), asked_at = now(), ended_at = null where webhook_id = ? and id = ?")) {
            s.setString(1, webhook);
            s.setLong(2, id);
            return s.executeUpdate() > 0;
        }
    }

    /**
     * How far a replay has come.
     *
     * @param queued deliveries that are sent, or sent again
     * @param reached from where to go on
     * @param more whether there is more before the end of the journal
     */
    public record Replayed(int queued, Place reached, boolean more) {}

    /**
     * Sends what a webhook is about again, from a place on: one stretch of the journal at a time.
     *
     * @param rows of the journal to look at
     * @return empty if the journal has not come to that place
     */
    public Optional<Replayed> replay(Webhook webhook, Place from, int rows, JournalMessages messages, String source)
            throws SQLException {
        try (Connection c = database.getConnection()) {
            Offset end = JournalPages.end(c);
            if (from.row().compareTo(end) > 0) {
                return Optional.empty();
            }
            List<JournalRow> read = JournalPages.all(c, from.row(), end, rows);
            var insert = new DeliveryInsert(c, source, true);
            for (Written written : messages.of(read)) {
                if (written instanceof Written.Announced(JournalRow row, List<OutgoingMessage> announced, var _)) {
                    insert.add(webhook.id(), webhook.about(), row, announced);
                }
            }
            int queued = insert.execute();
            boolean more = read.size() == rows;
            Offset reached = more ? Offset.of(read.getLast()) : end;
            return Optional.of(new Replayed(queued, new Place(reached, Place.ALL), more));
        }
    }

    /** How many wait, and for how long the oldest has. */
    public record Waiting(long deliveries, double oldestSeconds, long disabled) {}

    /** For gauges. */
    public Waiting waiting() throws SQLException {
        try (Connection c = database.getConnection();
                PreparedStatement s = c.prepareStatement("""
                    select count(*), coalesce(extract(epoch from now() - min(d.asked_at)), 0)::float8,
                           (select count(*) from webhook where status = 'DISABLED')
                    from webhook_delivery d join webhook w on w.id = d.webhook_id
                    where d.status = 'PENDING' and w.status = 'ENABLED'
                    """);
                ResultSet r = s.executeQuery()) {
            r.next();
            return new Waiting(r.getLong(1), Math.max(0, r.getDouble(2)), r.getLong(3));
        }
    }

    private static Optional<Integer> integer(ResultSet r, int column) throws SQLException {
        int value = r.getInt(column);
        return r.wasNull() ? Optional.empty() : Optional.of(value);
    }

    private static List<Delivery> read(PreparedStatement s) throws SQLException {
        List<Delivery> found = new ArrayList<>();
        try (ResultSet r = s.executeQuery()) {
            while (r.next()) {
                String status = r.getString(9);
                found.add(new Delivery(
                        r.getLong(1),
                        r.getString(2),
                        r.getString(3),
                        r.getString(4),
                        new Place(new Offset(Long.parseLong(r.getString(5)), r.getLong(6)), r.getInt(7) + 1),
                        r.getObject(8, OffsetDateTime.class).toInstant(),
                        status,
                        r.getInt(10),
                        status.equals("PENDING")
                                ? Optional.of(
                                        r.getObject(11, OffsetDateTime.class).toInstant())
                                : Optional.empty(),
                        integer(r, 12),
                        Optional.ofNullable(r.getString(13)),
                        Optional.ofNullable(r.getObject(14, OffsetDateTime.class))
                                .map(OffsetDateTime::toInstant),
                        r.getString(15)));
            }
        }
        return found;
    }
}
