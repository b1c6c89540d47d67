package io.holdfast.testkit.projection;

import io.holdfast.config.sql.Migrations;
import io.holdfast.engine.fleet.Bell;
import io.holdfast.engine.fleet.FleetSettings;
import io.holdfast.engine.projection.JournalFeed;
import io.holdfast.engine.projection.JournalRow;
import io.holdfast.engine.projection.ProgressWatch;
import io.holdfast.engine.projection.ProjectionHandler;
import io.holdfast.engine.projection.ProjectionListener;
import io.holdfast.engine.projection.ProjectionProgress;
import io.holdfast.engine.projection.ProjectionRunner;
import io.holdfast.engine.projection.ProjectionSettings;
import io.holdfast.engine.projection.Slices;
import io.holdfast.localstack.PostgresServer;
import io.holdfast.localstack.SharedStack;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.postgresql.ds.PGSimpleDataSource;

/** Asking PostgreSQL keeps the contract. */
class ProgressWatchConformanceTest extends ProjectionProgressConformance {

    private static final String NAME = "counted";

    private final PGSimpleDataSource database = new PGSimpleDataSource();
    private final Semaphore mayHandle = new Semaphore(1);
    private ProjectionRunner runner;
    private ProgressWatch progress;
    private int journaled;

    @BeforeEach
    void begin() throws SQLException {
        PostgresServer server = SharedStack.postgres();
        database.setUrl(server.createDatabase("progress_" + System.nanoTime()));
        database.setUser(server.user());
        database.setPassword(server.password());
        new Migrations(database).migrate();
        execute("create table counted (id text)");
        progress = new ProgressWatch(NAME, database, Duration.ofMillis(2));
        runner = new ProjectionRunner(
                new Counted(),
                database::getConnection,
                new JournalFeed(new Bell()),
                FleetSettings.standard(),
                ProjectionSettings.standard(),
                ProjectionListener.NONE);
        runner.start();
    }

    @AfterEach
    void end() {
        runner.close();
    }

    private void execute(String sql) throws SQLException {
        try (Connection c = database.getConnection();
                Statement s = c.createStatement()) {
            s.execute(sql);
        }
    }

    /** Writes down each event, as long as nobody holds it up. */
    private final class Counted implements ProjectionHandler {

        @Override
        public String name() {
            return NAME;
        }

        @Override
        public void handle(Connection connection, JournalRow row) throws SQLException {
            mayHandle.acquireUninterruptibly();
            mayHandle.release();
            try (var s = connection.prepareStatement("insert into counted values (?)")) {
                s.setString(1, row.eventId());
                s.executeUpdate();
            }
        }

        @Override
        public void clear(Connection connection, Slices slices) {
            throw new AssertionError("nobody rebuilds it");
        }
    }

    @Override
    protected ProjectionProgress progress() {
        return progress;
    }

    @Override
    protected void journal() throws SQLException {
        execute("insert into event_journal (persistence_id, sequence_number, writer, write_timestamp, adapter_manifest,"
                + " event_ser_id, event_ser_manifest, event_payload) values ('m|1', " + ++journaled
                + ", 'w', 0, '', 1, '', '{}')");
    }

    @Override
    protected int shown() throws SQLException {
        try (Connection c = database.getConnection();
                Statement s = c.createStatement();
                ResultSet r = s.executeQuery("select count(*) from counted")) {
            r.next();
            return r.getInt(1);
        }
    }

    @Override
    protected void holdUp() {
        mayHandle.acquireUninterruptibly();
    }

    @Override
    protected void letGo() {
        mayHandle.release();
    }

    @Override
    protected <T> T await(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }
}
