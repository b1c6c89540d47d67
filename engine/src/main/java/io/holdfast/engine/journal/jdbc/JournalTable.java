package io.holdfast.engine.journal.jdbc;

import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The journal's table as a writer needs it. */
interface JournalTable {

    /** Makes sure that there is a connection. Nothing is sent for anybody. */
    void connect() throws SQLException;

    /** Adds all rows of all writes, in this order, and makes them durable; or none of them. */
    void insert(List<Write> writes) throws SQLException;

    /** Looks under the keys of these rows: what is found of each, null where there is nothing. */
    List<JournalRow.@Nullable Found> find(List<JournalRow> rows) throws SQLException;

    /** Whether somebody keeps everybody from adding rows, by a lock on the whole table. */
    boolean isLocked() throws SQLException;

    /** Lets go of the connection, however it is; the next call makes a new one. */
    void disconnect();
}
