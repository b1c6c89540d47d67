package io.holdfast.http.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.reservation.domain.Buckets;
import io.holdfast.reservation.domain.DifferenceReport;
import io.holdfast.reservation.domain.PoolOperation;
import io.holdfast.reservation.domain.Sale;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.entity.SaleBuckets.Bucket;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A stock pool as it stands.
 *
 * @param pool its id
 * @param status its state
 * @param sequenceNumber of its last journaled event
 * @param baseline the total and its version; absent until it was created
 * @param redis what Redis says now; absent when it does not answer, and in answers to operations
 * @param journal how the latest operation of the pool itself left it; holds have moved it since
 * @param waiting operations asked for and not done yet, in order
 * @param suspicion why Redis is not believed for it, and what the latest comparison found
 * @param rebuild why and how Redis is loaded anew for it
 * @param rebuiltAt when it was, for the last time
 * @param sharedTag the hash tag in Redis that it shares with other pools; absent where it has its own
 * @param sale what its gate keeps to; absent where it has none
 * @param working what is still being done
 */
public record PoolView(
        String pool,
        String status,
        long sequenceNumber,
        Optional<BaselineView> baseline,
        Optional<RedisView> redis,
        Optional<JournaledView> journal,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<OperationView> waiting,
        Optional<SuspicionView> suspicion,
        Optional<RebuildView> rebuild,
        Optional<Instant> rebuiltAt,
        Optional<String> sharedTag,
        Optional<SaleView> sale,
        List<WorkingView> working) {

    /**
     * What the gate of a sale keeps to.
     *
     * @param keyVersion of the secret that its ids are made with
     * @param handOffBacklog holds that were let in and that their reservations have not taken over, in all pools that this one speaks for;
     *     absent when Redis does not say, and in answers to operations
     * @param buckets which of the sale's pools this is; absent where it has but one
     */
    public record SaleView(
            long limitPerUser,
            Instant opensAt,
            Instant closesAt,
            int keyVersion,
            Optional<Long> handOffBacklog,
            Optional<BucketsView> buckets) {
        static SaleView of(StockPool state, Sale sale) {
            return new SaleView(
                    sale.limit(),
                    sale.opensAt(),
                    sale.closesAt(),
                    sale.keyVersion(),
                    Optional.empty(),
                    sale.buckets().map(bucket -> BucketsView.of(state, bucket)));
        }

        SaleView with(Optional<Long> backlog, List<Optional<Bucket>> all) {
            return new SaleView(
                    limitPerUser,
                    opensAt,
                    closesAt,
                    keyVersion,
                    backlog,
                    buckets.map(own -> all.isEmpty() ? own : own.with(all)));
        }
    }

    /**
     * The pools of a sale whose stock lies in several.
     *
     * @param count how many
     * @param index of this one, from 0
     * @param total of the whole sale, as the pool that speaks for it has it; absent for the others
     * @param redis numbers of all of them together; absent for the others, when one does not answer, and in answers to operations
     * @param moving units that are on their way from one to another, as far as the readings, which are not of one instant, can tell
     * @param pools each of them, as far as Redis answers
     */
    public record BucketsView(
            int count,
            int index,
            Optional<Long> total,
            Optional<BucketBooks> redis,
            Optional<Long> moving,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<BucketView> pools) {

        private static BucketsView of(StockPool state, Buckets bucket) {
            return new BucketsView(
                    bucket.count(),
                    bucket.index(),
                    bucket.isFirst() ? state.trusted().map(StockPool.Trusted::saleTotal) : Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    List.of());
        }

        private BucketsView with(List<Optional<Bucket>> all) {
            List<Bucket> seen = all.stream().flatMap(Optional::stream).toList();
            Optional<BucketBooks> sum = seen.size() == all.size()
                    ? seen.stream().map(BucketBooks::of).reduce(BucketBooks::plus)
                    : Optional.empty();
            return new BucketsView(
                    count,
                    index,
                    total,
                    sum,
                    sum.flatMap(books -> total.map(sale -> Math.max(0, sale - books.total()))),
                    seen.stream().map(BucketView::of).toList());
        }
    }

    /** One of a sale's pools, as Redis has it. */
    public record BucketView(String pool, String status, boolean trusted, BucketBooks books) {
        static BucketView of(Bucket bucket) {
            return new BucketView(bucket.pool().value(), bucket.status(), bucket.trusted(), BucketBooks.of(bucket));
        }
    }

    /** {@code total + deficit = available + reserved + sold}. */
    public record BucketBooks(long total, long deficit, long available, long reserved, long sold) {
        static BucketBooks of(Bucket bucket) {
            return new BucketBooks(
                    bucket.total(), bucket.deficit(), bucket.available(), bucket.reserved(), bucket.sold());
        }

        BucketBooks plus(BucketBooks other) {
            return new BucketBooks(
                    total + other.total,
                    deficit + other.deficit,
                    available + other.available,
                    reserved + other.reserved,
                    sold + other.sold);
        }
    }

    /** The total, and its version, which {@code expected_version} of an adjustment refers to. */
    public record BaselineView(long total, long version) {}

    /**
     * What Redis says of a pool.
     *
     * @param status as stored there
     * @param trusted whether it would serve the pool
     */
    public record RedisView(String status, boolean trusted, BooksView books) {}

    /**
     * What the pool's own journal says.
     *
     * @param books numbers right after the latest operation of the pool itself
     */
    public record JournaledView(BooksView books) {}

    /**
     * One operation of the pool.
     *
     * @param total it sets, or the units that it moves from one bucket of a sale to another
     */
    public record OperationView(String operationId, String operation, Optional<Long> total) {
        static OperationView of(PoolOperation operation) {
            return switch (operation) {
                case PoolOperation.Init(String id, long total, var _, var _) ->
                    new OperationView(id, "INIT", Optional.of(total));
                case PoolOperation.Adjust adjust ->
                    new OperationView(adjust.operationId(), "ADJUST", Optional.of(adjust.newTotal()));
                case PoolOperation.Give give ->
                    new OperationView(give.operationId(), "GIVE", Optional.of(give.units()));
                case PoolOperation.Receive receive ->
                    new OperationView(receive.operationId(), "RECEIVE", Optional.of(receive.units()));
                case PoolOperation.Pause(String id) -> new OperationView(id, "PAUSE", Optional.empty());
                case PoolOperation.Resume(String id) -> new OperationView(id, "RESUME", Optional.empty());
                case PoolOperation.Close(String id) -> new OperationView(id, "CLOSE", Optional.empty());
                case PoolOperation.Archive(String id) -> new OperationView(id, "ARCHIVE", Optional.empty());
                case PoolOperation.Repair repair -> new OperationView(repair.operationId(), "REPAIR", Optional.empty());
            };
        }
    }

    /**
     * Why Redis is not believed for this pool.
     *
     * @param keptStatus the state it goes back to
     * @param evidence what was seen
     * @param verification number of the latest comparison
     * @param difference what it found; absent while it runs
     * @param nextAt when the next one starts
     */
    public record SuspicionView(
            String keptStatus,
            String evidence,
            long verification,
            Optional<DifferenceView> difference,
            Optional<Instant> nextAt) {}

    /**
     * Redis is loaded anew from the journals.
     *
     * @param keptStatus the state it goes on in
     * @param reason why
     * @param number of the rebuild; comparisons and rebuilds are numbered together
     * @param epoch the pool's from then on
     * @param difference what the comparison before it found, if there was one
     */
    public record RebuildView(
            String keptStatus, String reason, long number, long epoch, Optional<DifferenceView> difference) {}

    /** How Redis differs from the journals. */
    public record DifferenceView(
            String summary,
            BooksView expected,
            Optional<BooksView> actual,
            long compared,
            long differing,
            List<ReservationDifference> first) {
        static DifferenceView of(DifferenceReport report) {
            return new DifferenceView(
                    report.summary(),
                    BooksView.of(report.expected()),
                    report.actual().map(BooksView::of),
                    report.compared(),
                    report.differing(),
                    report.first().stream()
                            .map(one -> new ReservationDifference(one.reservationId(), one.journal(), one.fence()))
                            .toList());
        }
    }

    /** One reservation whose fence in Redis is not what the journal says. */
    public record ReservationDifference(String reservationId, String journal, String fence) {}

    /** The wire form of what an entity answered. */
    public static PoolView of(Reply<StockPool> reply) {
        StockPool state = reply.state();
        return new PoolView(
                reply.entityId(),
                state.status().name(),
                reply.sequenceNumber(),
                state.totals().map(baseline -> new BaselineView(baseline.total(), baseline.version())),
                Optional.empty(),
                state.latestBooks().map(books -> new JournaledView(BooksView.of(books))),
                state.trusted().stream()
                        .flatMap(trusted -> trusted.work().queue().stream())
                        .map(OperationView::of)
                        .toList(),
                suspicion(state),
                rebuild(state),
                state.trusted().flatMap(trusted -> trusted.work().rebuiltAt()),
                state.sharedTag(),
                state.sale().map(sale -> SaleView.of(state, sale)),
                WorkingView.of(reply.working()));
    }

    /**
     * The same, with what Redis says now.
     *
     * @param backlog holds of its gate that wait for their reservations
     * @param buckets all pools of the sale that it speaks for; empty where it has no others
     */
    public PoolView with(Optional<RedisView> said, Optional<Long> backlog, List<Optional<Bucket>> buckets) {
        return new PoolView(
                pool,
                status,
                sequenceNumber,
                baseline,
                said,
                journal,
                waiting,
                suspicion,
                rebuild,
                rebuiltAt,
                sharedTag,
                sale.map(gate -> gate.with(backlog, buckets)),
                working);
    }

    private static Optional<SuspicionView> suspicion(StockPool state) {
        return switch (state) {
            case StockPool.Suspect suspect ->
                Optional.of(new SuspicionView(
                        suspect.kept().status().name(),
                        suspect.evidence(),
                        suspect.verification(),
                        suspect.report().map(DifferenceView::of),
                        suspect.nextAt()));
            case StockPool.New _,
                    StockPool.Initializing _,
                    StockPool.Open _,
                    StockPool.Closed _,
                    StockPool.Archived _,
                    StockPool.Rebuilding _ -> Optional.empty();
        };
    }

    private static Optional<RebuildView> rebuild(StockPool state) {
        return state instanceof StockPool.Rebuilding rebuilding
                ? Optional.of(new RebuildView(
                        rebuilding.kept().status().name(),
                        rebuilding.reason(),
                        rebuilding.number(),
                        rebuilding.epoch(),
                        rebuilding.report().map(DifferenceView::of)))
                : Optional.empty();
    }
}
