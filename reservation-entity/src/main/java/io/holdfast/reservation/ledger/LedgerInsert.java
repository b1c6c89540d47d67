package io.holdfast.reservation.ledger;

import io.holdfast.engine.projection.NewRows;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Adds rows to {@code stock_ledger} with one statement. */
final class LedgerInsert {

    private static final String PREPARE = "select stock_ledger_prepare(d::date) from unnest(?::text[]) d";

    private static final String INSERT = """
        insert into stock_ledger (pool, day, epoch, version, operation_id, action, reservation_id, order_id, quantity,
            total_delta, deficit_delta, available_delta, reserved_delta, sold_delta, total, deficit, available,
            reserved, sold, cause_id, at, sequence_number, xid, ordering)
        select u.pool, u.day::date, u.epoch, u.version, u.operation_id, u.action, u.reservation_id, u.order_id,
            u.quantity, u.total_delta, u.deficit_delta, u.available_delta, u.reserved_delta, u.sold_delta, u.total,
            u.deficit, u.available, u.reserved, u.sold, u.cause_id,
            timestamptz 'epoch' + u.at * interval '1 microsecond', u.sequence_number, u.xid, u.ordering
        from unnest(
            ?::text[], ?::text[], ?::bigint[], ?::bigint[], ?::text[], ?::text[], ?::text[], ?::text[], ?::bigint[],
            ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[],
            ?::bigint[], ?::bigint[], ?::text[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[])
            u (pool, day, epoch, version, operation_id, action, reservation_id, order_id, quantity, total_delta,
            deficit_delta, available_delta, reserved_delta, sold_delta, total, deficit, available, reserved, sold,
            cause_id, at, sequence_number, xid, ordering)
        """;

    private static final String INSERT_OTHERS = INSERT + "on conflict do nothing";

    /** Of rows that were to be added: whether the ledger has them, and whether this transaction has added them. */
    private static final String FOUND = """
        select l.pool is not null, coalesce(l.xmin = pg_current_xact_id()::xid, false)
        from unnest(?::text[], ?::text[], ?::bigint[], ?::bigint[], ?::text[], ?::text[], ?::bigint[]) with ordinality
            u (pool, day, epoch, version, operation_id, reservation_id, sequence_number, place)
        left join stock_ledger l on l.pool = u.pool and l.day = u.day::date and l.epoch = u.epoch
            and l.version = u.version and l.operation_id = u.operation_id
            and l.reservation_id is not distinct from u.reservation_id and l.sequence_number = u.sequence_number
        order by u.place
        """;

    private LedgerInsert() {}

    /** What became of rows that were to be added. */
    enum End {
        ADDED,
        /** The very same row was there: the event was handled before. */
        THERE,
        /** Another row has its version or its operation. */
        REFUSED
    }

    /**
     * Adds rows, in this order.
     *
     * @return what became of each
     */
    static List<End> add(Connection connection, List<LedgerRow> rows) throws SQLException {
        List<LedgerRow> first =
                rows.stream().filter(row -> !row.change().again()).toList();
        if (first.size() == rows.size()) {
            return addAll(connection, rows);
        }
        Iterator<End> ends = addAll(connection, first).iterator();
        return rows.stream()
                .map(row -> row.change().again() ? End.REFUSED : ends.next())
                .toList();
    }

    private static List<End> addAll(Connection connection, List<LedgerRow> rows) throws SQLException {
        if (rows.isEmpty()) {
            return List.of();
        }
        prepare(connection, rows);
        boolean all = NewRows.added(connection, () -> insert(connection, INSERT, rows))
                || insert(connection, INSERT_OTHERS, rows) == rows.size();
        return all ? rows.stream().map(_ -> End.ADDED).toList() : found(connection, rows);
    }

    private static int insert(Connection connection, String sql, List<LedgerRow> rows) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement(sql)) {
            var columns = new SqlColumns<>(connection, s, rows);
            columns.text(row -> row.change().pool());
            columns.text(row -> LedgerDay.of(row.change().pool()));
            columns.number(row -> row.change().after().epoch());
            columns.number(row -> row.change().after().version());
            columns.text(row -> row.change().operationId());
            columns.text(row -> row.change().action().name());
            columns.optionalText(row -> row.change().reservationId());
            columns.optionalText(row -> row.change().orderId());
            columns.number(row -> row.change().quantity());
            columns.number(row -> row.change().move().total());
            columns.number(row -> row.change().move().deficit());
            columns.number(row -> row.change().move().available());
            columns.number(row -> row.change().move().reserved());
            columns.number(row -> row.change().move().sold());
            columns.number(row -> row.change().after().total());
            columns.number(row -> row.change().after().deficit());
            columns.number(row -> row.change().after().available());
            columns.number(row -> row.change().after().reserved());
            columns.number(row -> row.change().after().sold());
            columns.optionalText(LedgerRow::causeId);
            columns.time(LedgerRow::at);
            columns.number(LedgerRow::sequenceNumber);
            columns.number(LedgerRow::xid);
            columns.number(LedgerRow::ordering);
            return s.executeUpdate();
        }
    }

    /** The partitions these rows belong to are there from now on. */
    private static void prepare(Connection connection, List<LedgerRow> rows) throws SQLException {
        String[] months = rows.stream()
                .map(row -> LedgerDay.of(row.change().pool()))
                .filter(day -> !day.equals(LedgerDay.NONE))
                .map(day -> day.substring(0, "YYYY-MM-".length()) + "01")
                .distinct()
                .sorted()
                .toArray(String[]::new);
        if (months.length == 0) {
            return;
        }
        try (PreparedStatement s = connection.prepareStatement(PREPARE)) {
            s.setArray(1, connection.createArrayOf("text", months));
            s.execute();
        }
    }

    private static List<End> found(Connection connection, List<LedgerRow> rows) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement(FOUND)) {
            var columns = new SqlColumns<>(connection, s, rows);
            columns.text(row -> row.change().pool());
            columns.text(row -> LedgerDay.of(row.change().pool()));
            columns.number(row -> row.change().after().epoch());
            columns.number(row -> row.change().after().version());
            columns.text(row -> row.change().operationId());
            columns.optionalText(row -> row.change().reservationId());
            columns.number(LedgerRow::sequenceNumber);
            List<End> ends = new ArrayList<>();
            try (ResultSet r = s.executeQuery()) {
                while (r.next()) {
                    boolean there = r.getBoolean(1);
                    boolean ours = r.getBoolean(2);
                    ends.add(there ? ours ? End.ADDED : End.THERE : End.REFUSED);
                }
            }
            return ends;
        }
    }
}
