package io.holdfast.messaging.out;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells of anomalies that need a person, each once it is found and again when it has come back, at least once. Which were told is kept in
 * their rows, after the broker has them: whoever dies in between has it told again, under the same id.
 */
public final class AnomalyNotices {

    private static final Logger LOG = LoggerFactory.getLogger(AnomalyNotices.class);
    private static final int TOGETHER = 100;
    private static final String TYPE = "InventoryAnomalyFound";

    private final MessageSink sink;
    private final Duration patience;

    /** @param patience how long the broker may take to have them all */
    public AnomalyNotices(MessageSink sink, Duration patience) {
        this.sink = sink;
        this.patience = patience;
    }

    private record Untold(String id, int found, OutgoingMessage message) {}

    /**
     * Tells of some that were not told yet. Blocks.
     *
     * @return whether there may be more
     */
    public boolean tell(Connection connection) throws SQLException {
        List<Untold> untold = untold(connection);
        if (untold.isEmpty()) {
            return false;
        }
        MessageSink.Run run = sink.begin();
        List<CompletableFuture<Void>> sent =
                untold.stream().map(one -> run.send(one.message())).toList();
        long until = System.nanoTime() + patience.toNanos();
        for (int i = 0; i < sent.size(); i++) {
            if (!isTold(untold.get(i), sent.get(i), until - System.nanoTime())) {
                run.abandon();
                return false;
            }
            keep(connection, untold.get(i));
        }
        return untold.size() == TOGETHER;
    }

    private static boolean isTold(Untold one, CompletableFuture<Void> sent, long nanos) {
        try {
            sent.get(nanos, TimeUnit.NANOSECONDS);
            return true;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof MessageSink.Undeliverable) {
                LOG.error("the broker never takes the notice of anomaly {}; it is in the list", one.id(), e);
                return true;
            }
            LOG.debug("the notice of anomaly {} is sent again", one.id(), e);
            return false;
        } catch (TimeoutException e) {
            LOG.debug("the broker does not say that it has the notice of anomaly {}; it is sent again", one.id(), e);
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static List<Untold> untold(Connection connection) throws SQLException {
        List<Untold> untold = new ArrayList<>();
        try (PreparedStatement s = connection.prepareStatement("""
            select id, source, type, pool, reservation_id, summary, at, found from anomaly
            where told < found and gone_at is null and coalesce(class = 'MANUAL', true)
            order by at, id limit ?
            """)) {
            s.setInt(1, TOGETHER);
            try (ResultSet r = s.executeQuery()) {
                while (r.next()) {
                    String id = r.getString("id");
                    int found = r.getInt("found");
                    untold.add(new Untold(
                            id,
                            found,
                            message(
                                    id,
                                    found,
                                    r.getString("source"),
                                    r.getString("type"),
                                    Optional.ofNullable(r.getString("pool")),
                                    Optional.ofNullable(r.getString("reservation_id")),
                                    r.getString("summary"),
                                    r.getObject("at", OffsetDateTime.class).toInstant())));
                }
            }
        }
        return untold;
    }

    /** @param found how often it came about: each time is told of under an id of its own */
    static OutgoingMessage message(
            String id,
            int found,
            String source,
            String type,
            Optional<String> pool,
            Optional<String> reservation,
            String summary,
            Instant at) {
        return new OutgoingMessage(
                OutTopic.LIFECYCLE,
                "anomaly|" + id + "#" + found,
                TYPE,
                reservation.or(() -> pool).orElse(id),
                id,
                found,
                at,
                Optional.empty(),
                new Data()
                        .with("anomaly_id", id)
                        .with("source", source)
                        .with("anomaly_type", type)
                        .with("reservation_id", reservation)
                        .with("pool", pool)
                        .with("summary", summary)
                        .with("found", (long) found)
                        .fields());
    }

    private static void keep(Connection connection, Untold one) throws SQLException {
        try (PreparedStatement s =
                connection.prepareStatement("update anomaly set told = ? where id = ? and told < ?")) {
            s.setInt(1, one.found());
            s.setString(2, one.id());
            s.setInt(3, one.found());
            s.executeUpdate();
        }
    }
}
