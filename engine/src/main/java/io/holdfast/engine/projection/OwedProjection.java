package io.holdfast.engine.projection;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.holdfast.engine.entity.Entry;
import io.holdfast.engine.journal.Moments;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
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

    private static final String INSERT = "insert into owed (persistence_id, machine, sequence_number, wake_at)"
            + " select d.persistence_id, d.machine, d.sequence_number, case when d.effect then least(d.at,"
            + " now()) + (d.wake_at - d.at) else d.wake_at end from (select u.persistence_id, u.machine,"
            + " u.sequence_number, u.at::timestamptz, u.wake_at::timestamptz, u.effect from"
            + " unnest(?::varchar[], ?::text[], ?::bigint[], ?::text[], ?::text[], ?::boolean[]) u"
            + " (persistence_id, machine, sequence_number, at, wake_at, effect)) d";

    private static final String UPSERT = INSERT + " on conflict (persistence_id) do update set sequence_number ="
            + " excluded.sequence_number, wake_at = excluded.wake_at where owed.sequence_number <"
            + " excluded.sequence_number";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void handle(Connection connection, JournalRow row) throws SQLException {
        handleAll(connection, List.of(row));
    }

    /**
     * Only the last event of each entity counts: what came before it in the batch is history. Where that began in this batch, nothing was
     * noted of it yet: if nothing is owed at its end nothing is written, and else a row is added and none replaced.
     */
    @Override
    public void handleAll(Connection connection, List<JournalRow> rows) throws SQLException {
        Map<String, Latest> latest = HashMap.newHashMap(rows.size());
        for (JournalRow row : rows) {
            latest.compute(
                    row.persistenceId(),
                    (_, before) -> new Latest(row, before == null ? row.sequenceNumber() == 1 : before.begun()));
        }
        List<JournalRow> resting = new ArrayList<>();
        List<Owing> begun = new ArrayList<>();
        List<Owing> known = new ArrayList<>();
        for (Latest entity : latest.values()) {
            Optional<Due> due = due(entity.row());
            if (due.isPresent()) {
                (entity.begun() ? begun : known).add(new Owing(entity.row(), due.get()));
            } else if (!entity.begun()) {
                resting.add(entity.row());
            }
        }
        if (!begun.isEmpty() && !NewRows.added(connection, () -> owe(connection, begun, INSERT))) {
            owe(connection, begun, UPSERT);
        }
        if (!known.isEmpty()) {
            owe(connection, known, UPSERT);
        }
        if (!resting.isEmpty()) {
            rest(connection, resting);
        }
    }

    /** The last row of an entity in a batch, and whether its first ever is among those before it. */
    private record Latest(JournalRow row, boolean begun) {}

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

    private static void owe(Connection connection, List<Owing> owing, String sql) throws SQLException {
        List<JournalRow> rows = owing.stream().map(Owing::row).toList();
        List<Due> dues = owing.stream().map(Owing::due).toList();
        try (PreparedStatement s = connection.prepareStatement(sql)) {
            s.setArray(1, ids(connection, rows));
            s.setArray(
                    2,
                    connection.createArrayOf(
                            "text", rows.stream().map(JournalRow::machine).toArray(String[]::new)));
            s.setArray(3, numbers(connection, rows));
            s.setArray(
                    4,
                    connection.createArrayOf(
                            "text",
                            dues.stream().map(due -> Moments.text(due.at())).toArray(String[]::new)));
            s.setArray(
                    5,
                    connection.createArrayOf(
                            "text",
                            dues.stream().map(due -> Moments.text(due.wakeAt())).toArray(String[]::new)));
            s.setArray(
                    6,
                    connection.createArrayOf(
                            "boolean", dues.stream().map(Due::effect).toArray(Boolean[]::new)));
            s.executeUpdate();
        }
    }

    private static void rest(Connection connection, List<JournalRow> resting) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement("delete from owed o"
                + " using unnest(?::varchar[], ?::bigint[]) r (persistence_id, sequence_number)"
                + " where o.persistence_id = r.persistence_id and o.sequence_number < r.sequence_number")) {
            s.setArray(1, ids(connection, resting));
            s.setArray(2, numbers(connection, resting));
            s.executeUpdate();
        }
    }

    // Arrays of the driver's own types are sent in binary form.

    private static Array ids(Connection connection, List<JournalRow> rows) throws SQLException {
        return connection.createArrayOf(
                "varchar", rows.stream().map(JournalRow::persistenceId).toArray(String[]::new));
    }

    private static Array numbers(Connection connection, List<JournalRow> rows) throws SQLException {
        return connection.createArrayOf(
                "bigint", rows.stream().map(JournalRow::sequenceNumber).toArray(Long[]::new));
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

    private record Owing(JournalRow row, Due due) {}

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
                    case "at" -> at = Moments.parse(json.getText());
                    case "type" -> stalled = json.getText().equals(STALLED);
                    case "wake_at" -> {
                        if (value == JsonToken.VALUE_NULL) {
                            return Optional.empty();
                        }
                        Instant wakeAt = Moments.parse(json.getText());
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
