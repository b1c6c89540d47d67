package io.holdfast.bench.scenario;

import io.holdfast.engine.projection.OrderedBy;
import io.holdfast.engine.projection.ProjectionOrders;
import io.holdfast.engine.projection.ProjectionState;
import io.holdfast.engine.projection.Projections;
import io.holdfast.localstack.PostgresAddress;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import org.postgresql.ds.PGSimpleDataSource;

/** The projections of a running node, paused as an operator would: they have handled what they had begun, and nothing since. */
final class PausedProjections implements AutoCloseable {

    private static final Duration SETTLED_AFTER = Duration.ofSeconds(1);

    private final Connection session;
    private final String offsets;

    private PausedProjections(Connection session, String offsets) {
        this.session = session;
        this.offsets = offsets;
    }

    /** Pauses those of a node that runs on this database. */
    static PausedProjections pause(PostgresAddress database) throws SQLException, InterruptedException {
        var source = new PGSimpleDataSource();
        source.setUrl(database.jdbcUrl());
        source.setUser(database.user());
        source.setPassword(database.password());
        var orders = new ProjectionOrders(source);
        for (ProjectionState projection : new Projections(source).list()) {
            orders.pause(projection.name(), new OrderedBy("bench", "writing is measured without it"));
        }
        Connection session = DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
        String before = "";
        String now = offsets(session);
        while (!now.equals(before)) {
            before = now;
            Thread.sleep(SETTLED_AFTER);
            now = offsets(session);
        }
        return new PausedProjections(session, now);
    }

    private static String offsets(Connection session) throws SQLException {
        try (var statement = session.createStatement();
                var row = statement.executeQuery(
                        "select coalesce(string_agg(projection || slice_from || ':' || ordering, ','"
                                + " order by projection, slice_from), '') from projection_offset")) {
            row.next();
            return row.getString(1);
        }
    }

    /** Whether a projection has handled anything all the same. */
    boolean anyHasRun() throws SQLException {
        return !offsets(session).equals(offsets);
    }

    @Override
    public void close() throws SQLException {
        session.close();
    }
}
