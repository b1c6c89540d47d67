package io.holdfast.node;

import io.holdfast.config.PostgresSection;
import io.holdfast.config.SettingsException;
import java.sql.SQLException;
import java.util.Set;

/**
 * Something PostgreSQL is asked at start. A database that does not answer, or is slow once, is waited for as long as the start has patience;
 * one that does not let this node in is not, since waiting mends nothing.
 */
final class StartQuestion {

    /** Wrong password, no such role or no rule for it, no such database. */
    private static final Set<String> NOT_LET_IN = Set.of("28P01", "28000", "3D000");

    private StartQuestion() {}

    /** Asks on a connection. */
    @FunctionalInterface
    interface Asked<T> {
        T answer() throws SQLException;
    }

    /**
     * The answer, waited for.
     *
     * @param what is waited for, for people
     * @throws StartException when patience ended
     * @throws SettingsException if it does not let this node in
     */
    static <T> T waitFor(PostgresSection section, String what, Asked<T> asked) {
        return new StartPatience(section.startPatience()).waitFor(what, () -> once(section, asked));
    }

    /**
     * The same, asked once.
     *
     * @throws SQLException if it does not answer
     * @throws SettingsException if it does not let this node in
     */
    static <T> T once(PostgresSection section, Asked<T> asked) throws SQLException {
        try {
            return asked.answer();
        } catch (SQLException e) {
            if (NOT_LET_IN.contains(String.valueOf(e.getSQLState()))) {
                throw new SettingsException("PostgreSQL at " + shownUrl(section) + " does not let this node in ("
                        + e.getMessage()
                        + "): correct " + roles(section) + " or the database in holdfast.postgres.url.");
            }
            throw e;
        }
    }

    /** What may be wrong; the message of the database says which role it is about. */
    private static String roles(PostgresSection section) {
        String user = "holdfast.postgres.user, holdfast.postgres.password";
        return section.projector().equals(section.user())
                ? user
                : user + ", holdfast.postgres.projector, holdfast.postgres.projector-password";
    }

    /** The URL up to its options, which may hold file names and more. */
    static String shownUrl(PostgresSection section) {
        return section.url().replaceAll("\\?.*", "");
    }
}
