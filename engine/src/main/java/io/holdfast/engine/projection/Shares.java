package io.holdfast.engine.projection;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What one worker knows of the shares it holds: where they stand, and who is parked. In step with the tables after every commit. */
final class Shares {

    private static final Logger LOG = LoggerFactory.getLogger(Shares.class);

    private final String projection;
    private final int parkedLimit;
    private final ProjectionListener listener;
    private final Offsets offsets;
    private final ParkedTable table;
    private final Set<String> parked = new HashSet<>();

    Shares(String projection, ProjectionSettings settings, ProjectionListener listener) {
        this.projection = projection;
        this.parkedLimit = settings.parkedLimit();
        this.listener = listener;
        this.offsets = new Offsets(projection);
        this.table = new ParkedTable(projection, settings.parkedRetry());
    }

    String projection() {
        return projection;
    }

    ParkedTable parkedTable() {
        return table;
    }

    Offsets offsets() {
        return offsets;
    }

    ProjectionListener listener() {
        return listener;
    }

    void load(Connection connection, SortedSet<Integer> shares) throws SQLException {
        offsets.load(connection, shares);
        parked.clear();
        parked.addAll(table.ids(connection, Slices.ofShares(shares)));
    }

    List<JournalRow> notParked(List<JournalRow> rows) {
        return parked.isEmpty()
                ? rows
                : rows.stream()
                        .filter(row -> !parked.contains(row.persistenceId()))
                        .toList();
    }

    /** How many more may be parked. */
    int room() {
        return parkedLimit - parked.size();
    }

    /** What a projection stops with that has no room for one more. */
    SQLException full(JournalRow row, String reason, @Nullable Throwable cause) {
        return new SQLException(
                "projection " + projection + " has " + parked.size() + " entities parked, its limit, and stops before "
                        + row.eventId() + ": " + reason,
                cause);
    }

    /** Moves the group's offset within the current transaction. */
    void move(Connection connection, Group group, Offset to) throws SQLException {
        offsets.move(connection, group.shares(), offsets.of(group.shares().first()), to);
    }

    /** The move was committed. */
    void moved(Group group, Offset to) {
        offsets.nowAt(group.shares(), to);
    }

    /** Entities were parked, and that was committed. */
    void areParked(List<ParkedEntity> entities) {
        for (ParkedEntity entity : entities) {
            parked.add(entity.persistenceId());
            LOG.warn(
                    "projection {}: {} is parked, event {} can't be handled: {}",
                    projection,
                    entity.persistenceId(),
                    entity.sequenceNumber(),
                    entity.reason());
            listener.parked(entity);
        }
    }

    void unpark(Connection connection, String persistenceId) throws SQLException {
        Transactions.commit(connection, () -> table.unpark(connection, persistenceId));
        parked.remove(persistenceId);
        LOG.info("projection {}: {} has caught up", projection, persistenceId);
        listener.unparked(projection, persistenceId);
    }

    /** Everything is as in the tables again, after an order has changed them. */
    void reload(Connection connection) throws SQLException {
        load(connection, new TreeSet<>(offsets.shares()));
    }
}
