package io.holdfast.reservation.ledger;

import io.holdfast.engine.entity.Entry;
import io.holdfast.engine.journal.JournalCodec;
import io.holdfast.engine.projection.JournalRow;
import io.holdfast.engine.projection.Slices;
import io.holdfast.reservation.domain.StockPoolEvent;
import io.holdfast.reservation.domain.StockPoolMachine;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps {@code stock_ledger} and {@code stock_book}, and writes down what contradicts itself. Works within the transaction of the
 * projection that calls it, once for every batch.
 */
public final class LedgerWriter {

    /** The source of its anomalies. */
    public static final String SOURCE = "reservation_view";

    private final JournalCodec<StockPoolEvent> events = JournalCodec.of(StockPoolEvent.class);

    /**
     * Adds what a batch changed.
     *
     * @param ofReservations changes of reservations that were not added before, in the order of the journal
     * @param journal the batch, of which the events of pools are taken
     * @return those of {@code ofReservations} that the ledger does not have, for they contradict it
     */
    public Set<LedgerRow> write(Connection connection, List<LedgerRow> ofReservations, List<JournalRow> journal)
            throws SQLException {
        List<LedgerRow> rows = new ArrayList<>(ofReservations);
        Map<String, PoolBaseline> baselines = ofPools(connection, journal, rows);
        if (rows.isEmpty()) {
            return Set.of();
        }
        List<LedgerInsert.End> ends = LedgerInsert.add(connection, rows);
        Set<LedgerRow> refused = new HashSet<>();
        List<Anomaly> anomalies = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            LedgerRow row = rows.get(i);
            switch (ends.get(i)) {
                case ADDED -> Contradictions.unbalanced(row).ifPresent(anomalies::add);
                case THERE -> {}
                case REFUSED -> {
                    refused.add(row);
                    anomalies.add(Contradictions.refused(connection, row));
                }
            }
        }
        Anomalies.add(connection, anomalies);
        Baselines.write(connection, baselines);
        return refused;
    }

    /** Adds the changes that pools tell of themselves to the rows. */
    private Map<String, PoolBaseline> ofPools(Connection connection, List<JournalRow> journal, List<LedgerRow> rows)
            throws SQLException {
        List<JournalRow> ofPools = journal.stream()
                .filter(row -> row.machine().equals(StockPoolMachine.NAME))
                .toList();
        if (ofPools.isEmpty()) {
            return Map.of();
        }
        Map<String, PoolBaseline> known = new HashMap<>(Baselines.read(
                connection, ofPools.stream().map(JournalRow::entityId).distinct()));
        Map<String, PoolBaseline> moved = new HashMap<>();
        for (JournalRow row : ofPools) {
            Optional<PoolBaseline> before = Optional.ofNullable(known.get(row.entityId()));
            if (before.isPresent() && row.sequenceNumber() <= before.get().sequenceNumber()) {
                continue;
            }
            if (events.decode(row.payload())
                    instanceof Entry.Happened<StockPoolEvent>(StockPoolEvent event, var meta)) {
                PoolBaseline.next(before, row.entityId(), row.sequenceNumber(), event)
                        .ifPresent(step -> {
                            known.put(row.entityId(), step.after());
                            moved.put(row.entityId(), step.after());
                            rows.add(LedgerRow.of(row, step.change(), Optional.empty(), meta.at()));
                        });
            }
        }
        return moved;
    }

    /**
     * Forgets what came from these slices, because they are read again from the beginning. What other slices have told of a pool stays.
     */
    public void clear(Connection connection, Slices slices) throws SQLException {
        if (slices.equals(Slices.all())) {
            try (Statement s = connection.createStatement()) {
                s.execute("truncate stock_ledger, stock_book");
            }
        } else {
            forget(connection, slices);
        }
        try (PreparedStatement s =
                connection.prepareStatement("delete from anomaly where source = ? and slice between ? and ?")) {
            s.setString(1, SOURCE);
            s.setInt(2, slices.from());
            s.setInt(3, slices.to());
            s.executeUpdate();
        }
    }

    private static void forget(Connection connection, Slices slices) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement("""
            delete from stock_ledger where hashtext(coalesce('reservation|' || reservation_id, 'stock-pool|' || pool)) & 127
                between ? and ?
            """)) {
            s.setInt(1, slices.from());
            s.setInt(2, slices.to());
            s.executeUpdate();
        }
        Baselines.forget(connection, slices);
    }
}
