package io.holdfast.reconciliation;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.engine.projection.Passage;
import io.holdfast.engine.runtime.Entities;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.lua.Admission;
import io.holdfast.lua.Fence;
import io.holdfast.lua.GuardRefusal;
import io.holdfast.lua.JournaledFence;
import io.holdfast.lua.LookReply;
import io.holdfast.lua.LookRequest;
import io.holdfast.lua.Phase;
import io.holdfast.lua.PoolStatus;
import io.holdfast.lua.StockScripts;
import io.holdfast.lua.StoredFences;
import io.holdfast.reservation.domain.Account;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.Claim;
import io.holdfast.reservation.domain.EffectPolicies;
import io.holdfast.reservation.domain.Line;
import io.holdfast.reservation.domain.OrderType;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.PoolOperation;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationMachine;
import io.holdfast.reservation.domain.Sale;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.domain.StockPoolCommand;
import io.holdfast.reservation.domain.StockPoolEvent;
import io.holdfast.reservation.domain.StockPoolMachine;
import io.holdfast.reservation.domain.StockPoolRefusal;
import io.holdfast.reservation.domain.Terms;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongFunction;

/** One pool on both sides, in memory: what the journals say, what Redis has, and a pool that does what the test lets it do. */
final class Shelf
        implements JournalSide, StoredFences, Entities<StockPool, StockPoolCommand>, RunStore, ReconciliationListener {

    static final PoolId POOL = PoolId.parse("m1:soup:2030-05-17");
    static final Instant BEFORE = Instant.parse("2030-05-17T10:00:00Z");
    static final Instant NOW = BEFORE.plusSeconds(60);

    /** Nothing of it is used: everything is kept in memory. */
    static final Connection NO_DATABASE = (Connection)
            Proxy.newProxyInstance(Shelf.class.getClassLoader(), new Class<?>[] {Connection.class}, (_, method, _) -> {
                throw new AssertionError("asked the database: " + method);
            });

    final NavigableMap<String, Viewed> journal = new TreeMap<>();
    final Map<String, Fence> fences = new HashMap<>();
    private final long total = 1_000_000;
    Books books = Books.expected(1, 100, total, 0, 0);
    /** What the ledger comes to at a version; empty: what the reservations come to. */
    LongFunction<Optional<Books>> ledger = _ -> Optional.empty();

    /** Rows that the ledger lacks. */
    int missing;

    boolean owing;
    /** The run whose turn it is. */
    Optional<Run> waiting = Optional.empty();
    /** Whether Redis has no such pool. */
    boolean gone;
    /** Whether Redis serves the pool. */
    boolean trusted = true;
    /** Repairs that lose their race: those while the pool is open, those while it is paused. */
    int lostWhileOpen;

    int lostWhilePaused;
    /** What the pool does when it is frozen. */
    Runnable whenSuspected = () -> {};
    /** Done before the pool says how it stands. */
    Runnable whenLookedAt = () -> {};
    /** Done between a reading of Redis and what is read after it. */
    Runnable meanwhile = () -> {};

    final List<String> asked = new ArrayList<>();
    /** How runs ended: why before their end, or nothing. */
    final List<Optional<String>> ends = new ArrayList<>();

    final List<Finding> found = new ArrayList<>();
    final List<RecordedFinding> recorded = new ArrayList<>();
    final List<Paused> paused = new ArrayList<>();
    final Set<Integer> pages = new TreeSet<>();
    final Set<Integer> held = new TreeSet<>();
    int moved;
    int racesLost;

    private final StockPoolMachine machine = new StockPoolMachine(EffectPolicies.standard());
    private StockPool pool = machine.initial(POOL.value());
    private long sequenceNumber;

    /** Reservations that were handed over, and whether they take it. */
    final List<String> handedOver = new ArrayList<>();

    boolean reservationsAway;
    long listed;

    final GateSide gates = new GateSide() {
        @Override
        public CompletionStage<Outcome<Long>> listed(PoolId of) {
            return CompletableFuture.completedFuture(Outcome.known(listed));
        }

        @Override
        public CompletionStage<Outcome<Reservation>> handOver(
                PoolId of, Sale sale, String reservation, Admission admission) {
            if (reservationsAway) {
                return CompletableFuture.completedFuture(Outcome.unavailable("away"));
            }
            handedOver.add(reservation + " " + admission.user() + " " + admission.quantity());
            return CompletableFuture.completedFuture(
                    Outcome.known(new ReservationMachine(EffectPolicies.standard()).initial(reservation)));
        }
    };

    Shelf() {
        this(Optional.empty());
    }

    /** @param sale what the pool's gate keeps to; empty where it has none */
    Shelf(Optional<Sale> sale) {
        var init = new PoolOperation.Init("init", books.total(), Optional.empty(), sale);
        happened(new StockPoolEvent.OperationAccepted(init));
        happened(new StockPoolEvent.PoolInitialized("init", Books.expected(1, 1, books.total(), 0, 0)));
    }

    void happened(StockPoolEvent event) {
        pool = machine.evolve(pool, event);
        sequenceNumber++;
    }

    StockPool pool() {
        return pool;
    }

    Comparison.Sides sides(int mostFindings) {
        return new Comparison.Sides(this, new RedisSide(scripts(), this), gates, this, mostFindings, this);
    }

    /** A hold of two units that both sides have. */
    String hold(int number) {
        var line = new Line("m1", "soup", "o" + number, "i" + number, Optional.empty());
        String id = line.reservationId();
        var claim = new Claim(id, POOL, new Terms(line, 2, new OrderType.InstantOrder()), NOW, 0, Optional.empty());
        var account = new Account(books, 2, 2, 0, Map.of(), List.of(), books);
        journal.put(id, new Viewed(new Reservation.Reserved(claim, account, false, Optional.empty()), BEFORE, 2));
        fences.put(id, new Fence(Phase.RESERVED, 2, 0, 0, 0, Map.of()));
        books = Books.expected(1, books.version() + 1, books.total(), books.reserved() + 2, books.sold());
        return id;
    }

    /** A hold of two units that a gate let in, and that no journal knows. */
    String letIn(int number) {
        String id = String.format("%032x", number);
        books = Books.expected(1, books.version() + 1, books.total(), books.reserved() + 2, books.sold());
        fences.put(
                id,
                new Fence(
                        Phase.RESERVED,
                        2,
                        0,
                        0,
                        0,
                        Optional.of(new JournaledFence.Admitted("u" + number, "q", NOW.plusSeconds(300))),
                        Map.of("try", new Fence.Operation("HELD", numbers(), BEFORE, List.of()))));
        return id;
    }

    private io.holdfast.lua.Books numbers() {
        return new io.holdfast.lua.Books(
                books.epoch(),
                books.version(),
                books.total(),
                books.deficit(),
                books.available(),
                books.reserved(),
                books.sold());
    }

    /** The reservation has another event; its state stays. */
    void touch(String id) {
        journal.compute(id, (_, viewed) -> new Viewed(viewed.state(), NOW, viewed.sequenceNumber() + 1));
    }

    StockScripts scripts() {
        return (StockScripts) Proxy.newProxyInstance(
                Shelf.class.getClassLoader(), new Class<?>[] {StockScripts.class}, (_, method, arguments) -> {
                    if (!method.getName().equals("look")) {
                        throw new AssertionError("nobody but the pool may ask Redis for " + method.getName());
                    }
                    return look((LookRequest) arguments[0]);
                });
    }

    private CompletionStage<Outcome<LookReply>> look(LookRequest request) {
        if (gone) {
            return CompletableFuture.completedFuture(Outcome.known(new GuardRefusal.PoolMissing()));
        }
        var seen = new LookReply.Seen(
                trusted, PoolStatus.OPEN, numbers(), Optional.ofNullable(fences.get(request.reservation())));
        return CompletableFuture.completedFuture(Outcome.known(seen));
    }

    // ---- the journals

    @Override
    public List<String> pools(String prefix, String after, int limit) {
        return POOL.value().startsWith(prefix) && POOL.value().compareTo(after) > 0 ? List.of(POOL.value()) : List.of();
    }

    @Override
    public Optional<Passed> passedNow() {
        meanwhile.run();
        return Optional.of(new Passed(7, new Passage.Passed(List.of(), 0)));
    }

    @Override
    public Instant settledUntil() {
        return NOW;
    }

    @Override
    public List<Viewed> page(PoolId of, Optional<String> after, Optional<Instant> movedAfter, int limit) {
        Collection<Viewed> rest =
                after.map(last -> journal.tailMap(last, false)).orElse(journal).values();
        List<Viewed> page = rest.stream()
                .filter(viewed -> movedAfter
                        .filter(time -> !viewed.updatedAt().isAfter(time))
                        .isEmpty())
                .limit(limit)
                .toList();
        pages.add(page.size());
        return page;
    }

    @Override
    public Map<String, Viewed> byId(List<String> reservationIds) {
        Map<String, Viewed> some = new HashMap<>();
        reservationIds.forEach(id -> Optional.ofNullable(journal.get(id)).ifPresent(viewed -> some.put(id, viewed)));
        return some;
    }

    @Override
    public LedgerSum ledger(PoolId of, long epoch, long after, long upTo) {
        Books sums = ledger.apply(upTo).orElseGet(() -> sums(after));
        return new LedgerSum(
                upTo - after - missing,
                after + 1,
                after == 0,
                new Books(epoch, upTo, sums.total(), sums.deficit(), sums.available(), sums.reserved(), sums.sold()));
    }

    /** As the reservations come to, or nothing since. */
    private Books sums(long after) {
        long reserved = journal.size() * 2L;
        return after == 0 ? Books.expected(1, 1, total, reserved, 0) : new Books(1, 1, 0, 0, 0, 0, 0);
    }

    @Override
    public boolean anyOwes(PoolId of) {
        return owing;
    }

    // ---- Redis

    @Override
    public CompletionStage<Outcome<Names>> names(String of, String from, int effort) {
        return CompletableFuture.completedFuture(Outcome.known(new Names(List.copyOf(fences.keySet()), BEGIN)));
    }

    // ---- the pool

    @Override
    public CompletionStage<Outcome<Reply<StockPool>>> ask(
            String entityId, Cause cause, StockPoolCommand command, Duration patience) {
        Verdict verdict = Verdict.done();
        switch (command) {
            case PoolOperation.Pause(String id) -> {
                asked.add("pause");
                happened(new StockPoolEvent.OperationAccepted(new PoolOperation.Pause(id)));
                happened(new StockPoolEvent.PoolPaused(id, books));
            }
            case PoolOperation.Resume(String id) -> {
                asked.add("resume");
                happened(new StockPoolEvent.OperationAccepted(new PoolOperation.Resume(id)));
                happened(new StockPoolEvent.PoolResumed(id, books));
            }
            case PoolOperation.Repair repair -> {
                asked.add("repair");
                boolean open = pool.status() == StockPool.Status.OPEN;
                if (open ? lostWhileOpen-- > 0 : lostWhilePaused-- > 0) {
                    books = Books.expected(1, books.version() + 1, books.total(), books.reserved(), books.sold());
                    verdict = Verdict.refused(StockPoolRefusal.REPAIR_OVERTAKEN);
                } else {
                    books = repair.target();
                    repair.fence().ifPresent(this::put);
                }
            }
            case StockPoolCommand.Suspect(String evidence, OptionalLong _) -> {
                asked.add("suspect");
                whenSuspected.run();
                sequenceNumber++;
            }
            default -> throw new AssertionError("nobody may ask a pool for " + command);
        }
        return answered(verdict);
    }

    private void put(io.holdfast.reservation.domain.FenceRepair repair) {
        repair.target()
                .ifPresentOrElse(
                        target -> fences.put(
                                repair.reservationId(),
                                new Fence(
                                        Phase.valueOf(target.phase().name()),
                                        target.quantity(),
                                        target.confirmed(),
                                        target.released(),
                                        target.refunded(),
                                        Map.of())),
                        () -> fences.remove(repair.reservationId()));
    }

    @Override
    public CompletionStage<Outcome<Reply<StockPool>>> look(String entityId) {
        whenLookedAt.run();
        return answered(Verdict.done());
    }

    private CompletionStage<Outcome<Reply<StockPool>>> answered(Verdict verdict) {
        return CompletableFuture.completedFuture(
                Outcome.known(new Reply<>(POOL.value(), sequenceNumber, verdict, false, pool, List.of())));
    }

    // ---- what is kept

    Run run(RunRequest.Mode mode) {
        return run(new RunRequest(new RunRequest.Scope.OnePool(POOL.value()), mode, true, "test"), "");
    }

    Run run(RunRequest request, String afterPool) {
        return new Run(
                "run-1",
                request,
                Run.Status.RUNNING,
                BEFORE,
                Optional.of(BEFORE),
                Optional.empty(),
                Optional.empty(),
                afterPool,
                1,
                Run.Counts.NONE,
                Optional.empty());
    }

    @Override
    public void takeUp(Connection connection) {}

    @Override
    public void schedule(Connection connection, ReconciliationSettings.Schedule schedule) {}

    @Override
    public Optional<Run> next(Connection connection) {
        return waiting;
    }

    @Override
    public Optional<Proof> proof(Connection connection, String of) {
        return Optional.empty();
    }

    @Override
    public void beginPool(Connection connection, String run, String of) {}

    @Override
    public void found(Connection connection, String run, String of, List<Finding> findings) {
        for (Finding finding : findings) {
            recorded.add(new RecordedFinding(
                    recorded.size() + 1,
                    run,
                    of,
                    finding,
                    RecordedFinding.State.OPEN,
                    NOW,
                    NOW,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty()));
        }
    }

    @Override
    public void endPool(
            Connection connection,
            String run,
            String of,
            PoolOutcome outcome,
            boolean whole,
            boolean mended,
            Optional<Instant> watermark,
            Run.Counts counts) {}

    @Override
    public List<RecordedFinding> repairable(Connection connection, String run, String of, long after, int limit) {
        return recorded.stream()
                .filter(finding -> finding.id() > after
                        && finding.state() == RecordedFinding.State.OPEN
                        && finding.finding().kind() == FindingClass.REPAIR)
                .limit(limit)
                .toList();
    }

    @Override
    public Optional<RecordedFinding> ofPool(Connection connection, String run, String of, FindingType type) {
        return recorded.stream()
                .filter(finding -> finding.finding().type() == type
                        && finding.finding().object().equals(of)
                        && finding.state() == RecordedFinding.State.OPEN)
                .findFirst();
    }

    @Override
    public void settle(
            Connection connection,
            RecordedFinding finding,
            RecordedFinding.State state,
            Optional<String> repairId,
            String outcome) {
        record(finding, state, repairId, outcome);
    }

    @Override
    public void note(Connection connection, RecordedFinding finding, Optional<String> repairId, String outcome) {
        record(finding, RecordedFinding.State.OPEN, repairId, outcome);
    }

    private void record(
            RecordedFinding finding, RecordedFinding.State state, Optional<String> repairId, String outcome) {
        recorded.set(
                (int) finding.id() - 1,
                new RecordedFinding(
                        finding.id(),
                        finding.run(),
                        finding.pool(),
                        finding.finding(),
                        state,
                        finding.foundAt(),
                        finding.firstSeenAt(),
                        Optional.empty(),
                        repairId,
                        Optional.of(outcome)));
    }

    @Override
    public void pausing(Connection connection, String run, String of, String operation) {
        asked.add("kept that it will be paused");
        paused.add(new Paused(of, run, operation));
    }

    @Override
    public List<Paused> paused(Connection connection) {
        return List.copyOf(paused);
    }

    @Override
    public void resumed(Connection connection, String of) {
        paused.clear();
    }

    @Override
    public Run end(Connection connection, String run, Optional<String> failure) {
        ends.add(failure);
        waiting = Optional.empty();
        return run(RunRequest.Mode.DRY_RUN);
    }

    @Override
    public void forget(Connection connection, Duration keep) {}

    // ---- what is told

    @Override
    public void pool(Duration took) {}

    @Override
    public void compared(int reservations, int rowsHeld) {
        held.add(rowsHeld);
    }

    @Override
    public void found(String of, Finding finding) {
        found.add(finding);
    }

    @Override
    public void moved(int reservations) {
        moved += reservations;
    }

    @Override
    public void repaired(FindingType type, Duration after) {}

    @Override
    public void raceLost() {
        racesLost++;
    }

    @Override
    public void paused(String of) {}

    @Override
    public void ended(Run run) {}

    @Override
    public void broke(Throwable failure) {
        throw new AssertionError(failure);
    }
}
