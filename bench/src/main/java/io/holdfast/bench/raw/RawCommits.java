package io.holdfast.bench.raw;

import io.holdfast.localstack.PostgresAddress;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One row per transaction, committed durably, from 64 connections at once, into a table made like the journal. */
public final class RawCommits {

    private static final int CONNECTIONS = 64;
    private static final int SAMPLES = 64;

    private static final String INSERT = """
        insert into bench_raw (persistence_id, sequence_number, deleted, writer, write_timestamp, adapter_manifest,
                               event_ser_id, event_ser_manifest, event_payload)
        values (?, 1, false, ?, ?, '', ?, ?, ?)
        """;

    private final PostgresAddress database;

    /** For the database that holds the journal. */
    public RawCommits(PostgresAddress database) {
        this.database = database;
    }

    /** One row as the journal holds it. */
    private static final class Row {
        private final String writer;
        private final int serializer;
        private final String manifest;
        private final byte[] payload;

        private Row(ResultSet row) throws SQLException {
            this.writer = row.getString(1);
            this.serializer = row.getInt(2);
            this.manifest = row.getString(3);
            this.payload = row.getBytes(4);
        }
    }

    /**
     * Makes a turn.
     *
     * @param warmUp not counted
     */
    public RawRate run(Duration warmUp, Duration counted) throws SQLException, InterruptedException {
        List<Row> rows = prepare();
        return RawLoop.run(
                "durable one-row commits, 64 connections",
                CONNECTIONS,
                i -> () -> new Writer(connect(), "raw|" + i + "-", rows),
                warmUp,
                counted);
    }

    private static final class Writer implements RawLoop.Doer {

        private final Connection connection;
        private final PreparedStatement insert;
        private final String prefix;
        private final List<Row> rows;
        private int written;

        private Writer(Connection connection, String prefix, List<Row> rows) throws SQLException {
            this.connection = connection;
            this.insert = connection.prepareStatement(INSERT);
            this.prefix = prefix;
            this.rows = rows;
        }

        @Override
        public int once() throws SQLException {
            Row row = rows.get(written % rows.size());
            insert.setString(1, prefix + written++);
            insert.setString(2, row.writer);
            insert.setLong(3, System.currentTimeMillis());
            insert.setInt(4, row.serializer);
            insert.setString(5, row.manifest);
            insert.setBytes(6, row.payload);
            return insert.executeUpdate();
        }

        @Override
        public void close() throws SQLException {
            connection.close();
        }
    }

    /** An empty table like the journal, and rows like those of the journal, of which there must be some. */
    private List<Row> prepare() throws SQLException {
        List<Row> rows = new ArrayList<>();
        try (Connection connection = connect();
                var statement = connection.createStatement()) {
            statement.execute("drop table if exists bench_raw");
            statement.execute("drop sequence if exists bench_raw_ordering");
            statement.execute("create table bench_raw (like event_journal including all)");
            // The product's own sequence is not for this.
            statement.execute("create sequence bench_raw_ordering");
            statement.execute("alter table bench_raw alter column ordering set default nextval('bench_raw_ordering')");
            try (ResultSet found = statement.executeQuery(
                    "select writer, event_ser_id, event_ser_manifest, event_payload from event_journal"
                            + " where persistence_id like 'reservation|%' limit " + SAMPLES)) {
                while (found.next()) {
                    rows.add(new Row(found));
                }
            }
        }
        if (rows.isEmpty()) {
            throw new IllegalStateException("the journal holds no row to be like");
        }
        return rows;
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
    }
}
