package io.holdfast.messaging.in;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.engine.effect.Outcome;
import io.holdfast.messaging.event.Announcement;
import io.holdfast.messaging.event.Channel;
import io.holdfast.messaging.event.RawEvent;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import javax.sql.DataSource;

/** The table {@code parked_event}. Blocking, but for {@link #park}. */
public final class ParkedEvents implements ParkedStore {

    private static final String COLUMNS =
            "id, channel, topic, partition, position, headers::text, data, cause_id, type, key, reason, attempts,"
                    + " parked_at, retry_at";
    private static final TypeReference<Map<String, String>> TEXTS = new TypeReference<>() {};
    private static final ObjectMapper JSON = new ObjectMapper();

    private final DataSource database;
    private final Executor blocking;

    /**
     * @param database the read side's own pool
     * @param blocking threads that may wait for it
     */
    public ParkedEvents(DataSource database, Executor blocking) {
        this.database = database;
        this.blocking = blocking;
    }

    /** How many wait, and since when the oldest does. */
    public record Backlog(long events, Optional<Duration> oldest) {}

    @Override
    public CompletionStage<Outcome<Boolean>> park(RawEvent event, Announcement announcement, String reason) {
        try {
            return CompletableFuture.supplyAsync(
                    () -> {
                        try {
                            return Outcome.known(!insert(event, announcement, reason));
                        } catch (SQLException e) {
                            return Outcome.unavailable("parked_event could not be written: " + e.getMessage());
                        }
                    },
                    blocking);
        } catch (RejectedExecutionException full) {
            return CompletableFuture.completedFuture(
                    Outcome.unavailable("too many queries wait: " + full.getMessage()));
        }
    }

    private boolean insert(RawEvent event, Announcement announcement, String reason) throws SQLException {
        try (Connection c = database.getConnection();
                PreparedStatement s = c.prepareStatement("""
                    insert into parked_event
                        (channel, topic, partition, position, headers, data, cause_id, type, key, reason, retry_at)
                    values (?, ?, ?, ?, cast(? as jsonb), ?, ?, ?, ?, ?, now())
                    on conflict do nothing
                    """)) {
            s.setString(1, event.channel().name());
            s.setString(2, event.topic());
            s.setInt(3, event.partition());
            s.setLong(4, event.offset());
            s.setString(5, json(event.headers()));
            s.setBytes(6, event.data());
            s.setString(7, announcement.cause().id());
            s.setString(8, announcement.type());
            s.setString(9, announcement.key());
            s.setString(10, reason);
            return s.executeUpdate() > 0;
        }
    }

    /** Those that wait, longest first, after this id. */
    public List<ParkedEvent> list(long after, int limit) throws SQLException {
        try (Connection c = database.getConnection();
                PreparedStatement s = c.prepareStatement("select " + COLUMNS
                        + " from parked_event where settled_at is null and id > ? order by id limit ?")) {
            s.setLong(1, after);
            s.setInt(2, limit);
            return read(s);
        }
    }

    /**
     * Takes those whose time has come, longest parked first; nobody else gets them within the lease.
     *
     * @param lease how long the taker may need
     */
    public List<ParkedEvent> claim(int limit, Duration lease) throws SQLException {
        try (Connection c = database.getConnection();
                PreparedStatement s = c.prepareStatement("""
                    with due as (
                        select id as due_id from parked_event
                        where settled_at is null and retry_at <= now() order by id limit ? for update skip locked),
                    taken as (
                        update parked_event set retry_at = now() + ? * interval '1 millisecond', attempts = attempts + 1
                        from due where id = due_id
                        returning %s)
                    select * from taken order by id
                    """.formatted(COLUMNS))) {
            s.setInt(1, limit);
            s.setLong(2, lease.toMillis());
            return read(s);
        }
    }

    /** It still can't be delivered. */
    public void keep(long id, String reason, Duration retryIn) throws SQLException {
        update(
                "update parked_event set reason = ?, retry_at = now() + ? * interval '1 millisecond'"
                        + " where id = ? and settled_at is null",
                s -> {
                    s.setString(1, reason);
                    s.setLong(2, retryIn.toMillis());
                    s.setLong(3, id);
                });
    }

    /**
     * It waits no longer.
     *
     * @param outcome what became of it, for people
     * @return false if it did not wait
     */
    public boolean settle(long id, String outcome) throws SQLException {
        return update(
                        "update parked_event set settled_at = now(), outcome = ? where id = ? and settled_at is null",
                        s -> {
                            s.setString(1, outcome);
                            s.setLong(2, id);
                        })
                > 0;
    }

    /** Has all of them tried again now. How many wait. */
    public int retryNow() throws SQLException {
        return update("update parked_event set retry_at = now() where settled_at is null", _ -> {});
    }

    /** How many wait. */
    public Backlog backlog() throws SQLException {
        try (Connection c = database.getConnection();
                PreparedStatement s = c.prepareStatement(
                        "select count(*), extract(epoch from now() - min(parked_at)) * 1000 from parked_event"
                                + " where settled_at is null");
                ResultSet r = s.executeQuery()) {
            r.next();
            long events = r.getLong(1);
            long millis = Math.round(r.getDouble(2));
            Optional<Duration> oldest =
                    r.wasNull() ? Optional.empty() : Optional.of(Duration.ofMillis(Math.max(0, millis)));
            return new Backlog(events, oldest);
        }
    }

    private interface Values {
        void into(PreparedStatement statement) throws SQLException;
    }

    private int update(String sql, Values values) throws SQLException {
        try (Connection c = database.getConnection();
                PreparedStatement s = c.prepareStatement(sql)) {
            values.into(s);
            return s.executeUpdate();
        }
    }

    private static List<ParkedEvent> read(PreparedStatement s) throws SQLException {
        List<ParkedEvent> events = new ArrayList<>();
        try (ResultSet r = s.executeQuery()) {
            while (r.next()) {
                events.add(new ParkedEvent(
                        r.getLong(1),
                        new RawEvent(
                                Channel.valueOf(r.getString(2)),
                                r.getString(3),
                                r.getInt(4),
                                r.getLong(5),
                                texts(r.getString(6)),
                                r.getBytes(7)),
                        r.getString(8),
                        r.getString(9),
                        r.getString(10),
                        r.getString(11),
                        r.getInt(12),
                        r.getObject(13, OffsetDateTime.class).toInstant(),
                        r.getObject(14, OffsetDateTime.class).toInstant()));
            }
        }
        return events;
    }

    private static String json(Map<String, String> texts) {
        try {
            // PostgreSQL keeps no NUL in JSON; an attribute with one is refused before, another header is of no use
            // here.
            return JSON.writeValueAsString(texts).replace("\\u0000", "");
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("texts that are no JSON", e);
        }
    }

    private static Map<String, String> texts(String json) {
        try {
            return JSON.readValue(json, TEXTS);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("parked_event.headers is not what was written", e);
        }
    }
}
