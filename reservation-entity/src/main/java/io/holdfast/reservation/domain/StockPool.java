package io.holdfast.reservation.domain;

import io.holdfast.engine.machine.GrowingMap;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The stock of one dish on one day, or of one sale: its states. */
public sealed interface StockPool {

    /** Pool id as text. */
    String id();

    /** The status as shown. */
    Status status();

    /** What everybody calls the states. */
    enum Status {
        NEW,
        INITIALIZING,
        OPEN,
        PAUSED,
        CLOSED,
        ARCHIVED,
        SUSPECT,
        REBUILDING
    }

    /** A state in which Redis is believed. */
    sealed interface Trusted extends StockPool {
        /** Which pool. */
        PoolId pool();

        /** Operations in flight, waiting and done. */
        Work work();

        @Override
        default String id() {
            return pool().value();
        }

        /** Its total now; of one that is being created, what it will have. */
        default long total() {
            return switch (this) {
                case Initializing initializing -> initializing.total();
                case Open open -> open.baseline().total();
                case Closed closed -> closed.baseline().total();
            };
        }

        /** The total of the sale, as the pool that speaks for it has it; of any other pool, its own without what was moved. */
        default long saleTotal() {
            long share = created()
                    .map(init -> init.total() - init.units())
                    .orElseThrow(() -> new IllegalStateException(id() + " was never created"));
            return total() - work().moved() + share;
        }

        /** Its total once this operation has happened; below 0 where it can't. */
        default long totalAfter(PoolOperation operation) {
            return switch (operation) {
                case PoolOperation.Init init -> init.units();
                case PoolOperation.Adjust adjust -> total() + adjust.newTotal() - saleTotal();
                case PoolOperation.Give give -> total() - give.units();
                case PoolOperation.Receive receive -> total() + receive.units();
                case PoolOperation.Pause _,
                        PoolOperation.Resume _,
                        PoolOperation.Close _,
                        PoolOperation.Archive _,
                        PoolOperation.Repair _ -> total();
            };
        }
    }

    /**
     * Never created.
     *
     * @param work operations that were refused, an attempt to create it among them
     */
    record New(String id, Work work) implements StockPool {
        @Override
        public Status status() {
            return Status.NEW;
        }
    }

    /** Being created; the Init is at the head of the work. */
    record Initializing(PoolId pool, long total, Work work) implements Trusted {
        @Override
        public Status status() {
            return Status.INITIALIZING;
        }
    }

    /**
     * Created; takes holds unless paused.
     *
     * @param books as the latest operation of the pool left them; holds have moved them since
     */
    record Open(PoolId pool, Baseline baseline, boolean paused, Books books, Work work) implements Trusted {
        @Override
        public Status status() {
            return paused ? Status.PAUSED : Status.OPEN;
        }
    }

    /**
     * Takes no new holds; running reservations end normally.
     *
     * @param books as the latest operation of the pool left them
     */
    record Closed(PoolId pool, Baseline baseline, Books books, Work work) implements Trusted {
        @Override
        public Status status() {
            return Status.CLOSED;
        }
    }

    /**
     * Ended: nothing moves it any more, and nothing of it is asked of Redis, but to let go of it.
     *
     * @param books as they were in the end; what is given back later is in the journals alone
     * @param goneBy when Redis will have let go of its keys; empty while it was not told to
     */
    record Archived(PoolId pool, Baseline baseline, Books books, Work work, Optional<Instant> goneBy)
            implements StockPool {
        @Override
        public String id() {
            return pool.value();
        }

        @Override
        public Status status() {
            return Status.ARCHIVED;
        }
    }

    /**
     * Redis is not believed: nothing moves until the numbers and every fence are shown to agree with the journals.
     *
     * @param kept the state it goes back to
     * @param evidence why it is suspected
     * @param verification number of the comparison that is owed, or of the latest one
     * @param report what that one found, if it is done
     * @param nextAt when the next one starts; empty while one is owed
     */
    record Suspect(
            Trusted kept,
            String evidence,
            long verification,
            Optional<DifferenceReport> report,
            Optional<Instant> nextAt)
            implements StockPool {
        @Override
        public String id() {
            return kept.id();
        }

        @Override
        public Status status() {
            return Status.SUSPECT;
        }
    }

