package io.holdfast.http.wire;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonRawValue;
import io.holdfast.reservation.ledger.Anomaly;
import io.holdfast.reservation.ledger.AnomalyQueries;
import io.holdfast.reservation.ledger.LedgerFilter;
import io.holdfast.reservation.ledger.LedgerPage;
import io.holdfast.reservation.ledger.LedgerRow;
import io.holdfast.reservation.ledger.Snapshot;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The books of pools, and what contradicts itself. */
public final class LedgerViews {

    private LedgerViews() {}

    /** What one operation changed of a pool's numbers; of an INIT or a REBUILD the whole numbers. */
    public record MoveView(long total, long deficit, long available, long reserved, long sold) {}

    /**
     * One change of a pool's numbers.
     *
     * @param operationId under which it happened once
     * @param action INIT, TRY, CONFIRM, CANCEL, REFUND, ADJUST or REBUILD
     * @param reservationId whose it was; absent where the pool itself was changed
     * @param quantity units it was about
     * @param change what it changed
     * @param after the numbers after it
     * @param causeId the request or message that led to it
     * @param at when it was journaled
     * @param sequenceNumber of the event that tells of it, in the journal of the reservation or else of the pool
     */
    public record EntryView(
            String operationId,
            String action,
            Optional<String> reservationId,
            Optional<String> orderId,
            long quantity,
            MoveView change,
            BooksView after,
            Optional<String> causeId,
            Instant at,
            long sequenceNumber) {

        static EntryView of(LedgerRow row) {
            var change = row.change();
            var move = change.move();
            return new EntryView(
                    change.operationId(),
                    change.action().name(),
                    change.reservationId(),
                    change.orderId(),
                    change.quantity(),
                    new MoveView(move.total(), move.deficit(), move.available(), move.reserved(), move.sold()),
                    BooksView.of(change.after()),
                    row.causeId(),
                    row.at(),
                    row.sequenceNumber());
        }
    }

    /**
     * One page of a pool's ledger, in the order in which things happened.
     *
     * @param entries as projected, which lags the journal a little
     * @param nextCursor where the next page begins; absent on the last one
     * @param next address of the next page; absent on the last one
     */
    public record LedgerView(String pool, List<EntryView> entries, Optional<String> nextCursor, Optional<String> next) {

        /** The wire form. */
        public static LedgerView of(LedgerPage page, LedgerFilter filter, int limit) {
            return new LedgerView(
                    filter.pool().value(),
                    page.rows().stream().map(EntryView::of).toList(),
                    page.next(),
                    page.next().map(cursor -> address(filter, cursor, limit)));
        }

        /** Nothing in it needs escaping: ids, cursors and times in UTC have no character that would. */
        private static String address(LedgerFilter filter, String cursor, int limit) {
            var address = new StringBuilder(Paths.pool(filter.pool().value())).append("/ledger?");
            filter.from().ifPresent(from -> address.append("from=").append(from).append('&'));
            filter.to().ifPresent(to -> address.append("to=").append(to).append('&'));
            filter.reservationId()
                    .ifPresent(
                            id -> address.append("reservation_id=").append(id).append('&'));
            return address.append("limit=")
                    .append(limit)
                    .append("&cursor=")
                    .append(cursor)
                    .toString();
        }
    }

    /**
     * How a pool stands by the journal, as far as it was projected.
     *
     * @param books after the change with the greatest epoch and version
     * @param changedAt when that was journaled
     * @param complete whether the ledger has every version of this epoch up to that one
     */
    public record SnapshotView(String pool, BooksView books, Instant changedAt, boolean complete) {

        /** The wire form. */
        public static SnapshotView of(Snapshot snapshot) {
            return new SnapshotView(
                    snapshot.pool(), BooksView.of(snapshot.books()), snapshot.changedAt(), snapshot.complete());
        }
    }

    /**
     * Something that can't be.
     *
     * @param source who found it
     * @param type what kind
     * @param summary one sentence
     * @param evidence what shows it
     * @param kind what may be done about it
     * @param seenAt when it was last found
     * @param goneAt when it was not found any more
     * @param url where it is read with the evidence of all sources
     */
    public record AnomalyView(
            String id,
            String source,
            String type,
            Optional<String> pool,
            Optional<String> reservationId,
            String summary,
            @JsonRawValue String evidence,
            Instant at,
            @JsonProperty("class") Optional<String> kind,
            Optional<Instant> seenAt,
            Optional<Instant> goneAt,
            String url) {

        /** The wire form. */
        public static AnomalyView of(Anomaly anomaly) {
            return new AnomalyView(
                    anomaly.id(),
                    anomaly.source(),
                    anomaly.type(),
                    anomaly.pool(),
                    anomaly.reservationId(),
                    anomaly.summary(),
                    anomaly.evidence(),
                    anomaly.at(),
                    anomaly.kind(),
                    anomaly.seenAt(),
                    anomaly.goneAt(),
                    Paths.anomaly(anomaly.id()));
        }
    }

    /**
     * One page of them, newest first.
     *
     * @param nextCursor where the next page begins; absent on the last one
     */
    public record AnomaliesView(List<AnomalyView> anomalies, Optional<String> nextCursor) {

        /** The wire form. */
        public static AnomaliesView of(AnomalyQueries.Page page) {
            return new AnomaliesView(
                    page.entries().stream().map(AnomalyView::of).toList(), page.next());
        }
    }
}
