package io.holdfast.engine.journal.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The table in PostgreSQL. A batch is one statement with an array per column: one parse, one plan, one round trip and one commit, however
 * many rows. Arrays are made to measure and travel in binary.
 */
final class PostgresJournalTable implements JournalTable {

    private static final String COLUMNS = "persistence_id, sequence_number, writer, write_timestamp, adapter_manifest,"
            + " event_ser_id, event_ser_manifest, event_payload";
    private static final String VALUES = "unnest(?::varchar[]), unnest(?::int8[]), unnest(?::varchar[]),"
            + " unnest(?::int8[]), unnest(?::varchar[]), unnest(?::int4[]), unnest(?::varchar[]), unnest(?::bytea[])";

    private static final String LOCK_NOT_AVAILABLE = "55P03";

    private final Session session;
    private final String insert;
    private final String insertAll;
    private final String find;
    private final String tryLock;

    PostgresJournalTable(Session session, String table) {
        this.session = session;
        this.insert = "insert into " + table + " (" + COLUMNS + ") select " + VALUES;
        this.insertAll = "insert into " + table + " (" + COLUMNS
                + ", deleted, meta_ser_id, meta_ser_manifest, meta_payload) select " + VALUES
                + ", unnest(?::bool[]), unnest(?::int4[]), unnest(?::varchar[]), unnest(?::bytea[])";
        this.find = "select k.i, e.writer, e.write_timestamp, e.event_payload"
                + " from unnest(?::varchar[], ?::int8[]) with ordinality as k(id, number, i) join " + table
                + " e on e.persistence_id = k.id and e.sequence_number = k.number";
        // The lock every insert takes.
        this.tryLock = "do $$ begin lock table " + table + " in row exclusive mode nowait; end $$";
    }

    @Override
    public void connect() throws SQLException {
        session.connection();
    }

    @Override
    public boolean isLocked() throws SQLException {
        try (var statement = session.connection().createStatement()) {
            try {
                statement.execute(tryLock);
                return false;
            } catch (SQLException e) {
                if (!LOCK_NOT_AVAILABLE.equals(e.getSQLState())) {
                    throw e;
                }
                return true;
            }
        }
    }

    @Override
    public void insert(List<Write> writes) throws SQLException {
        int count = 0;
        boolean plain = true;
        for (Write write : writes) {
            for (JournalRow row : write.rows()) {
                count++;
                plain &= row.metadata() == null && !row.deleted();
            }
        }
        JournalRow[] rows = new JournalRow[count];
        int next = 0;
        for (Write write : writes) {
            for (JournalRow row : write.rows()) {
                rows[next++] = row;
            }
        }
        boolean all = !plain;
        session.run(all ? insertAll : insert, statement -> {
            bind(statement, rows);
            if (all) {
                bindRare(statement, rows);
            }
            return statement.executeUpdate();
        });
    }

    private void bind(PreparedStatement statement, JournalRow[] rows) throws SQLException {
        int count = rows.length;
        String[] ids = new String[count];
        long[] numbers = new long[count];
        String[] writers = new String[count];
        long[] timestamps = new long[count];
        String[] adapters = new String[count];
        int[] serializers = new int[count];
        String[] manifests = new String[count];
        byte[][] payloads = new byte[count][];
        for (int i = 0; i < count; i++) {
            JournalRow row = rows[i];
            ids[i] = row.persistenceId();
            numbers[i] = row.sequenceNumber();
            writers[i] = row.writer();
            timestamps[i] = row.timestamp();
            adapters[i] = row.adapterManifest();
            serializers[i] = row.payload().serializer();
            manifests[i] = row.payload().manifest();
            payloads[i] = row.payload().bytes();
        }
        statement.setArray(1, session.array("varchar", ids));
        statement.setArray(2, session.array("int8", numbers));
        statement.setArray(3, session.array("varchar", writers));
        statement.setArray(4, session.array("int8", timestamps));
        statement.setArray(5, session.array("varchar", adapters));
        statement.setArray(6, session.array("int4", serializers));
        statement.setArray(7, session.array("varchar", manifests));
        statement.setArray(8, session.array("bytea", payloads));
    }

    /** Columns that are empty but for replicated entities. */
    private void bindRare(PreparedStatement statement, JournalRow[] rows) throws SQLException {
        int count = rows.length;
        boolean[] deleted = new boolean[count];
        @Nullable Integer[] serializers = new Integer[count];
        @Nullable String[] manifests = new String[count];
        byte[] @Nullable [] payloads = new byte[count][];
        for (int i = 0; i < count; i++) {
            deleted[i] = rows[i].deleted();
            var metadata = rows[i].metadata();
            if (metadata != null) {
                serializers[i] = metadata.serializer();
                manifests[i] = metadata.manifest();
                payloads[i] = metadata.bytes();
            }
        }
        statement.setArray(9, session.array("bool", deleted));
        statement.setArray(10, session.array("int4", serializers));
        statement.setArray(11, session.array("varchar", manifests));
        statement.setArray(12, session.array("bytea", payloads));
    }

    @Override
    public List<JournalRow.@Nullable Found> find(List<JournalRow> rows) throws SQLException {
        int count = rows.size();
        String[] ids = new String[count];
        long[] numbers = new long[count];
        for (int i = 0; i < count; i++) {
            ids[i] = rows.get(i).persistenceId();
            numbers[i] = rows.get(i).sequenceNumber();
        }
        JournalRow.@Nullable Found[] found = new JournalRow.Found[count];
        session.run(find, statement -> {
            statement.setArray(1, session.array("varchar", ids));
            statement.setArray(2, session.array("int8", numbers));
            try (var result = statement.executeQuery()) {
                while (result.next()) {
                    found[(int) result.getLong(1) - 1] =
                            new JournalRow.Found(result.getString(2), result.getLong(3), result.getBytes(4));
                }
            }
            return found;
        });
        return Arrays.asList(found);
    }

    @Override
    public void disconnect() {
        session.disconnect();
    }
}
