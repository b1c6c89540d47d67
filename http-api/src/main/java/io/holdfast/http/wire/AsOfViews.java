package io.holdfast.http.wire;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdfast.engine.entity.Entity;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.http.wire.LedgerViews.SnapshotView;
import io.holdfast.json.JsonWriter;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.ledger.Snapshot;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** How things stood at a moment, and what changed between two. */
public final class AsOfViews {

    private static final ObjectMapper JSON = new ObjectMapper();

    private AsOfViews() {}

    /**
     * A reservation as it stood.
     *
     * @param asOf everything decided up to and including this moment
     */
    public record ReservationAsOf(
            Instant asOf, @JsonUnwrapped ReservationView reservation) {
        /** The wire form. */
        public static ReservationAsOf of(Instant asOf, Entity<Reservation> then) {
            return new ReservationAsOf(asOf, ReservationView.of(reply(then)));
        }
    }

    /**
     * A pool as it stood.
     *
     * @param asOf everything decided up to and including this moment
     * @param stock its numbers then, by the ledger: holds moved them as well; absent if nothing was projected of that time
     */
    public record PoolAsOf(Instant asOf, @JsonUnwrapped PoolView pool, Optional<SnapshotView> stock) {
        /** The wire form. */
        public static PoolAsOf of(Instant asOf, Entity<StockPool> then, Optional<Snapshot> stock) {
            return new PoolAsOf(asOf, PoolView.of(reply(then)), stock.map(SnapshotView::of));
        }
    }

    /**
     * What changed between two moments.
     *
     * @param changes where the two answers differ
     */
    public record DiffView(SideView from, SideView to, List<JsonDifference.Change> changes) {}

    /**
     * One of the moments.
     *
     * @param there false if nothing was known of it then
     * @param sequenceNumber of the last event up to then
     */
    public record SideView(Instant at, boolean there, Optional<Long> sequenceNumber) {}

    /**
     * How something stood, or that it was not there.
     *
     * @param view as it is answered; empty where it was not there
     */
    public record Standing(Instant at, long sequenceNumber, Optional<Object> view) {

        private SideView side() {
            return new SideView(
                    at, view.isPresent(), view.isPresent() ? Optional.of(sequenceNumber) : Optional.empty());
        }

        private ObjectNode tree() {
            if (view.isEmpty()) {
                return JSON.createObjectNode();
            }
            try {
                var tree = (ObjectNode) JSON.readTree(JsonWriter.write(view.get()));
                tree.remove(List.of("as_of", "links"));
                return tree;
            } catch (IOException e) {
                throw new IllegalStateException("a wire record that is no JSON object", e);
            }
        }
    }

    /** The difference of two moments of one thing. */
    public static DiffView diff(Standing from, Standing to) {
        JsonNode before = from.tree();
        return new DiffView(from.side(), to.side(), JsonDifference.between(before, to.tree()));
    }

    private static <S> Reply<S> reply(Entity<S> then) {
        return new Reply<>(then.id(), then.sequenceNumber(), new Verdict.Done(), false, then.state(), List.of());
    }
}
