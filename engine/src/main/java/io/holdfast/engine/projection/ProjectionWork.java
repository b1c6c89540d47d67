package io.holdfast.engine.projection;

import io.holdfast.engine.fleet.FleetWork;
import io.holdfast.engine.fleet.OneInFleet;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The loop of one runner: read, handle with the offset in one transaction, park what can't be handled. */
final class ProjectionWork implements FleetWork {

    private static final Logger LOG = LoggerFactory.getLogger(ProjectionWork.class);
    private static final Duration BETWEEN_CHORES = Duration.ofSeconds(1);
    private static final int RETRIES_PER_CHORE = 20;
    private static final String CONNECTION_FAILURE = "08006";

    private final ProjectionHandler handler;
    private final Slices slices;
    private final ProjectionSettings settings;
    private final ProjectionListener listener;
    private final OffsetTable offsets;
    private final ParkedTable parkedTable;

    private final Set<String> parked = new HashSet<>();
    private Offset offset = Offset.START;
    private Duration wait;
    private long choresAt;
    private boolean begunBefore;

    ProjectionWork(ProjectionHandler handler, Slices slices, ProjectionSettings settings, ProjectionListener listener) {
        this.handler = handler;
        this.slices = slices;
        this.settings = settings;
        this.listener = listener;
        this.offsets = new OffsetTable(handler.name(), slices);
        this.parkedTable = new ParkedTable(handler.name(), slices, settings.parkedRetry());
        this.wait = settings.pollShortest();
    }

    @Override
    public String name() {
        return "projection " + handler.name() + " " + slices;
    }

    @Override
    public void begin(Connection connection) throws SQLException {
        if (!begunBefore) {
            HiddenFailure.refuse(connection);
            parkedTable.allDue(connection);
        }
        JournalOrigin.check(connection);
        begunBefore = true;
        offset = offsets.load(connection);
        parked.clear();
        parked.addAll(parkedTable.ids(connection));
        wait = settings.pollShortest();
        choresAt = System.nanoTime();
        listener.began(handler.name(), slices);
    }

    @Override
    public Duration round(Connection connection) throws SQLException {
        if (System.nanoTime() - choresAt >= 0) {
            choresAt = System.nanoTime() + BETWEEN_CHORES.toNanos();
            rebuildIfAsked(connection);
            retryParked(connection);
        }
        List<JournalRow> rows = JournalReader.next(connection, slices, offset, settings.batchRows());
        if (rows.isEmpty()) {
            Duration longer = wait.multipliedBy(2).plusMillis(1);
            wait = longer.compareTo(settings.pollLongest()) < 0 ? longer : settings.pollLongest();
        } else {
            advance(connection, rows);
            wait = rows.size() < settings.batchRows() ? settings.pollShortest() : Duration.ZERO;
        }
        return wait;
    }

    @Override
    public void failed(Throwable failure) {
        listener.failed(handler.name(), failure);
    }

    private void advance(Connection connection, List<JournalRow> rows) throws SQLException {
        List<JournalRow> due = rows.stream()
                .filter(row -> !parked.contains(row.persistenceId()))
                .toList();
        try {
            handleAndMove(connection, due, Offset.of(rows.getLast()));
            listener.advanced(handler.name(), due.size(), rows.size() - due.size());
        } catch (RowFailure failure) {
            LOG.debug("{}: a batch of {} failed, one at a time now", name(), due.size(), failure);
            for (JournalRow row : due) {
                advanceByOne(connection, row);
            }
            Offset end = Offset.of(rows.getLast());
            if (offset.compareTo(end) < 0) { // the last rows belong to parked entities
                inTransaction(connection, () -> offsets.move(connection, offset, end));
                offset = end;
            }
            listener.advanced(handler.name(), 0, rows.size() - due.size());
        }
    }

    private void advanceByOne(Connection connection, JournalRow row) throws SQLException {
        if (parked.contains(row.persistenceId())) { // by an earlier row of this batch
            listener.advanced(handler.name(), 0, 1);
            return;
        }
        for (int attempt = 1; ; attempt++) {
            try {
                handleAndMove(connection, List.of(row), Offset.of(row));
                listener.advanced(handler.name(), 1, 0);
                return;
            } catch (RowFailure failure) {
                if (attempt >= settings.rowAttempts()) {
                    park(connection, row, failure);
                    return;
                }
            }
        }
    }

    /** The one place where work and offset are committed, together. The offset is last: in a failed transaction it fails as well. */
    private void handleAndMove(Connection connection, List<JournalRow> rows, Offset to)
            throws SQLException, RowFailure {
        attempt(connection, () -> {
            if (!rows.isEmpty()) {
                handler.handleAll(HandlersConnection.of(connection), rows);
            }
            offsets.move(connection, offset, to);
        });
        offset = to;
    }

