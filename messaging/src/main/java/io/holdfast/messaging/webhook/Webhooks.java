package io.holdfast.messaging.webhook;

import java.net.URI;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Tables {@code webhook} and {@code webhook_secret}. Blocking. Secrets go in and are never read here. */
public final class Webhooks {

    /** The most secrets of one webhook: more are retired first. */
    public static final int MOST_SECRETS = 5;

    private static final String SELECT = """
        select w.id, w.url, w.types, w.pool, w.merchants, w.description, w.created_by, w.created_at, w.failing_since, w.failures,
               w.disabled_at, w.disabled_why,
               (select coalesce(array_agg(s.version order by s.version), '{}') from webhook_secret s where s.webhook_id = w.id)
        from webhook w
        """;

    private final DataSource database;

    /** @param database the read side's own pool */
    public Webhooks(DataSource database) {
        this.database = database;
    }

    /**
     * A wish for one.
     *
     * @param id under which it will be
     * @param causeId the request; one that was made for it already is that one
     * @param contentHash of what it asks for
     * @param secret its first
     */
    public record Wish(
            String id,
            URI url,
            WebhookFilter about,
            String description,
            String createdBy,
            String causeId,
            String contentHash,
            byte[] secret) {
        @Override
        public String toString() {
            return "Wish[" + id + " for " + url + "]";
        }
    }

    /** What came of a wish. */
    public sealed interface Made {
        /** It is there. */
        record New(Webhook webhook) implements Made {}

        /** It was there already, by the same request. */
        record Already(Webhook webhook) implements Made {}

        /** The same request was made before with other content. */
        record OtherContent() implements Made {}

        /** There are as many as may be. */
        record TooMany() implements Made {}
    }

    /** Makes one; what is journaled from now on is delivered to it. */
    public Made make(Wish wish, int most) throws SQLException {
        try (Connection c = database.getConnection()) {
            c.setAutoCommit(false);
            try {
                Made made = make(c, wish, most);
                c.commit();
                return made;
            } finally {
                c.rollback();
                c.setAutoCommit(true);
            }
        }
    }

