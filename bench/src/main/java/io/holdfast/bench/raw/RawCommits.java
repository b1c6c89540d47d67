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
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.HdrHistogram.Histogram;

/** One row per transaction, committed durably, from 64 connections at once, into a table made like the journal. */
public final class RawCommits {

    private static final int CONNECTIONS = 64;
    private static final int SAMPLES = 64;
    private static final long LONGEST_MICROS = 60_000_000L;

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
    private record Row(String writer, int serializer, String manifest, byte[] payload) {}

    /**
     * Makes a turn.
     *
     * @param warmUp not counted
     */
    public RawRate run(Duration warmUp, Duration counted) throws SQLException, InterruptedException {
        List<Row> rows = prepare();
        long begin = System.nanoTime() + warmUp.toNanos();
        long end = begin + counted.toNanos();
        Histogram sum = new Histogram(LONGEST_MICROS, 3);
        try (ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS)) {
            List<Future<Histogram>> writers = new ArrayList<>();
            for (int i = 0; i < CONNECTIONS; i++) {
                writers.add(threads.submit(writer("raw|" + end + "-" + i + "-", rows, begin, end)));
            }
            for (Future<Histogram> writer : writers) {
                sum.add(writer.get());
            }
        } catch (ExecutionException e) {
            throw new SQLException("a raw writer failed", e.getCause());
        }
        return RawRate.of("durable one-row commits, 64 connections", sum, counted.toNanos() / 1e9);
    }

    private Callable<Histogram> writer(String prefix, List<Row> rows, long begin, long end) {
        return () -> {
            Histogram micros = new Histogram(LONGEST_MICROS, 3);
            try (Connection connection = connect();
                    PreparedStatement insert = connection.prepareStatement(INSERT)) {
                long now = System.nanoTime();
                for (int n = 0; now < end; n++) {
                    Row row = rows.get(n % rows.size());
                    insert.setString(1, prefix + n);
                    insert.setString(2, row.writer());
                    insert.setLong(3, n);
                    insert.setInt(4, row.serializer());
                    insert.setString(5, row.manifest());
                    insert.setBytes(6, row.payload());
                    insert.executeUpdate();
                    long done = System.nanoTime();
                    if (now >= begin && done <= end) {
                        micros.recordValue(Math.min((done - now) / 1000, LONGEST_MICROS));
                    }
                    now = done;
                }
            }
            return micros;
        };
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
                    rows.add(new Row(found.getString(1), found.getInt(2), found.getString(3), found.getBytes(4)));
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
