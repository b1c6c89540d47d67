package io.holdfast.reservation.view;

import io.holdfast.engine.entity.Entry;
import io.holdfast.engine.journal.JournalCodec;
import io.holdfast.engine.journal.JsonCodec;
import io.holdfast.engine.projection.JournalRow;
import io.holdfast.engine.projection.ProjectionHandler;
import io.holdfast.engine.projection.Slices;
import io.holdfast.reservation.domain.EffectPolicies;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationEvent;
import io.holdfast.reservation.domain.ReservationMachine;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Keeps {@code reservation_view}: each row is the fold of a reservation's journal, by the same function that runs it. */
public final class ReservationViewProjection implements ProjectionHandler {

    /** Name of the projection, and of its table. */
    public static final String NAME = "reservation_view";

    private final ReservationMachine machine = new ReservationMachine(EffectPolicies.standard());
    private final JournalCodec<ReservationEvent> events = JournalCodec.of(ReservationEvent.class);
    private final JsonCodec<Reservation> states = JsonCodec.of(Reservation.class);

    private record Seen(Reservation state, Instant createdAt, Instant updatedAt, long sequenceNumber) {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void handle(Connection connection, JournalRow row) throws SQLException {
        handleAll(connection, List.of(row));
    }

    @Override
    public void handleAll(Connection connection, List<JournalRow> rows) throws SQLException {
        List<JournalRow> ours = rows.stream()
                .filter(row -> row.machine().equals(ReservationMachine.NAME))
                .toList();
        if (ours.isEmpty()) {
            return;
        }
        Map<String, Seen> before = read(connection, ours);
        Map<String, Seen> changed = LinkedHashMap.newLinkedHashMap(ours.size());
        for (JournalRow row : ours) {
            Seen known = changed.getOrDefault(row.entityId(), before.get(row.entityId()));
            long last = known == null ? 0 : known.sequenceNumber();
            if (row.sequenceNumber() <= last) {
                continue;
            }
            if (row.sequenceNumber() != last + 1) {
                throw new IllegalStateException(row.eventId() + " follows event " + last + ": events are missing");
            }
            changed.put(row.entityId(), after(known, row));
        }
        write(connection, changed);
    }

    private Seen after(@Nullable Seen known, JournalRow row) {
        Entry<ReservationEvent> entry = events.decode(row.payload());
        Reservation state = known == null ? machine.initial(row.entityId()) : known.state();
        Instant at = entry.meta().at();
        return switch (entry) {
            case Entry.Happened<ReservationEvent> happened ->
                new Seen(
                        machine.evolve(state, happened.event()),
                        known == null ? at : known.createdAt(),
                        at,
                        row.sequenceNumber());
            case Entry.EffectStalled<ReservationEvent> _ ->
                new Seen(
                        state,
                        known == null ? at : known.createdAt(),
                        known == null ? at : known.updatedAt(),
                        row.sequenceNumber());
        };
    }

    private Map<String, Seen> read(Connection connection, List<JournalRow> rows) throws SQLException {
        Map<String, Seen> seen = new HashMap<>();
        String[] ids = known(rows);
        if (ids.length == 0) {
            return seen;
        }
        try (PreparedStatement s = connection.prepareStatement("""
            select reservation_id, state, created_at, updated_at, sequence_number
            from reservation_view where reservation_id = any (?)
            """)) {
            s.setArray(1, connection.createArrayOf("text", ids));
            try (ResultSet r = s.executeQuery()) {
                while (r.next()) {
                    seen.put(
                            r.getString(1),
                            new Seen(
                                    states.decode(r.getString(2).getBytes(StandardCharsets.UTF_8)),
                                    r.getObject(3, OffsetDateTime.class).toInstant(),
                                    r.getObject(4, OffsetDateTime.class).toInstant(),
                                    r.getLong(5)));
                }
            }
        }
        return seen;
    }

    /** Those that began before this batch. What was shown of one that begins here, if anything, is what is told again. */
    private static String[] known(List<JournalRow> rows) {
        Map<String, Boolean> known = LinkedHashMap.newLinkedHashMap(rows.size());
        rows.forEach(row -> known.putIfAbsent(row.entityId(), row.sequenceNumber() > 1));
        return known.entrySet().stream()
                .filter(Map.Entry::getValue)
                .map(Map.Entry::getKey)
                .toArray(String[]::new);
    }

    private void write(Connection connection, Map<String, Seen> changed) throws SQLException {
        var rows = new ViewRows();
        for (Seen seen : changed.values()) {
            rows.add(
                    ViewRow.of(seen.state()),
                    seen.createdAt(),
                    seen.updatedAt(),
                    seen.sequenceNumber(),
                    new String(states.encode(seen.state()), StandardCharsets.UTF_8));
        }
        rows.write(connection);
    }

    @Override
    public boolean takesAgain() {
        return true; // events up to the one it shows are passed over
    }

    /** The reservation is shown as if the event had changed nothing. */
    @Override
    public void leaveOut(Connection connection, JournalRow row) throws SQLException {
        if (!row.machine().equals(ReservationMachine.NAME)) {
            return;
        }
        Seen known = read(connection, List.of(row)).get(row.entityId());
        Instant now = Instant.now(); // the event that could say when may be unreadable
        write(
                connection,
                Map.of(
                        row.entityId(),
                        new Seen(
                                known == null ? machine.initial(row.entityId()) : known.state(),
                                known == null ? now : known.createdAt(),
                                known == null ? now : known.updatedAt(),
                                row.sequenceNumber())));
    }

    @Override
    public void clear(Connection connection, Slices slices) throws SQLException {
        if (slices.equals(Slices.all())) {
            try (Statement s = connection.createStatement()) {
                s.execute("truncate reservation_view");
            }
            return;
        }
        try (PreparedStatement s =
                connection.prepareStatement("delete from reservation_view where slice between ? and ?")) {
            s.setInt(1, slices.from());
            s.setInt(2, slices.to());
            s.executeUpdate();
        }
    }
}
