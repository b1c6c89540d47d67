package io.holdfast.engine.projection;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tries parked entities again when their time has come, and leaves out what a person has allowed to be left out. */
final class ParkedRetries {

    private static final Logger LOG = LoggerFactory.getLogger(ParkedRetries.class);
    private static final int AT_ONCE = 20;

    private final Promise promise;
    private final Shares shares;
    private final int batchRows;

    ParkedRetries(Promise promise, Shares shares, int batchRows) {
        this.promise = promise;
        this.shares = shares;
        this.batchRows = batchRows;
    }

    void retry(Connection connection) throws SQLException {
        for (int share : shares.offsets().shares()) {
            for (ParkedEntity entity : shares.parkedTable().due(connection, Slices.share(share), AT_ONCE)) {
                catchUp(connection, entity, shares.offsets().of(share));
            }
        }
    }

    /** What was passed over of one entity, in order, up to the offset; from there on it is like the others again. */
    private void catchUp(Connection connection, ParkedEntity entity, Offset upTo) throws SQLException {
        String id = entity.persistenceId();
        long from = entity.sequenceNumber();
        while (true) {
            List<JournalRow> rows = JournalReader.ofEntity(connection, id, from, upTo, batchRows);
            Optional<Promise.Stuck> stuck = promise.again(connection, rows);
            if (stuck.isPresent()) {
                JournalRow row = stuck.get().row();
                if (!leftOut(connection, entity, stuck.get())) {
                    return;
                }
                from = row.sequenceNumber() + 1;
            } else if (rows.size() < batchRows) {
                shares.unpark(connection, id);
                return;
            } else {
                from = rows.getLast().sequenceNumber() + 1;
            }
        }
    }

    private boolean leftOut(Connection connection, ParkedEntity entity, Promise.Stuck stuck) throws SQLException {
        JournalRow row = stuck.row();
        String reason = stuck.reason();
        if (shares.parkedTable().maySkip(connection, row)) {
            try {
                Transactions.attempt(connection, () -> {
                    promise.leaveOut(connection, row);
                    shares.parkedTable().leftOut(connection, row);
                    shares.parkedTable().moved(connection, row.persistenceId(), row.sequenceNumber() + 1);
                });
                LOG.warn("projection {}: {} is left out, as ordered", shares.projection(), row.eventId());
                return true;
            } catch (RowFailure failure) {
                reason = "it can't be left out: " + failure.reason();
            }
        }
        String why = reason;
        Transactions.commit(
                connection, () -> shares.parkedTable().failedAgain(connection, entity, row.sequenceNumber(), why));
        LOG.warn(
                "projection {}: {} stays parked at {}: {}",
                shares.projection(),
                row.persistenceId(),
                row.eventId(),
                why);
        return false;
    }
}
