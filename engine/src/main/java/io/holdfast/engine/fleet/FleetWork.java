package io.holdfast.engine.fleet;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * What {@link OneInFleet} runs. Called by one thread, with the connection whose session holds the lock: what is committed through it
 * was committed by the only node that may. Connections come in auto-commit mode and are left so.
 */
public interface FleetWork {

    /** Identity of the work in the database: two pieces of work with one name never run at once. */
    String name();

    /** Called when this node has won the lock, and again after every loss: what was known of the database before may be stale. */
    void begin(Connection connection) throws SQLException;

    /** One bounded piece of work. Returns how long to wait before the next. */
    Pause round(Connection connection) throws SQLException;

    /** A round, or winning the lock, failed: the connection is given up, and the loop begins again after a back-off. */
    void failed(Throwable failure);
}