    private Made make(Connection c, Wish wish, int most) throws SQLException {
        // Those that come at once are counted one after the other.
        try (PreparedStatement s =
                c.prepareStatement("select pg_advisory_xact_lock(hashtextextended('holdfast:webhooks', 0))")) {
            s.execute();
        }
        try (PreparedStatement s = c.prepareStatement("select id, content_hash from webhook where cause_id = ?")) {
            s.setString(1, wish.causeId());
            try (ResultSet r = s.executeQuery()) {
                if (r.next()) {
                    return r.getString(2).equals(wish.contentHash())
                            ? new Made.Already(find(c, r.getString(1)).orElseThrow())
                            : new Made.OtherContent();
                }
            }
        }
        try (PreparedStatement s = c.prepareStatement("select count(*) from webhook");
                ResultSet r = s.executeQuery()) {
            r.next();
            if (r.getInt(1) >= most) {
                return new Made.TooMany();
            }
        }
        try (PreparedStatement s = c.prepareStatement("""
            insert into webhook (id, url, types, pool, merchants, description, created_by, cause_id, content_hash)
            values (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)) {
            s.setString(1, wish.id());
            s.setString(2, wish.url().toString());
            s.setArray(3, c.createArrayOf("text", wish.about().types().toArray()));
            s.setString(4, wish.about().pool().orElse(null));
            s.setArray(
                    5,
                    wish.about().merchants().isEmpty()
                            ? null
                            : c.createArrayOf(
                                    "text", wish.about().merchants().get().toArray()));
            s.setString(6, wish.description());
            s.setString(7, wish.createdBy());
            s.setString(8, wish.causeId());
            s.setString(9, wish.contentHash());
            s.executeUpdate();
        }
        addSecret(c, wish.id(), 1, wish.secret());
        return new Made.New(find(c, wish.id()).orElseThrow());
    }

    private static void addSecret(Connection c, String id, int version, byte[] secret) throws SQLException {
        try (PreparedStatement s =
                c.prepareStatement("insert into webhook_secret (webhook_id, version, secret) values (?, ?, ?)")) {
            s.setString(1, id);
            s.setInt(2, version);
            s.setBytes(3, secret);
            s.executeUpdate();
        }
    }

    /** The one of this id. */
    public Optional<Webhook> find(String id) throws SQLException {
        try (Connection c = database.getConnection()) {
            return find(c, id);
        }
    }

    private static Optional<Webhook> find(Connection c, String id) throws SQLException {
        try (PreparedStatement s = c.prepareStatement(SELECT + " where w.id = ?")) {
            s.setString(1, id);
            return read(s).stream().findFirst();
        }
    }

    /** All of them, by id: there are not many. */
    public List<Webhook> all() throws SQLException {
        try (Connection c = database.getConnection()) {
            return all(c);
        }
    }

    private static List<Webhook> all(Connection c) throws SQLException {
        try (PreparedStatement s = c.prepareStatement(SELECT + " order by w.id")) {
            return read(s);
        }
    }

    /** Those that are called, with the transaction after which events are theirs, as this transaction sees them. */
    static List<Called> called(Connection c) throws SQLException {
        List<Called> called = new ArrayList<>();
        try (PreparedStatement s = c.prepareStatement(
                        "select id, types, pool, merchants, since::text from webhook where status = 'ENABLED'");
                ResultSet r = s.executeQuery()) {
            while (r.next()) {
                called.add(new Called(
                        r.getString(1),
                        new WebhookFilter(
                                texts(r, 2).orElse(Set.of()), Optional.ofNullable(r.getString(3)), texts(r, 4)),
                        Long.parseLong(r.getString(5))));
            }
        }
        return called;
    }

    /** @param since events of later transactions are its */
    record Called(String id, WebhookFilter about, long since) {}

    /** Forgets one, with all that was sent to it. */
    public boolean remove(String id) throws SQLException {
        return update(DisabledWebhooks.GONE + "delete from webhook where id = ?", id) > 0;
    }

    /** Calls it again: at once, with what has waited and with what is journaled from now on. */
    public boolean enable(String id) throws SQLException {
        return update(
                        DisabledWebhooks.GONE
                                + "update webhook set status = 'ENABLED', disabled_at = null, disabled_why = null,"
                                + " failures = 0, failing_since = null, retry_at = null, since = case when status ="
                                + " 'ENABLED' then since else pg_current_xact_id() end where id = ?",
                        id)
                > 0;
    }

    /** Calls it no more; what waits for it waits. */
    public boolean disable(String id, String why) throws SQLException {
        try (Connection c = database.getConnection()) {
            return disable(c, id, why);
        }
    }

    /** @return false if it is disabled already, or not there */
    static boolean disable(Connection c, String id, String why) throws SQLException {
        try (PreparedStatement s = c.prepareStatement("update webhook set status = 'DISABLED',"
                + " disabled_at = clock_timestamp(), disabled_why = ? where id = ? and status = 'ENABLED'")) {
            s.setString(1, why);
            s.setString(2, id);
            return s.executeUpdate() > 0;
        }
    }

    /**
     * One more secret, that signs beside the others.
     *
     * @return its version; empty if there is no such webhook, or it has as many as it may
     */
    public Optional<Integer> addSecret(String id, byte[] secret) throws SQLException {
        try (Connection c = database.getConnection();
                PreparedStatement s = c.prepareStatement("""
                    insert into webhook_secret (webhook_id, version, secret)
                    select w.id, (select coalesce(max(version), 0) + 1 from webhook_secret where webhook_id = w.id), ?
                    from webhook w where w.id = ?
                      and (select count(*) from webhook_secret where webhook_id = w.id) < ?
                    returning version
                    """)) {
            s.setBytes(1, secret);
            s.setString(2, id);
            s.setInt(3, MOST_SECRETS);
            try (ResultSet r = s.executeQuery()) {
                return r.next() ? Optional.of(r.getInt(1)) : Optional.empty();
            }
        }
    }

    /** A secret signs no more; the last one stays. */
    public boolean retireSecret(String id, int version) throws SQLException {
        try (Connection c = database.getConnection();
                PreparedStatement s = c.prepareStatement("delete from webhook_secret where webhook_id = ? and version ="
                        + " ? and exists (select from webhook_secret o where o.webhook_id = ? and o.version <> ?)")) {
            s.setString(1, id);
            s.setInt(2, version);
            s.setString(3, id);
            s.setInt(4, version);
            return s.executeUpdate() > 0;
        }
    }

    /** @param sql that begins as {@link DisabledWebhooks#GONE} */
    private int update(String sql, String id) throws SQLException {
        try (Connection c = database.getConnection();
                PreparedStatement s = c.prepareStatement(sql)) {
            s.setString(1, DisabledWebhooks.id(id));
            s.setString(2, id);
            return s.executeUpdate();
        }
    }

    private static List<Webhook> read(PreparedStatement s) throws SQLException {
        List<Webhook> found = new ArrayList<>();
        try (ResultSet r = s.executeQuery()) {
            while (r.next()) {
                @Nullable OffsetDateTime failing = r.getObject(9, OffsetDateTime.class);
                @Nullable OffsetDateTime disabled = r.getObject(11, OffsetDateTime.class);
                String why = r.getString(12);
                found.add(new Webhook(
                        r.getString(1),
                        URI.create(r.getString(2)),
                        new WebhookFilter(
                                texts(r, 3).orElse(Set.of()), Optional.ofNullable(r.getString(4)), texts(r, 5)),
                        r.getString(6),
                        r.getString(7),
                        r.getObject(8, OffsetDateTime.class).toInstant(),
                        List.of((Integer[]) r.getArray(13).getArray()),
                        Optional.ofNullable(failing).map(OffsetDateTime::toInstant),
                        r.getInt(10),
                        Optional.ofNullable(disabled).map(at -> new Webhook.Disabled(at.toInstant(), why))));
            }
        }
        return found;
    }

    private static Optional<Set<String>> texts(ResultSet r, int column) throws SQLException {
        var array = r.getArray(column);
        return array == null
                ? Optional.empty()
                : Optional.of(new LinkedHashSet<>(Arrays.asList((String[]) array.getArray())));
    }
}
