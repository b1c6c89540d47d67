package io.holdfast.engine.journal.jdbc;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A table that breaks at random as a database behind a network does: connections fail, statements are lost before they arrive, after they
 * are done, or arrive only later. Rows whose id begins with {@code bad} can't be stored; ids that begin with {@code stuck} are held by
 * somebody's open transaction. Its clock moves with every call.
 */
final class MemoryTable implements JournalTable {

    record Key(String id, long number) {}

    final Map<Key, JournalRow> rows = new HashMap<>();
    final Set<String> everLost = new HashSet<>();
    private final List<List<JournalRow>> late = new ArrayList<>();
    private final Random random;
    private final int faultsInHundred;
    private boolean connected;
    boolean locked;
    long now;
    int statements;

    MemoryTable(Random random, int faultsInHundred) {
        this.random = random;
        this.faultsInHundred = faultsInHundred;
    }

    void put(JournalRow row) {
        rows.put(key(row), row);
    }

    private static Key key(JournalRow row) {
        return new Key(row.persistenceId(), row.sequenceNumber());
    }

    private boolean fault() {
        return random.nextInt(100) < faultsInHundred;
    }

    private void pass() {
        now += 1 + random.nextInt(20);
        if (!late.isEmpty() && random.nextBoolean()) {
            arrive(late.removeFirst());
        }
    }

    /** Statements that were lost on the way arrive at last. */
    void everythingArrives() {
        late.forEach(this::arrive);
        late.clear();
    }

    private void arrive(List<JournalRow> statement) {
        try {
            add(statement);
        } catch (SQLException e) {
            // Nobody hears of it any more.
            statements++;
        }
    }

    private void add(List<JournalRow> statement) throws SQLException {
        Set<Key> mine = new HashSet<>();
        for (JournalRow row : statement) {
            if (row.persistenceId().startsWith("bad")) {
                throw new SQLException("value too long", "22001");
            }
            if (row.persistenceId().startsWith("stuck")) {
                throw new SQLException("canceling statement due to lock timeout", "55P03");
            }
            if (rows.containsKey(key(row)) || !mine.add(key(row))) {
                throw new SQLException("duplicate key", "23505");
            }
        }
        statement.forEach(this::put);
    }

    private SQLException lost() {
        connected = false;
        return new SQLException("connection lost", "08006");
    }

    @Override
    public void connect() throws SQLException {
        pass();
        if (!connected && fault()) {
            throw new SQLException("connection refused", "08001");
        }
        connected = true;
    }

    @Override
    public void insert(List<Write> writes) throws SQLException {
        pass();
        statements++;
        List<JournalRow> statement =
                writes.stream().flatMap(write -> write.rows().stream()).toList();
        if (locked) {
            throw new SQLException("canceling statement due to statement timeout", "57014");
        }
        if (fault()) {
            statement.forEach(row -> everLost.add(row.persistenceId()));
            switch (random.nextInt(3)) {
                case 0 -> {}
                case 1 -> arrive(statement);
                default -> late.add(statement);
            }
            throw lost();
        }
        if (fault()) {
            throw new SQLException("deadlock detected", "40P01");
        }
        add(statement);
    }

    @Override
    public List<JournalRow.@Nullable Found> find(List<JournalRow> wanted) throws SQLException {
        pass();
        statements++;
        if (fault()) {
            throw lost();
        }
        List<JournalRow.@Nullable Found> found = new ArrayList<>();
        for (JournalRow row : wanted) {
            JournalRow there = rows.get(key(row));
            found.add(
                    there == null
                            ? null
                            : new JournalRow.Found(
                                    there.writer(),
                                    there.timestamp(),
                                    there.payload().bytes()));
        }
        return found;
    }

    @Override
    public boolean isLocked() throws SQLException {
        pass();
        if (fault()) {
            throw lost();
        }
        return locked;
    }

    @Override
    public void disconnect() {
        connected = false;
    }
}
