package io.holdfast.reservation.ledger;

import io.holdfast.engine.journal.JsonCodec;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What is wrong with rows that were to be added to the ledger, as anomalies with both sides. */
final class Contradictions {

    /** Two changes claim one version of a pool. */
    static final String VERSION_TAKEN = "LEDGER_VERSION_TAKEN";

    /** One operation has changed a pool twice. */
    static final String OPERATION_REPEATED = "LEDGER_OPERATION_REPEATED";

    /** The numbers after a change do not add up. */
    static final String UNBALANCED = "LEDGER_UNBALANCED";

    /** All of them. */
    static final List<String> TYPES = List.of(VERSION_TAKEN, OPERATION_REPEATED, UNBALANCED);

    private static final String AT_ODDS = "select " + LedgerColumns.ALL
            + " from stock_ledger l where l.pool = ? and l.day = ?::date"
            + " and ((l.epoch = ? and l.version = ?) or l.operation_id = ?) order by l.epoch, l.version";

    private static final JsonCodec<Evidence> EVIDENCE = JsonCodec.of(Evidence.class);

    private Contradictions() {}

    /**
     * Both sides.
     *
     * @param row as the journal tells it
     * @param ledger what the ledger has in its place
     */
    record Evidence(LedgerRow row, List<LedgerRow> ledger) {}

    /** Why a row is not in the ledger. */
    static Anomaly refused(Connection connection, LedgerRow row) throws SQLException {
        List<LedgerRow> there = atOdds(connection, row);
        LedgerChange change = row.change();
        Optional<LedgerRow> sameVersion = there.stream()
                .filter(other -> other.change().after().epoch()
                                == change.after().epoch()
                        && other.change().after().version() == change.after().version())
                .findFirst();
        String type = sameVersion.isPresent() ? VERSION_TAKEN : OPERATION_REPEATED;
        LedgerRow other = sameVersion
                .or(() -> there.stream().findFirst())
                .orElseThrow(() -> new IllegalStateException(
                        event(row) + " was refused by the ledger, and nothing in it is at odds with it"));
        String summary = sameVersion.isPresent()
                ? change.operationId() + " and " + other.change().operationId() + " both made version "
                        + change.after().version() + " of epoch "
                        + change.after().epoch()
                : change.operationId() + " made version " + change.after().version() + " of epoch "
                        + change.after().epoch() + ", and had made version "
                        + other.change().after().version() + " of epoch "
                        + other.change().after().epoch();
        return anomaly(type, row, summary, there, event(other));
    }

    /** Numbers that do not add up. The row is kept: it is what Redis answered. */
    static Optional<Anomaly> unbalanced(LedgerRow row) {
        if (row.change().after().balanced()) {
            return Optional.empty();
        }
        String summary = "the numbers after " + row.change().operationId() + " do not add up: "
                + row.change().after();
        return Optional.of(anomaly(UNBALANCED, row, summary, List.of(), ""));
    }

    private static Anomaly anomaly(String type, LedgerRow row, String summary, List<LedgerRow> there, String other) {
        LedgerChange change = row.change();
        return new Anomaly(
                Anomaly.id(type, event(row), other),
                LedgerWriter.SOURCE,
                type,
                Optional.of(change.pool()),
                change.reservationId(),
                summary,
                new String(EVIDENCE.encode(new Evidence(row, there)), StandardCharsets.UTF_8),
                row.at());
    }

    private static String event(LedgerRow row) {
        return row.change().reservationId().orElse(row.change().pool()) + "#" + row.sequenceNumber();
    }

    private static List<LedgerRow> atOdds(Connection connection, LedgerRow row) throws SQLException {
        LedgerChange change = row.change();
        try (PreparedStatement s = connection.prepareStatement(AT_ODDS)) {
            s.setString(1, change.pool());
            s.setString(2, LedgerDay.of(change.pool()));
            s.setLong(3, change.after().epoch());
            s.setLong(4, change.after().version());
            s.setString(5, change.operationId());
            List<LedgerRow> found = new ArrayList<>();
            try (ResultSet r = s.executeQuery()) {
                while (r.next()) {
                    found.add(LedgerColumns.read(r));
                }
            }
            return found;
        }
    }
}
