package io.holdfast.engine.projection;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.holdfast.engine.entity.Entry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Keeps table {@code owed}: who must be looked at again, and when. Reads {@code at}, {@code type} and {@code wake_at} beside each
 * event and nothing of the event itself, so it serves every machine, also one whose events this version can't read.
 */
public final class OwedProjection implements ProjectionHandler {

    /** Name of the projection, and of its table. */
    public static final String NAME = "owed";

    private static final String STALLED = Entry.EffectStalled.class.getSimpleName();
    private static final JsonFactory JSON = new JsonFactory();

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void handle(Connection connection, JournalRow row) throws SQLException {
        handleAll(connection, List.of(row));
    }

    /** Only the last event of each entity counts: what came before it in the batch is history. */
    @Override
    public void handleAll(Connection connection, List<JournalRow> rows) throws SQLException {
        Map<String, JournalRow> last = new LinkedHashMap<>();
        for (JournalRow row : rows) {
            last.merge(row.persistenceId(), row, (a, b) -> a.sequenceNumber() > b.sequenceNumber() ? a : b);
        }
        List<JournalRow> resting = new ArrayList<>();
        Map<JournalRow, Due> owing = new LinkedHashMap<>();
        for (JournalRow row : last.values()) {
            due(row).ifPresentOrElse(due -> owing.put(row, due), () -> resting.add(row));
        }
        if (!owing.isEmpty()) {
            owe(connection, owing);
        }
        if (!resting.isEmpty()) {
            rest(connection, resting);
        }
    }

    @Override
    public boolean takesAgain() {
        return true; // an event older than the one it shows changes nothing
    }

    @Override
    public void clear(Connection connection, Slices slices) throws SQLException {
        if (slices.equals(Slices.all())) {
            try (Statement s = connection.createStatement()) {
                s.execute("truncate owed");
            }
            return;
        }
        try (PreparedStatement s =
                connection.prepareStatement("delete from owed where hashtext(persistence_id) & 127 between ? and ?")) {
            s.setInt(1, slices.from());
            s.setInt(2, slices.to());
            s.executeUpdate();
        }
    }

    private static void owe(Connection connection, Map<JournalRow, Due> owing) throws SQLException {
        try (PreparedStatement s =
                connection.prepareStatement("insert into owed (persistence_id, machine, sequence_number, wake_at)"
                        + " select d.persistence_id, d.machine, d.sequence_number, case when d.effect then least(d.at,"
                        + " now()) + (d.wake_at - d.at) else d.wake_at end from unnest(?::varchar[], ?::text[],"
                        + " ?::bigint[], ?::timestamptz[], ?::timestamptz[], ?::boolean[]) d (persistence_id, machine,"
                        + " sequence_number, at, wake_at, effect) on conflict (persistence_id) do update set"
                        + " sequence_number = excluded.sequence_number, wake_at = excluded.wake_at where"
                        + " owed.sequence_number < excluded.sequence_number")) {
            List<JournalRow> rows = List.copyOf(owing.keySet());
            array(
                    connection,
                    s,
                    1,
                    "varchar",
                    rows.stream().map(JournalRow::persistenceId).toArray());
            array(
                    connection,
                    s,
                    2,
                    "text",
                    rows.stream().map(JournalRow::machine).toArray());
            array(
                    connection,
                    s,
                    3,
                    "bigint",
                    rows.stream().map(JournalRow::sequenceNumber).toArray());
            List<Due> dues = List.copyOf(owing.values());
            array(
                    connection,
                    s,
                    4,
                    "timestamptz",
                    dues.stream().map(due -> due.at().toString()).toArray());
            array(
                    connection,
                    s,
                    5,
                    "timestamptz",
                    dues.stream().map(due -> due.wakeAt().toString()).toArray());
            array(connection, s, 6, "boolean", dues.stream().map(Due::effect).toArray());
            s.executeUpdate();
        }
    }

    private static void rest(Connection connection, List<JournalRow> resting) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement("delete from owed o"
                + " using unnest(?::varchar[], ?::bigint[]) r (persistence_id, sequence_number)"
                + " where o.persistence_id = r.persistence_id and o.sequence_number < r.sequence_number")) {
            array(
                    connection,
                    s,
                    1,
                    "varchar",
                    resting.stream().map(JournalRow::persistenceId).toArray());
            array(
                    connection,
                    s,
                    2,
                    "bigint",
                    resting.stream().map(JournalRow::sequenceNumber).toArray());
            s.executeUpdate();
        }
    }

    private static void array(Connection connection, PreparedStatement s, int index, String type, Object[] values)
            throws SQLException {
        s.setArray(index, connection.createArrayOf(type, values));
    }

    /**
     * When an entity must be looked at.
     *
     * @param at when the event was written, by the writer's clock
     * @param wakeAt as the writer computed it
     * @param effect whether an effect is owed: then it is due from the moment of writing, and a writer whose clock was ahead must not put
     *     it off. A moment named by data is taken as it is.
     */
    private record Due(Instant at, Instant wakeAt, boolean effect) {}

    /** From the top-level fields, without building anything of the rest. */
    private static Optional<Due> due(JournalRow row) {
        Instant at = Instant.MAX;
        boolean stalled = false;
        try (JsonParser json = JSON.createParser(row.payload())) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new IllegalArgumentException(row.eventId() + " is not a JSON object");
            }
            for (String field = json.nextFieldName(); field != null; field = json.nextFieldName()) {
                JsonToken value = json.nextToken();
                switch (field) {
                    case "at" -> at = Instant.parse(json.getText());
                    case "type" -> stalled = json.getText().equals(STALLED);
                    case "wake_at" -> {
                        if (value == JsonToken.VALUE_NULL) {
                            return Optional.empty();
                        }
                        Instant wakeAt = Instant.parse(json.getText());
                        // An event without a time of its own can't be late.
                        Instant from = at.equals(Instant.MAX) ? wakeAt : at;
                        return Optional.of(new Due(from, wakeAt, stalled || !wakeAt.isAfter(from)));
                    }
                    default -> json.skipChildren();
                }
            }
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(row.eventId() + " is not JSON", e);
        }
    }
}
