package io.holdfast.engine.fleet;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Opens sessions of PostgreSQL that belong to whoever opened them: they get settings, locks and subscriptions of their own, so closing one
 * must end it, not hand it to somebody else. Neither a pool in this process nor a pooler that shares sessions between clients will do.
 */
@FunctionalInterface
public interface SessionSource {

    /** A new session, in auto-commit mode. */
    Connection open() throws SQLException;
}
