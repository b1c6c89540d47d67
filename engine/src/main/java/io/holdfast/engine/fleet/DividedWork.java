package io.holdfast.engine.fleet;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.SortedSet;

/**
 * Work in units, each done by one node at a time and together by however many there are: what {@link DividedInFleet} runs. Called by one
 * thread, with the connection whose session holds the locks of the units: what is committed through it for one of them was committed by
 * the only node that may. Connections come in auto-commit mode and are left so.
 */
public interface DividedWork {

    /** Identity of the work in the database. */
    String name();

    /** Numbers of the units, 0 or greater; never changes. */
    SortedSet<Integer> units();

    /** Called for every new session, before any unit is held. */
    void begin(Connection connection) throws SQLException;

    /**
     * The units held from now on are these; none, when this node stands by. Called before the next round whenever they have changed:
     * others may have worked on those that are new.
     */
    void hold(Connection connection, SortedSet<Integer> units) throws SQLException;

    /** One bounded piece of work on the units held. Returns how long to wait before the next. */
    Pause round(Connection connection) throws SQLException;

    /** Something failed: the session is given up with all its units, and the loop begins again after a back-off. */
    void failed(Throwable failure);
}
