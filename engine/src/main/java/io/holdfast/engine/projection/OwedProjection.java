package io.holdfast.engine.projection;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Keeps table {@code owed}: who must be looked at again, and when. Reads {@code wake_at} beside each event and nothing of the event
 * itself, so it serves every machine, also one whose events this version can't read.
 */
public final class OwedProjection implements ProjectionHandler {

    /** Name of the projection, and of its table. */
    public static final String NAME = "owed";

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
        Map<JournalRow, Instant> owing = new LinkedHashMap<>();
        for (JournalRow row : last.values()) {
            wakeAt(row).ifPresentOrElse(at -> owing.put(row, at), () -> resting.add(row));
        }
        if (!owing.isEmpty()) {
            owe(connection, owing);
        }
        if (!resting.isEmpty()) {
            rest(connection, resting);
        }
    }

    @Override
    public void clear(Connection connection, Slices slices) throws SQLException {
        try (PreparedStatement s =
                connection.prepareStatement("delete from owed where hashtext(persistence_id) & 127 between ? and ?")) {
            s.setInt(1, slices.from());
            s.setInt(2, slices.to());
            s.executeUpdate();
        }
    }

    private static void owe(Connection connection, Map<JournalRow, Instant> owing) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement("insert into owed (persistence_id, machine, sequence_number, wake_at)"
                + " select * from unnest(?::varchar[], ?::text[], ?::bigint[], ?::timestamptz[])"
                + " on conflict (persistence_id) do update set sequence_number = excluded.sequence_number, wake_at = excluded.wake_at"
                + " where owed.sequence_number < excluded.sequence_number")) {
            List<JournalRow> rows = List.copyOf(owing.keySet());
            array(connection, s, 1, "varchar", rows.stream().map(JournalRow::persistenceId).toArray());
            array(connection, s, 2, "text", rows.stream().map(JournalRow::machine).toArray());
            array(connection, s, 3, "bigint", rows.stream().map(JournalRow::sequenceNumber).toArray());
            array(connection, s, 4, "timestamptz", owing.values().stream().map(Instant::toString).toArray());
            s.executeUpdate();
        }
    }

    private static void rest(Connection connection, List<JournalRow> resting) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement("delete from owed o"
                + " using unnest(?::varchar[], ?::bigint[]) r (persistence_id, sequence_number)"
                + " where o.persistence_id = r.persistence_id and o.sequence_number < r.sequence_number")) {
            array(connection, s, 1, "varchar", resting.stream().map(JournalRow::persistenceId).toArray());
            array(connection, s, 2, "bigint", resting.stream().map(JournalRow::sequenceNumber).toArray());
            s.executeUpdate();
        }
    }

    private static void array(Connection connection, PreparedStatement s, int index, String type, Object[] values)
            throws SQLException {
        s.setArray(index, connection.createArrayOf(type, values));
    }

    /** The top-level field, without building anything of the rest. */
    private static Optional<Instant> wakeAt(JournalRow row) {
        try (JsonParser json = JSON.createParser(row.payload())) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new IllegalArgumentException(row.eventId() + " is not a JSON object");
            }
            for (String field = json.nextFieldName(); field != null; field = json.nextFieldName()) {
                JsonToken value = json.nextToken();
                if (field.equals("wake_at")) {
                    return value == JsonToken.VALUE_NULL ? Optional.empty() : Optional.of(Instant.parse(json.getText()));
                }
                json.skipChildren();
            }
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(row.eventId() + " is not JSON", e);
        }
    }
}
