package io.holdfast.compensation.view;

import io.holdfast.compensation.domain.Compensation;
import io.holdfast.compensation.domain.CompensationEvent;
import io.holdfast.compensation.domain.CompensationMachine;
import io.holdfast.compensation.domain.CompensationPolicies;
import io.holdfast.engine.entity.Entry;
import io.holdfast.engine.journal.JournalCodec;
import io.holdfast.engine.journal.JsonCodec;
import io.holdfast.engine.projection.JournalRow;
import io.holdfast.engine.projection.ProjectionHandler;
import io.holdfast.engine.projection.Slices;
import io.holdfast.reservation.domain.EffectPolicies;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;

/** Keeps {@code compensation_view}. */
public final class CompensationViewProjection implements ProjectionHandler {

    /** Name of the projection, and of its table. */
    public static final String NAME = "compensation_view";

    private final JournalCodec<CompensationEvent> events = JournalCodec.of(CompensationEvent.class);
    private final JsonCodec<Compensation> states = JsonCodec.of(Compensation.class);
    /** How events add up depends on no policy. */
    private final CompensationMachine machine = new CompensationMachine(
            new CompensationPolicies(EffectPolicies.standard().script(), false));

    private record Shown(Compensation state, long sequenceNumber) {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void handle(Connection connection, JournalRow row) throws SQLException {
        if (!row.machine().equals(CompensationMachine.NAME)) {
            return;
        }
        Entry<CompensationEvent> entry = events.decode(row.payload());
        if (!(entry instanceof Entry.Happened<CompensationEvent> happened)) {
            return;
        }
        Optional<Shown> shown = shown(connection, row.entityId());
        if (shown.filter(known -> known.sequenceNumber() >= row.sequenceNumber())
                .isEmpty()) {
            Compensation before = shown.map(Shown::state).orElseGet(() -> machine.initial(row.entityId()));
            write(
                    connection,
                    machine.evolve(before, happened.event()),
                    entry.meta().at(),
                    row.sequenceNumber());
        }
    }

    private Optional<Shown> shown(Connection connection, String key) throws SQLException {
        try (PreparedStatement s =
                connection.prepareStatement("select state, sequence_number from compensation_view where key = ?")) {
            s.setString(1, key);
            try (ResultSet r = s.executeQuery()) {
                return r.next()
                        ? Optional.of(
                                new Shown(states.decode(r.getString(1).getBytes(StandardCharsets.UTF_8)), r.getLong(2)))
                        : Optional.empty();
            }
        }
    }

    private void write(Connection connection, Compensation state, Instant at, long sequenceNumber) throws SQLException {
        if (!(state instanceof Compensation.Known known)) {
            throw new IllegalStateException("an event leads to a compensation that was asked for: " + state);
        }
        try (PreparedStatement s = connection.prepareStatement("""
            insert into compensation_view
                (key, reservation_id, pool, status, created_at, updated_at, sequence_number, state)
            values (?, ?, ?, ?, ?, ?, ?, ?)
            on conflict (key) do update set status = excluded.status, updated_at = excluded.updated_at,
                sequence_number = excluded.sequence_number, state = excluded.state
            """)) {
            OffsetDateTime time = OffsetDateTime.ofInstant(at, ZoneOffset.UTC);
            s.setString(1, known.id());
            s.setString(2, known.content().reservationId());
            s.setString(3, known.content().pool().value());
            s.setString(4, known.status().name());
            s.setObject(5, time);
            s.setObject(6, time);
            s.setLong(7, sequenceNumber);
            s.setString(8, new String(states.encode(known), StandardCharsets.UTF_8));
            s.executeUpdate();
        }
    }

    @Override
    public boolean takesAgain() {
        return true; // events up to the one it shows are passed over
    }

    @Override
    public void clear(Connection connection, Slices slices) throws SQLException {
        try (PreparedStatement s =
                connection.prepareStatement("delete from compensation_view where slice between ? and ?")) {
            s.setInt(1, slices.from());
            s.setInt(2, slices.to());
            s.executeUpdate();
        }
    }
}
