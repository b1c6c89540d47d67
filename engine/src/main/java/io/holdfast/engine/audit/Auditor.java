package io.holdfast.engine.audit;

import io.holdfast.engine.journal.JournalCodec;
import io.holdfast.engine.journal.JsonCodec;
import io.holdfast.engine.machine.Machine;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * Replays the journal of any one entity of a machine. Blocking.
 *
 * @param <S> state of the machine
 * @param <E> events of the machine
 */
public final class Auditor<S, E> {

    private static final int FETCH = 500;

    private final Machine<S, ?, E, ?> machine;
    private final JournalCodec<E> events;
    private final JsonCodec<S> states;
    private final DataSource database;

    /** @param database the read side's */
    public Auditor(Machine<S, ?, E, ?> machine, JournalCodec<E> events, JsonCodec<S> states, DataSource database) {
        this.machine = machine;
        this.events = events;
        this.states = states;
        this.database = database;
    }

    /** Goes through the journal, as of one moment of the database, from the first entry to where the scope ends. */
    public AuditTrail<S> replay(String entityId, AuditScope scope) throws SQLException {
        String persistenceId = machine.name() + "|" + entityId;
        Replay<S, E> replay = new Replay<>(machine, events, states, entityId, scope);
        try (Connection c = database.getConnection()) {
            c.setAutoCommit(false); // or the driver would load the whole journal of a busy pool at once
            try (PreparedStatement s =
                    c.prepareStatement("select e.sequence_number, e.writer, e.deleted, e.event_payload"
                            + " from event_journal e where e.persistence_id = ? order by e.sequence_number")) {
                s.setFetchSize(FETCH);
                s.setString(1, persistenceId);
                try (ResultSet r = s.executeQuery()) {
                    boolean goOn = true;
                    while (goOn && r.next()) {
                        goOn = replay.next(r.getLong(1), r.getString(2), r.getBoolean(3), r.getBytes(4));
                    }
                }
            } finally {
                c.rollback();
                c.setAutoCommit(true);
            }
        }
        return replay.trail(persistenceId);
    }
}
