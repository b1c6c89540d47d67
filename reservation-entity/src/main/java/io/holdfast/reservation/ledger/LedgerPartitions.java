package io.holdfast.reservation.ledger;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.time.YearMonth;
import javax.sql.DataSource;

/** Makes the partitions of months to come, so that the first pool of a month need not wait for its own. */
public final class LedgerPartitions {

    private static final String OTHERS_ARE_NOT_AT_IT =
            "select pg_try_advisory_xact_lock(hashtextextended('holdfast:ledger-partitions', 0))";

    private static final String PREPARE =
            "select count(*) filter (where stock_ledger_prepare(m::date)) from unnest(?::text[]) m";

    private LedgerPartitions() {}

    /**
     * Makes those of this day's month and of the next ones, as far as they are not there. Of nodes that do it at once one does.
     *
     * @param today the earliest day that is still sold, on any merchant's calendar
     * @param months how many behind this one
     * @return how many it made
     */
    public static int prepare(DataSource database, LocalDate today, int months) throws SQLException {
        String[] wanted = new String[months + 1];
        for (int i = 0; i < wanted.length; i++) {
            wanted[i] = YearMonth.from(today).plusMonths(i).atDay(1).toString();
        }
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            int made = othersAreNotAtIt(connection) ? prepare(connection, wanted) : 0;
            connection.commit();
            return made;
        }
    }

    private static boolean othersAreNotAtIt(Connection connection) throws SQLException {
        try (Statement s = connection.createStatement();
                ResultSet r = s.executeQuery(OTHERS_ARE_NOT_AT_IT)) {
            r.next();
            return r.getBoolean(1);
        }
    }

    private static int prepare(Connection connection, String[] months) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement(PREPARE)) {
            s.setArray(1, connection.createArrayOf("text", months));
            try (ResultSet r = s.executeQuery()) {
                r.next();
                return r.getInt(1);
            }
        }
    }
}