    /**
     * Redis is loaded anew from the journals, under an epoch of its own: nothing moves until that is done.
     *
     * @param kept the state it goes on in
     * @param reason why
     * @param number of the rebuild; comparisons and rebuilds are numbered together
     * @param epoch the pool's from then on
     * @param report what the comparison before it found, if there was one
     */
    record Rebuilding(Trusted kept, String reason, long number, long epoch, Optional<DifferenceReport> report)
            implements StockPool {
        @Override
        public String id() {
            return kept.id();
        }

        @Override
        public Status status() {
            return Status.REBUILDING;
        }
    }

    /**
     * The totals a pool has had.
     *
     * @param first the Init's
     * @param total the current one
     * @param version counts them, from 1
     */
    record Baseline(long first, long total, long version) {}

    /**
     * Operations of a pool.
     *
     * @param queue in flight (the first) and waiting, in order
     * @param settled by operation id, but for moves between pools of a sale
     * @param verifications how many comparisons and rebuilds have been started
     * @param rebuiltAt when the latest rebuild ended
     * @param moved units that have come from other pools of the sale, less those that have left for them
     * @param leaving a move whose units have left, and are not in the journal of the pool they are for yet
     * @param recentMoves what is kept of moves; empty where none has ended
     */
    record Work(
            List<PoolOperation> queue,
            Map<String, Settled> settled,
            long verifications,
            Optional<Instant> rebuiltAt,
            long moved,
            Optional<PoolOperation.Give> leaving,
            Optional<RecentMoves> recentMoves) {
        public Work {
            queue = List.copyOf(queue);
            settled = GrowingMap.copyOf(settled);
        }

        static final Work NONE =
                new Work(List.of(), GrowingMap.empty(), 0, Optional.empty(), 0, Optional.empty(), Optional.empty());

        /** What is kept of moves. */
        public RecentMoves moves() {
            return recentMoves.orElse(RecentMoves.NONE);
        }

        /** The operation Redis is being asked for. */
        public Optional<PoolOperation> inFlight() {
            return queue.isEmpty() ? Optional.empty() : Optional.of(queue.getFirst());
        }

        /** An operation of this id that is in flight or waiting. */
        public Optional<PoolOperation> waiting(String operationId) {
            return queue.stream()
                    .filter(operation -> operation.operationId().equals(operationId))
                    .findFirst();
        }

        Work adding(PoolOperation operation) {
            List<PoolOperation> longer = new ArrayList<>(queue);
            longer.add(operation);
            return new Work(
                    longer,
                    settled,
                    verifications,
                    rebuiltAt,
                    moved,
                    leaving,
                    operation instanceof PoolOperation.Receive receive
                            ? Optional.of(moves().with(receive))
                            : recentMoves);
        }

        /** @param version of the baseline after it */
        Work settling(Settled outcome, long version) {
            List<PoolOperation> shorter = queue.stream()
                    .filter(operation ->
                            !operation.operationId().equals(outcome.operation().operationId()))
                    .toList();
            return new Work(
                    shorter,
                    outcome.isKept()
                            ? GrowingMap.copyOf(settled)
                                    .with(outcome.operation().operationId(), outcome)
                            : settled,
                    verifications,
                    rebuiltAt,
                    moved + outcome.moved(),
                    outcome.given().or(this::leaving),
                    outcome.operation() instanceof PoolOperation.Give give && !outcome.isKept()
                            ? Optional.of(moves().with(new RecentMoves.Given(give, outcome.refusal(), version)))
                            : recentMoves);
        }

        /** The operation of this id that has ended and is remembered. */
        Optional<Settled> ended(String operationId) {
            Settled kept = settled.get(operationId);
            return kept != null
                    ? Optional.of(kept)
                    : moves().given(operationId)
                            .map(given -> new Settled(given.give(), given.refusal(), Optional.empty()));
        }

        Work delivered() {
            return new Work(queue, settled, verifications, rebuiltAt, moved, Optional.empty(), recentMoves);
        }

        Work verifying(long number) {
            return new Work(queue, settled, number, rebuiltAt, moved, leaving, recentMoves);
        }

        Work rebuilt(Instant at) {
            return new Work(queue, settled, verifications, Optional.of(at), moved, leaving, recentMoves);
        }
    }

