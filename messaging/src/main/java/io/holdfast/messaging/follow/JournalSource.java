package io.holdfast.messaging.follow;

import io.holdfast.engine.projection.JournalPages;
import io.holdfast.engine.projection.JournalRow;
import io.holdfast.engine.projection.Offset;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;

/** Pages of the journal. Blocking. */
public interface JournalSource {

    /**
     * Rows behind a place, and where the readable journal ended when they were read.
     *
     * @param rows fewer than asked for only if there are no more before the end
     */
    record Page(List<JournalRow> rows, Offset end) {

        /** How far this page goes. */
        Offset reached(int limit) {
            return rows.size() < limit ? end : Offset.of(rows.getLast());
        }
    }

    /** The next rows of all entities. */
    Page all(Offset after, int limit) throws SQLException;

    /** The next rows of one entity. */
    Page of(String persistenceId, Offset after, int limit) throws SQLException;

    /** Where the journal ends. */
    Offset end() throws SQLException;

    /** The journal in this database. */
    static JournalSource in(DataSource database) {
        return new JournalSource() {
            @Override
            public Page all(Offset after, int limit) throws SQLException {
                try (Connection c = database.getConnection()) {
                    Offset end = JournalPages.end(c);
                    return new Page(JournalPages.all(c, after, end, limit), end);
                }
            }

            @Override
            public Page of(String persistenceId, Offset after, int limit) throws SQLException {
                try (Connection c = database.getConnection()) {
                    Offset end = JournalPages.end(c);
                    return new Page(JournalPages.of(c, persistenceId, after, end, limit), end);
                }
            }

            @Override
            public Offset end() throws SQLException {
                try (Connection c = database.getConnection()) {
                    return JournalPages.end(c);
                }
            }
        };
    }
}
