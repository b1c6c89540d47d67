package io.holdfast.reservation.view;

import io.holdfast.engine.entity.Entry;
import io.holdfast.engine.entity.Meta;
import io.holdfast.engine.fleet.DatabaseTime;
import io.holdfast.engine.journal.JournalCodec;
import io.holdfast.engine.journal.JsonCodec;
import io.holdfast.engine.projection.JournalRow;
import io.holdfast.engine.projection.ProjectionHandler;
import io.holdfast.engine.projection.Slices;
import io.holdfast.reservation.domain.EffectPolicies;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationEvent;
import io.holdfast.reservation.domain.ReservationMachine;
import io.holdfast.reservation.ledger.LedgerRow;
import io.holdfast.reservation.ledger.LedgerWriter;
import io.holdfast.reservation.ledger.ReservationChanges;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Keeps {@code reservation_view}, where each row is the fold of a reservation's journal by the same function that runs it, and in the
 * same transaction the books of the pools those reservations changed: what a reservation did is shown together with what it did to its
 * pool, and the journal is read and folded once for both.
 */
public final class ReservationViewProjection implements ProjectionHandler {

    /** Name of the projection, and of its table. */
    public static final String NAME = "reservation_view";

    private final ReservationMachine machine = new ReservationMachine(EffectPolicies.standard());
    private final JournalCodec<ReservationEvent> events = JournalCodec.of(ReservationEvent.class);
    private final JsonCodec<Reservation> states = JsonCodec.of(Reservation.class);

    private final LedgerWriter ledger = new LedgerWriter();

    /**
     * A reservation as the view has it.
     *
     * @param causeId the latest request or message that led to an event of it
     */
    private record Seen(
            Reservation state,
            Instant createdAt,
            Instant updatedAt,
            long sequenceNumber,
            Optional<String> causeId,
            Synced synced) {}

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
        Map<String, Seen> before = ours.isEmpty() ? Map.of() : read(connection, ours);
        Map<String, Seen> changed = LinkedHashMap.newLinkedHashMap(ours.size());
        List<LedgerRow> changes = new ArrayList<>(ours.size());
        for (JournalRow row : ours) {
            Seen known = changed.getOrDefault(row.entityId(), before.get(row.entityId()));
            long last = known == null ? 0 : known.sequenceNumber();
            if (row.sequenceNumber() <= last) {
                continue;
            }
            if (row.sequenceNumber() != last + 1) {
                throw new IllegalStateException(row.eventId() + " follows event " + last + ": events are missing");
            }
            changed.put(row.entityId(), after(known, row, changes));
        }
        Set<String> dead = ledger.write(connection, changes, rows).stream()
                .flatMap(refused -> refused.change().reservationId().stream())
                .collect(Collectors.toSet());
        changed.replaceAll((id, seen) -> synced(seen, dead.contains(id)));
        write(connection, before.keySet(), changed);
    }

    /** Adds to {@code changes} what the event did to the pool. */
    private Seen after(@Nullable Seen known, JournalRow row, List<LedgerRow> changes) {
        Entry<ReservationEvent> entry = events.decode(row.payload());
        Reservation state = known == null ? machine.initial(row.entityId()) : known.state();
        Optional<String> cause = known == null ? Optional.empty() : known.causeId();
        Synced synced = known == null ? Synced.NOTHING : known.synced();
        Instant at = entry.meta().at();
        return switch (entry) {
            case Entry.Happened<ReservationEvent>(ReservationEvent event, Meta meta) -> {
                Optional<String> causeId = meta.cause().remembered() && ReservationChanges.leadsOn(event)
                        ? Optional.of(meta.cause().id())
                        : cause;
                ReservationChanges.of(state, event)
                        .ifPresent(change -> changes.add(LedgerRow.of(row, change, causeId, at)));
                yield new Seen(
                        machine.evolve(state, event),
                        known == null ? at : known.createdAt(),
                        at,
                        row.sequenceNumber(),
                        causeId,
                        synced);
            }
            case Entry.EffectStalled<ReservationEvent> _ ->
                new Seen(
                        state,
                        known == null ? at : known.createdAt(),
                        known == null ? at : known.updatedAt(),
                        row.sequenceNumber(),
                        cause,
                        synced);
        };
    }

    private static Seen synced(Seen seen, boolean dead) {
        return new Seen(
                seen.state(),
                seen.createdAt(),
                seen.updatedAt(),
                seen.sequenceNumber(),
                seen.causeId(),
                dead ? seen.synced().dead() : seen.synced().with(seen.state().latestBooks()));
    }

    private Map<String, Seen> read(Connection connection, List<JournalRow> rows) throws SQLException {
        Map<String, Seen> seen = new HashMap<>();
        String[] ids = known(rows);
        if (ids.length == 0) {
            return seen;
        }
        try (PreparedStatement s = connection.prepareStatement("""
            select reservation_id, state, created_at, updated_at, sequence_number, cause_id, synced_epoch, synced_version,
                sync_status
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
                                    r.getLong(5),
                                    Optional.ofNullable(r.getString(6)),
                                    Synced.read(r, 7)));
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

    /** @param shown those that have a row already */
    private void write(Connection connection, Set<String> shown, Map<String, Seen> changed) throws SQLException {
        var added = new ViewRows();
        var written = new ViewRows();
        for (Seen seen : changed.values()) {
            ViewRows rows = shown.contains(seen.state().id()) ? written : added;
            rows.add(
                    ViewRow.of(seen.state()),
                    seen.createdAt(),
                    seen.updatedAt(),
                    seen.sequenceNumber(),
                    seen.causeId(),
                    seen.synced(),
                    new String(states.encode(seen.state()), StandardCharsets.UTF_8));
        }
        added.insert(connection);
        written.write(connection);
    }

    @Override
    public boolean takesAgain() {
        return true; // events up to the one it shows are passed over
    }

    /** The reservation is shown as if the event had changed nothing, and as one of which the ledger may lack something. */
    @Override
    public void leaveOut(Connection connection, JournalRow row) throws SQLException {
        if (!row.machine().equals(ReservationMachine.NAME)) {
            return;
        }
        Seen known = read(connection, List.of(row)).get(row.entityId());
        Instant now = DatabaseTime.of(connection); // the event that could say when may be unreadable
        write(
                connection,
                known == null ? Set.of() : Set.of(row.entityId()),
                Map.of(
                        row.entityId(),
                        new Seen(
                                known == null ? machine.initial(row.entityId()) : known.state(),
                                known == null ? now : known.createdAt(),
                                known == null ? now : known.updatedAt(),
                                row.sequenceNumber(),
                                known == null ? Optional.empty() : known.causeId(),
                                known == null
                                        ? Synced.NOTHING.dead()
                                        : known.synced().dead())));
    }

    @Override
    public void clear(Connection connection, Slices slices) throws SQLException {
        ledger.clear(connection, slices);
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
