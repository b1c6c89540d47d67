package io.holdfast.engine.projection;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * For tests: writes down every event it is given, in a table without constraints, so that what came twice is there twice. What goes wrong
 * beside that is the test's.
 */
class Witness implements ProjectionHandler {

    interface Mishap {
        void strike(Connection connection, JournalRow row) throws SQLException;
    }

    static final String TABLE =
            "create table seen (at bigserial, persistence_id text, sequence_number bigint, ordering bigint)";

    private volatile Mishap mishap = (connection, row) -> {};
    private volatile String beforeClearing = "select 1";
    private final List<String> leftOut = new CopyOnWriteArrayList<>();
    private volatile boolean refusesToLeaveOut;

    /** Happens after the event was written down. */
    void mishap(Mishap next) {
        mishap = next;
    }

    /** Happens before everything is forgotten. */
    void clearsBy(String sql) {
        beforeClearing = sql;
    }

    /** What it was told to do without. */
    List<String> leftOut() {
        return leftOut;
    }

    void refusesToLeaveOut() {
        refusesToLeaveOut = true;
    }

    @Override
    public void leaveOut(Connection connection, JournalRow row) {
        if (refusesToLeaveOut) {
            throw new IllegalStateException("not without this one");
        }
        leftOut.add(row.eventId());
    }

    @Override
    public String name() {
        return "witness";
    }

    @Override
    public void handle(Connection connection, JournalRow row) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement(
                "insert into seen (persistence_id, sequence_number, ordering) values (?, ?, ?)")) {
            s.setString(1, row.persistenceId());
            s.setLong(2, row.sequenceNumber());
            s.setLong(3, row.ordering());
            s.executeUpdate();
        }
        mishap.strike(connection, row);
    }

    @Override
    public void clear(Connection connection, Slices slices) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement(beforeClearing)) {
            s.execute();
        }
        try (PreparedStatement s =
                connection.prepareStatement("delete from seen where hashtext(persistence_id) & 127 between ? and ?")) {
            s.setInt(1, slices.from());
            s.setInt(2, slices.to());
            s.executeUpdate();
        }
    }

    /** As the journal would read if it were handled once and in order: what a test compares with. */
    static List<String> seen(JournalDatabase database) throws SQLException {
        return database.query("select persistence_id || '#' || sequence_number from seen order by at");
    }
}
