package io.holdfast.engine.projection;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The handler's work and the offset are committed together. A batch that fails is halved until the event at fault stands alone. */
final class ExactlyOnce implements Promise {

    private static final Logger LOG = LoggerFactory.getLogger(ExactlyOnce.class);

    private final ProjectionHandler handler;
    private final Shares shares;
    private final int attempts;

    ExactlyOnce(ProjectionHandler handler, Shares shares, ProjectionSettings settings) {
        this.handler = handler;
        this.shares = shares;
        this.attempts = settings.rowAttempts();
    }

    @Override
    public void advance(Connection connection, Group group, List<JournalRow> rows, Offset to) throws SQLException {
        List<JournalRow> due = shares.notParked(rows);
        try {
            handleAndMove(connection, group, due, to);
            shares.listener().advanced(handler.name(), due.size(), rows.size() - due.size());
        } catch (RowFailure failure) {
            if (due.size() == 1) {
                alone(connection, group, due.getFirst(), to, failure);
                return;
            }
            LOG.debug("{}: a batch of {} failed and is halved", handler.name(), due.size(), failure);
            JournalRow endOfFirst = due.get(due.size() / 2 - 1);
            int half = rows.indexOf(endOfFirst) + 1;
            advance(connection, group, rows.subList(0, half), Offset.of(endOfFirst));
            advance(connection, group, rows.subList(half, rows.size()), to);
        }
    }

    private void alone(Connection connection, Group group, JournalRow row, Offset to, RowFailure first)
            throws SQLException {
        RowFailure last = first;
        for (int attempt = 2; attempt <= attempts; attempt++) {
            try {
                handleAndMove(connection, group, List.of(row), to);
                shares.listener().advanced(handler.name(), 1, 0);
                return;
            } catch (RowFailure again) {
                last = again;
            }
        }
        if (shares.room() < 1) {
            throw shares.full(row, last.reason(), last.getCause());
        }
        LOG.debug("{}: {} can't be handled", handler.name(), row.eventId(), last.getCause());
        String reason = last.reason();
        ParkedEntity[] entity = new ParkedEntity[1];
        Transactions.commit(connection, () -> {
            entity[0] = shares.parkedTable().park(connection, row, reason);
            shares.move(connection, group, to);
        });
        shares.moved(group, to);
        shares.areParked(List.of(entity));
    }

    /** The one place where work and offset are committed, together. The offset is last: in a failed transaction it fails as well. */
    private void handleAndMove(Connection connection, Group group, List<JournalRow> rows, Offset to)
            throws SQLException, RowFailure {
        Transactions.attempt(connection, () -> {
            if (!rows.isEmpty()) {
                handler.handleAll(HandlersConnection.of(connection), rows);
            }
            shares.move(connection, group, to);
        });
        shares.moved(group, to);
    }

    @Override
    public Optional<Stuck> again(Connection connection, List<JournalRow> rows) throws SQLException {
        for (JournalRow row : rows) {
            try {
                Transactions.attempt(connection, () -> {
                    handler.handleAll(HandlersConnection.of(connection), List.of(row));
                    shares.parkedTable().moved(connection, row.persistenceId(), row.sequenceNumber() + 1);
                });
            } catch (RowFailure failure) {
                LOG.debug("{}: {} still can't be handled", handler.name(), row.eventId(), failure.getCause());
                return Optional.of(new Stuck(row, failure.reason()));
            }
        }
        return Optional.empty();
    }

    @Override
    public void leaveOut(Connection connection, JournalRow row) throws SQLException {
        handler.leaveOut(HandlersConnection.of(connection), row);
    }

    @Override
    public void clear(Connection connection, Slices slices) throws SQLException {
        handler.clear(HandlersConnection.of(connection), slices);
    }
}
