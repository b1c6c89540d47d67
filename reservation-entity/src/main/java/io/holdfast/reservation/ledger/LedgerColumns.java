package io.holdfast.reservation.ledger;

import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.StockMove;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.Optional;

/** Rows of {@code stock_ledger} as they are read. */
final class LedgerColumns {

    /** What to select, in the order in which {@link #read} takes it. */
    static final String ALL = "l.pool, l.epoch, l.version, l.operation_id, l.action, l.reservation_id, l.order_id,"
            + " l.quantity, l.total_delta, l.deficit_delta, l.available_delta, l.reserved_delta, l.sold_delta, l.total,"
            + " l.deficit, l.available, l.reserved, l.sold, l.cause_id, l.at, l.sequence_number, l.xid, l.ordering";

    private LedgerColumns() {}

    static LedgerRow read(ResultSet r) throws SQLException {
        var change = new LedgerChange(
                r.getString(1),
                LedgerAction.valueOf(r.getString(5)),
                r.getString(4),
                Optional.ofNullable(r.getString(6)),
                Optional.ofNullable(r.getString(7)),
                r.getLong(8),
                new StockMove(r.getLong(9), r.getLong(10), r.getLong(11), r.getLong(12), r.getLong(13)),
                new Books(
                        r.getLong(2),
                        r.getLong(3),
                        r.getLong(14),
                        r.getLong(15),
                        r.getLong(16),
                        r.getLong(17),
                        r.getLong(18)),
                false);
        return new LedgerRow(
                change,
                Optional.ofNullable(r.getString(19)),
                r.getObject(20, OffsetDateTime.class).toInstant(),
                r.getLong(21),
                r.getLong(22),
                r.getLong(23));
    }
}