    /**
     * How an operation ended.
     *
     * @param refusal why it did not happen; empty when it did
     * @param books after it, when it happened
     */
    record Settled(PoolOperation operation, Optional<StockPoolRefusal> refusal, Optional<Books> books) {

        /** Whether it is kept for ever. A move of which one can tell otherwise that it was made before is not. */
        private boolean isKept() {
            return switch (operation) {
                case PoolOperation.Give give -> give.seen().isEmpty();
                case PoolOperation.Receive receive -> receive.number().isEmpty();
                case PoolOperation.Init _,
                        PoolOperation.Adjust _,
                        PoolOperation.Pause _,
                        PoolOperation.Resume _,
                        PoolOperation.Close _,
                        PoolOperation.Archive _,
                        PoolOperation.Repair _ -> true;
            };
        }

        /** Units that came in by it from another pool, or left, below 0. */
        private long moved() {
            if (refusal.isPresent()) {
                return 0;
            }
            return operation instanceof PoolOperation.Receive receive
                    ? receive.units()
                    : given().map(give -> -give.units()).orElse(0L);
        }

        private Optional<PoolOperation.Give> given() {
            return refusal.isEmpty() && operation instanceof PoolOperation.Give give
                    ? Optional.of(give)
                    : Optional.empty();
        }
    }

    /** The state in which Redis is believed: this one, or the one it goes back to. Empty for a new pool, and for an archived one. */
    default Optional<Trusted> trusted() {
        return switch (this) {
            case New _, Archived _ -> Optional.empty();
            case Trusted trusted -> Optional.of(trusted);
            case Suspect suspect -> Optional.of(suspect.kept());
            case Rebuilding rebuilding -> Optional.of(rebuilding.kept());
        };
    }

    /** The hash tag it shares with other pools in Redis: the one it was, or is being, created with. Empty where it has its own. */
    default Optional<String> sharedTag() {
        return created().flatMap(PoolOperation.Init::tag);
    }

    /** What its gate keeps to, as it was, or is being, created; empty for a pool without one. */
    default Optional<Sale> sale() {
        return created().flatMap(PoolOperation.Init::sale);
    }

    /** Which of its sale's pools it is; empty for one of a sale with no other, and for one without a gate. */
    default Optional<Buckets> buckets() {
        return sale().flatMap(Sale::buckets);
    }

    /** What created it, or is about to; empty before it was asked for. */
    default Optional<PoolOperation.Init> created() {
        return work().flatMap(work -> Stream.concat(
                        work.settled().values().stream()
                                .filter(settled -> settled.refusal().isEmpty())
                                .map(Settled::operation),
                        work.queue().stream())
                .filter(PoolOperation.Init.class::isInstance)
                .map(PoolOperation.Init.class::cast)
                .findFirst());
    }

    private Optional<Work> work() {
        return switch (this) {
            case New _ -> Optional.empty();
            case Trusted trusted -> Optional.of(trusted.work());
            case Archived archived -> Optional.of(archived.work());
            case Suspect suspect -> Optional.of(suspect.kept().work());
            case Rebuilding rebuilding -> Optional.of(rebuilding.kept().work());
        };
    }

    /** The totals it has had, once it was created. */
    default Optional<Baseline> totals() {
        if (this instanceof Archived archived) {
            return Optional.of(archived.baseline());
        }
        return trusted().flatMap(state -> switch (state) {
            case Initializing _ -> Optional.empty();
            case Open open -> Optional.of(open.baseline());
            case Closed closed -> Optional.of(closed.baseline());
        });
    }

    /** Numbers as the latest operation of the pool left them, once it was created. */
    default Optional<Books> latestBooks() {
        if (this instanceof Archived archived) {
            return Optional.of(archived.books());
        }
        return trusted().flatMap(state -> switch (state) {
            case Initializing _ -> Optional.empty();
            case Open open -> Optional.of(open.books());
            case Closed closed -> Optional.of(closed.books());
        });
    }
}
