package io.holdfast.bench.scenario;

import io.holdfast.engine.projection.OwedProjection;
import io.holdfast.engine.projection.Slices;
import io.holdfast.localstack.PostgresAddress;
import io.holdfast.reservation.view.ReservationViewProjection;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;

/** The locks of the projections of one database, held by this session: no node runs them meanwhile. */
final class ProjectionLocks implements AutoCloseable {

    private final Connection session;

    private ProjectionLocks(Connection session) {
        this.session = session;
    }

    /** Takes them before any node does. */
    static ProjectionLocks hold(PostgresAddress database) throws SQLException {
        Connection session = DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
        try (var lock = session.prepareStatement("select pg_advisory_lock(hashtextextended(?, 0))")) {
            for (String name : List.of(OwedProjection.NAME, ReservationViewProjection.NAME)) {
                lock.setString(1, "holdfast:projection " + name + " " + Slices.all());
                lock.execute();
            }
        }
        return new ProjectionLocks(session);
    }

    /** Whether a projection has handled anything all the same. */
    boolean anyHasRun() throws SQLException {
        try (var statement = session.createStatement();
                var row = statement.executeQuery(
                        "select exists (select from projection_offset where ordering > 0) or exists (select from"
                                + " owed)")) {
            row.next();
            return row.getBoolean(1);
        }
    }

    @Override
    public void close() throws SQLException {
        session.close();
    }
}
