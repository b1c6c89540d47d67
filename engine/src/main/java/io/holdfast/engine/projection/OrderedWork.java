package io.holdfast.engine.projection;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.SortedSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries out, for the shares held, what was ordered: to begin anew, or to go back. */
final class OrderedWork {

    private static final Logger LOG = LoggerFactory.getLogger(OrderedWork.class);

    private final Promise promise;
    private final Shares shares;

    OrderedWork(Promise promise, Shares shares) {
        this.promise = promise;
        this.shares = shares;
    }

    void obey(Connection connection, StandingOrders orders) throws SQLException {
        SortedSet<Integer> rebuild = held(orders.rebuild());
        SortedSet<Integer> setBack = held(orders.setBack());
        setBack.removeAll(rebuild);
        if (!rebuild.isEmpty()) {
            rebuild(connection, rebuild);
        }
        for (int share : setBack) {
            setBack(connection, share);
        }
        if (!rebuild.isEmpty() || !setBack.isEmpty()) {
            shares.reload(connection);
        }
    }

    private SortedSet<Integer> held(SortedSet<Integer> ordered) {
        SortedSet<Integer> held = shares.offsets().shares();
        held.retainAll(ordered);
        return held;
    }

    private void rebuild(Connection connection, SortedSet<Integer> rebuilt) throws SQLException {
        List<Slices> slices = Slices.ofShares(rebuilt);
        int patience = connection.getNetworkTimeout();
        connection.setNetworkTimeout(Runnable::run, 0);
        Transactions.commit(connection, () -> {
            liftTimeouts(connection);
            for (Slices range : slices) {
                promise.clear(connection, range);
                shares.parkedTable().clear(connection, range);
            }
            for (int share : rebuilt) {
                toTheBeginning(connection, share);
            }
        });
        connection.setNetworkTimeout(Runnable::run, patience);
        LOG.info("projection {}: reads slices {} from the beginning of the journal", shares.projection(), slices);
        shares.listener().rebuilding(shares.projection(), slices);
    }

    /** For this transaction: forgetting a large view takes longer than anything else a projection does. */
    private static void liftTimeouts(Connection connection) throws SQLException {
        try (Statement s = connection.createStatement()) {
            s.execute("set local statement_timeout = 0");
            s.execute("set local transaction_timeout = 0");
        }
    }

    private void toTheBeginning(Connection connection, int share) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement("update projection_offset set xid = '0', ordering = 0,"
                + " rebuild_requested = false, rewind_xid = null, rewind_ordering = null, rebuilds = rebuilds + 1,"
                + " updated_at = now() where projection = ? and slice_from = ?")) {
            s.setString(1, shares.projection());
            s.setInt(2, Slices.share(share).from());
            s.executeUpdate();
        }
    }

    private void setBack(Connection connection, int share) throws SQLException {
        Transactions.commit(connection, () -> {
            try (PreparedStatement s = connection.prepareStatement("update projection_offset"
                    + " set (xid, ordering) = (select w.xid, w.ordering from (values (xid, ordering), (rewind_xid,"
                    + " rewind_ordering)) w (xid, ordering) order by w.xid, w.ordering limit 1), rewind_xid = null,"
                    + " rewind_ordering = null, updated_at = now() where projection = ? and slice_from = ? and"
                    + " rewind_xid is not null")) {
                s.setString(1, shares.projection());
                s.setInt(2, Slices.share(share).from());
                s.executeUpdate();
            }
            shares.offsets().load(connection, shares.offsets().shares());
            shares.parkedTable()
                    .setBack(connection, Slices.share(share), shares.offsets().of(share));
        });
        LOG.info(
                "projection {}: share {} goes back to {}",
                shares.projection(),
                share,
                shares.offsets().of(share));
    }
}