    private void park(Connection connection, JournalRow row, RowFailure failure) throws SQLException {
        if (parked.size() >= settings.parkedLimit()) {
            throw new SQLException(
                    "projection " + handler.name() + " has " + parked.size()
                            + " entities parked, its limit, and stops before " + row.eventId() + ": "
                            + failure.reason(),
                    failure.getCause());
        }
        ParkedEntity[] entity = new ParkedEntity[1];
        inTransaction(connection, () -> {
            entity[0] = parkedTable.park(connection, row, failure.reason());
            offsets.move(connection, offset, Offset.of(row));
        });
        offset = Offset.of(row);
        parked.add(row.persistenceId());
        LOG.warn(
                "{}: {} is parked, {} can't be handled",
                name(),
                row.persistenceId(),
                row.eventId(),
                failure.getCause());
        listener.parked(entity[0]);
    }

    private void rebuildIfAsked(Connection connection) throws SQLException {
        if (!offsets.rebuildRequested(connection)) {
            return;
        }
        int patience = connection.getNetworkTimeout();
        connection.setNetworkTimeout(Runnable::run, 0);
        inTransaction(connection, () -> {
            liftTimeouts(connection);
            handler.clear(HandlersConnection.of(connection), slices);
            parkedTable.clear(connection);
            offsets.reset(connection);
        });
        connection.setNetworkTimeout(Runnable::run, patience);
        offset = Offset.START;
        parked.clear();
        LOG.info("{}: rebuilds from the beginning of the journal", name());
        listener.rebuilding(handler.name(), slices);
    }

    /** For this transaction: forgetting a large view takes longer than anything else a projection does. */
    private static void liftTimeouts(Connection connection) throws SQLException {
        try (Statement s = connection.createStatement()) {
            s.execute("set local statement_timeout = 0");
            if (connection.getMetaData().getDatabaseMajorVersion() >= OneInFleet.FIRST_WITH_TRANSACTION_TIMEOUT) {
                s.execute("set local transaction_timeout = 0");
            }
        }
    }

    private void retryParked(Connection connection) throws SQLException {
        for (ParkedEntity entity : parkedTable.due(connection, RETRIES_PER_CHORE)) {
            catchUp(connection, entity);
        }
    }

    /** What was passed over of one entity, in order, up to the offset; from there on it is like the others again. */
    private void catchUp(Connection connection, ParkedEntity entity) throws SQLException {
        String id = entity.persistenceId();
        long from = entity.sequenceNumber();
        int most = settings.batchRows();
        while (true) {
            List<JournalRow> rows = JournalReader.ofEntity(connection, id, from, offset, most);
            boolean last = rows.size() < most;
            for (JournalRow row : rows) {
                try {
                    attempt(connection, () -> {
                        handler.handleAll(HandlersConnection.of(connection), List.of(row));
                        parkedTable.moved(connection, id, row.sequenceNumber() + 1);
                    });
                } catch (RowFailure failure) {
                    inTransaction(
                            connection,
                            () -> parkedTable.failedAgain(connection, entity, row.sequenceNumber(), failure.reason()));
                    LOG.warn("{}: {} stays parked at {}", name(), id, row.eventId(), failure.getCause());
                    return;
                }
                from = row.sequenceNumber() + 1;
            }
            if (last) {
                inTransaction(connection, () -> parkedTable.unpark(connection, id));
                parked.remove(id);
                LOG.info("{}: {} has caught up", name(), id);
                listener.unparked(handler.name(), id);
                return;
            }
        }
    }

    @FunctionalInterface
    private interface Step {
        void run() throws SQLException;
    }

    /** A transaction whose failure may be an event's fault. */
    private static void attempt(Connection connection, Step step) throws SQLException, RowFailure {
        try {
            inTransaction(connection, step);
        } catch (SQLException | RuntimeException | Error failure) {
            if (Blame.of(failure) == Blame.SURROUNDINGS) {
                throw failure;
            }
            throw new RowFailure(failure);
        }
    }

    private static void inTransaction(Connection connection, Step step) throws SQLException {
        connection.setAutoCommit(false);
        try {
            step.run();
            connection.commit();
        } catch (SQLException | RuntimeException | Error failure) {
            try {
                connection.rollback();
                connection.setAutoCommit(true);
            } catch (SQLException broken) {
                // Whatever was thrown first, the connection is lost, and that is nobody's row's fault.
                SQLException lost =
                        new SQLException("the connection was lost: " + failure, CONNECTION_FAILURE, failure);
                lost.addSuppressed(broken);
                throw lost;
            }
            throw failure;
        }
        connection.setAutoCommit(true);
    }
}
