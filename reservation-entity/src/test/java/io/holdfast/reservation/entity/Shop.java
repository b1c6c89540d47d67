package io.holdfast.reservation.entity;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Decision;
import io.holdfast.engine.projection.JournalPosition;
import io.holdfast.engine.projection.Passage;
import io.holdfast.engine.projection.ProjectionProgress;
import io.holdfast.lua.StockScripts;
import io.holdfast.lua.model.RedisModel;
import io.holdfast.reservation.conformance.KnownPools;
import io.holdfast.reservation.conformance.ScriptCompensations;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.EffectPolicies;
import io.holdfast.reservation.domain.Epochs;
import io.holdfast.reservation.domain.Fact.OrderCanceled;
import io.holdfast.reservation.domain.Fact.OrderCreated;
import io.holdfast.reservation.domain.Fact.OrderCreatedFailed;
import io.holdfast.reservation.domain.Fact.RefundRequested;
import io.holdfast.reservation.domain.Group;
import io.holdfast.reservation.domain.GroupLine;
import io.holdfast.reservation.domain.Line;
import io.holdfast.reservation.domain.OrderCreateRequested;
import io.holdfast.reservation.domain.OrderType;
import io.holdfast.reservation.domain.PoolChoice;
import io.holdfast.reservation.domain.PoolEpoch;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.PoolOperation;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.domain.ReservationCommand.Adopt;
import io.holdfast.reservation.domain.ReservationEffect;
import io.holdfast.reservation.domain.ReservationEvent;
import io.holdfast.reservation.domain.ReservationMachine;
import io.holdfast.reservation.domain.SaleKeys;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.domain.StockPoolCommand;
import io.holdfast.reservation.domain.StockPoolEffect;
import io.holdfast.reservation.domain.StockPoolEvent;
import io.holdfast.reservation.domain.StockPoolMachine;
import io.holdfast.reservation.domain.Terms;
import io.holdfast.reservation.port.OrderDirectory;
import io.holdfast.reservation.port.OrderRequests;
import io.holdfast.reservation.port.PoolDirectory;
import io.holdfast.reservation.port.PoolReservations;
import io.holdfast.reservation.port.SaleStock;
import io.holdfast.reservation.port.VerificationNotice;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * One pool and its reservations over the real scripts, without a runtime: commands are decided at once, effects are performed when the
 * test says so.
 */
final class Shop implements AutoCloseable {

    static final String ORDER = "order-1";

    static final PoolId POOL = PoolId.parse("m-1:soup:2026-07-25");
    static final Instant NOW = Instant.parse("2026-07-25T12:30:00Z");
    /** How long keys of an archived pool stay. */
    static final Duration KEPT = Duration.ofDays(7);

    static final Duration PATIENCE = Duration.ofSeconds(1);

    final RedisModel redis = new RedisModel();
    final Map<String, Reservation> reservations = new TreeMap<>();
    final List<String> suspicions = new ArrayList<>();
    final List<ReservationCommand> outcomes = new ArrayList<>();
    final List<StockPoolEvent> poolJournal = new ArrayList<>();
    final List<ReservationEvent> reservationJournal = new ArrayList<>();
    final List<Duration> pauses = new ArrayList<>();
    final List<String> finalStock = new ArrayList<>();
    /** Reservations the view shows in another pool. */
    final Set<String> elsewhere = new HashSet<>();

    Runnable whenReadNext = () -> {};

    /** Runs when the view is asked for the second time: after the last look of an attempt. */
    Runnable whenAskedAgain = () -> {};

    /** Runs before a rebuild ends an admission. */
    Consumer<String> beforeOneEnds = _ -> {};

    private int asked;
    static final SaleKeys KEYS = new SaleKeys(Map.of(1, new byte[] {1}));

    final HandOver handOver;
    final List<OrderCreateRequested> requested = new ArrayList<>();
    StockPool pool;
    Passage passage = new Passage.Passed(List.of(), 0);

    Instant now = NOW;

    private final InstantSource clock = () -> now;
    private boolean cutOff;
    private final ReservationMachine reservationMachine = new ReservationMachine(EffectPolicies.standard());
    private final StockPoolMachine poolMachine;
    private final ReservationEffects reservationEffects;
    private final StockPoolEffects poolEffects;
    private final KnownPools directory = new KnownPools(this::suspected);

    Shop() {
        this(null, EffectPolicies.Rebuild.ON_REQUEST);
    }

    /** A shop whose scripts are these instead of the model's. */
    Shop(StockScripts other) {
        this(other, EffectPolicies.Rebuild.ON_REQUEST);
    }

    /** A shop where this is who decides that the pool is rebuilt. */
    Shop(@org.jspecify.annotations.Nullable StockScripts other, EffectPolicies.Rebuild who) {
        StockScripts scripts = other == null ? redis : other;
        poolMachine = new StockPoolMachine(EffectPolicies.standard().rebuilding(who));
        pool = poolMachine.initial(POOL.value());
        reservationEffects = new ReservationEffects(
                scripts,
                directory,
                new ScriptCompensations(scripts, directory, NOW),
                OrderDirectory.none(),
                this::request,
                this::callIn,
                clock);
        AtomicLong attempts = new AtomicLong();
        FreezeNotice notice = new FreezeNotice(new VerificationNotice() {
            @Override
            public CompletionStage<Outcome<Reservation>> tell(String id, long generation, Optional<PoolEpoch> loaded) {
                return told(id, generation, loaded);
            }

            @Override
            public CompletionStage<Outcome<Reservation>> admissionLost(
                    String id, long generation, long total, long promised) {
                beforeOneEnds.accept(id);
                give(id, new ReservationCommand.AdmissionLost(generation, total, promised));
                return CompletableFuture.completedFuture(Outcome.known(reservation(id)));
            }
        });
        handOver = new HandOver(scripts, KEYS, this::adopted, clock);
        WholeView view = new WholeView(journaled(), progress(), PATIENCE);
        poolEffects = new StockPoolEffects(
                scripts,
                noted(),
                (pool, operation, _) -> {
                    throw new AssertionError("no pool here has others: " + pool + " " + operation);
                },
                new PoolVerification(
                        scripts,
                        journaled(),
                        notice,
                        this::opening,
                        handOver,
                        view,
                        clock,
                        this::pause,
                        attempts::incrementAndGet),
                new PoolRebuild(
                        scripts,
                        journaled(),
                        notice,
                        this::opening,
                        handOver,
                        view,
                        clock,
                        this::pause,
                        attempts::incrementAndGet),
                new PoolArchiving(scripts, journaled(), view, clock, KEPT),
                clock);
    }

    static Shop open(long total) {
        Shop shop = new Shop();
        shop.give(new PoolOperation.Init("init-1", total));
        shop.runPool();
        return shop;
    }

    // ---- reservations

    private CompletionStage<Outcome<OrderRequests.Sent>> request(OrderCreateRequested order) {
        requested.add(order);
        return CompletableFuture.completedFuture(Outcome.known(new OrderRequests.Sent()));
    }

    private CompletionStage<Outcome<Reservation>> adopted(Adopt adopt) {
        String id = adopt.order().reservationId();
        give(id, adopt);
        return CompletableFuture.completedFuture(Outcome.known(reservation(id)));
    }

    String reserve(String item, long quantity) {
        return reserve(item, quantity, new OrderType.InstantOrder());
    }

    String reserve(String item, long quantity, OrderType type) {
        Line line = new Line("m-1", "soup", ORDER, item, Optional.empty());
        give(
                line.reservationId(),
                new ReservationCommand.Reserve(
                                new Terms(line, quantity, type), new PoolChoice.Named(POOL), NOW.plusSeconds(900))
                        .at(pool.latestBooks().map(Books::epoch).orElse(Epochs.FIRST)));
        return line.reservationId();
    }

    /** Lines of this pool, asked for all or nothing; the one that decides comes first. */
    List<String> reserveTogether(long... quantities) {
        List<GroupLine> lines = new ArrayList<>();
        for (int i = 0; i < quantities.length; i++) {
            Line line = new Line("m-1", "soup", ORDER, "together-" + i, Optional.empty());
            lines.add(new GroupLine(POOL, new Terms(line, quantities[i], new OrderType.InstantOrder())));
        }
        Group group = new Group(lines);
        group.lines().forEach(line -> callIn(group, line, NOW.plusSeconds(900), Optional.empty(), Duration.ZERO));
        return group.lines().stream().map(GroupLine::reservationId).toList();
    }

    /** Asked for and granted. */
    String hold(String item, long quantity) {
        String id = reserve(item, quantity);
        run(id);
        return id;
    }

    void give(String id, ReservationCommand command) {
        Reservation state = reservation(id);
        for (ReservationEvent event :
                reservationMachine.decide(state, command, now).events()) {
            state = reservationMachine.evolve(state, event);
            reservationJournal.add(event);
        }
        reservations.put(id, state);
    }

    Reservation reservation(String id) {
        return reservations.getOrDefault(id, reservationMachine.initial(id));
    }

    /** Performs what the reservation owes, once; an answer that is not known leaves it as it is. */
    Optional<Outcome<ReservationCommand>> attempt(String id) {
        return reservationMachine.owe(reservation(id)).effects().stream()
                .findFirst()
                .map(effect -> performed(id, effect));
    }

    /** Performs what the reservation owes, and nobody hears of the answer. */
    void attemptAndLoseTheAnswer(String id) {
        ReservationEffect effect =
                reservationMachine.owe(reservation(id)).effects().getFirst();
        performed(id, effect);
    }

    private Outcome<ReservationCommand> performed(String id, ReservationEffect effect) {
        return reservationEffects.perform(id, effect).toCompletableFuture().join();
    }

    /** Performs what the reservation owes until it rests or is not answered. */
    void run(String id) {
        while (true) {
            Optional<Outcome<ReservationCommand>> outcome = attempt(id);
            if (outcome.isEmpty() || !(outcome.get() instanceof Outcome.Known<ReservationCommand>(var command))) {
                return;
            }
            outcomes.add(command);
            give(id, command);
        }
    }

    /** A reservation in every state, with its operation done and answered, done and not answered, or not done. */
    void everyKindOfReservation() {
        String confirmed = hold("confirmed", 1);
        give(confirmed, OrderCreated.whole(ORDER));
        run(confirmed);
        String canceled = hold("canceled", 1);
        give(canceled, new OrderCreatedFailed(ORDER, "no"));
        run(canceled);
        String refunded = hold("refunded", 1);
        give(refunded, new OrderCanceled(Optional.of(ORDER), "no"));
        run(refunded);
        hold("held", 1);
        String scheduled = reserve("scheduled", 1, new OrderType.ScheduledOrder(NOW.plusSeconds(60)));
        run(scheduled);
        give(scheduled, OrderCreated.whole(ORDER));
        hold("denied", 100);
        reserve("not-tried", 1);
        attemptAndLoseTheAnswer(reserve("tried", 1));
        String confirming = hold("confirming", 1);
        give(confirming, OrderCreated.whole(ORDER));
        String confirmedUnheard = hold("confirmed-unheard", 2);
        give(confirmedUnheard, new OrderCreated(ORDER, OptionalLong.of(1)));
        attemptAndLoseTheAnswer(confirmedUnheard);
        String canceling = hold("canceling", 1);
        give(canceling, new OrderCreatedFailed(ORDER, "no"));
        String canceledUnheard = hold("canceled-unheard", 1);
        give(canceledUnheard, new OrderCreatedFailed(ORDER, "no"));
        attemptAndLoseTheAnswer(canceledUnheard);
        String refunding = hold("refunding", 2);
        give(refunding, new RefundRequested(Optional.of(ORDER), "r-1", 1, true));
        String refundedUnheard = hold("refunded-unheard", 1);
        give(refundedUnheard, OrderCreated.whole(ORDER));
        run(refundedUnheard);
        give(refundedUnheard, new RefundRequested(Optional.of(ORDER), "r-1", 1, false));
        attemptAndLoseTheAnswer(refundedUnheard);
    }

    // ---- the pool

    Decision<StockPoolEvent> give(StockPoolCommand command) {
        Decision<StockPoolEvent> decision = poolMachine.decide(pool, command, now);
        for (StockPoolEvent event : decision.events()) {
            pool = poolMachine.evolve(pool, event);
            poolJournal.add(event);
        }
        directory.stands(POOL, EntityPoolDirectory.standing(pool));
        return decision;
    }

    Optional<Outcome<StockPoolCommand>> attemptPool() {
        asked = 0;
        return poolMachine.owe(pool).effects().stream()
                .findFirst()
                .map(effect -> poolEffects
                        .perform(POOL.value(), effect)
                        .toCompletableFuture()
                        .join());
    }

    /** Performs what the pool owed in a state it is not in any more, as a node does that was cut off from the journal. */
    Outcome<StockPoolCommand> attemptPoolLeftBehind(StockPoolEffect effect) {
        asked = 0;
        cutOff = true;
        try {
            return poolEffects
                    .perform(POOL.value(), effect)
                    .toCompletableFuture()
                    .join();
        } finally {
            cutOff = false;
        }
    }

    StockPoolEffect owedByPool() {
        return poolMachine.owe(pool).effects().getFirst();
    }

    void runPool() {
        while (true) {
            Optional<Outcome<StockPoolCommand>> outcome = attemptPool();
            if (outcome.isEmpty()
                    || !(outcome.get() instanceof Outcome.Known<StockPoolCommand>(var command))
                    || give(command).events().isEmpty()) {
                return;
            }
        }
    }

    void suspectPool() {
        give(new StockPoolCommand.Suspect("the test says so"));
    }

    // ---- what stands around them

    /** The final stock of a sale: what is asked of it is noted. */
    private SaleStock noted() {
        return new SaleStock() {
            @Override
            public CompletionStage<Outcome<Kept>> atLeast(PoolId pool, String operationId, long total) {
                return note("at least " + total + " by " + operationId);
            }

            @Override
            public CompletionStage<Outcome<Kept>> exactly(PoolId pool, String operationId, long total) {
                return note("exactly " + total + " by " + operationId);
            }

            private CompletionStage<Outcome<Kept>> note(String what) {
                finalStock.add(what + ", the pool "
                        + (redis.hash("hf:{" + POOL.value() + "}:stock").isEmpty() ? "not there" : "there"));
                return CompletableFuture.completedFuture(Outcome.known(new Kept()));
            }
        };
    }

    private CompletionStage<Void> pause(Duration time) {
        pauses.add(time);
        return CompletableFuture.completedFuture(null);
    }

    PoolDirectory directory() {
        return directory;
    }

    private void suspected(String evidence) {
        suspicions.add(evidence);
        give(new StockPoolCommand.Suspect(evidence));
    }

    private CompletionStage<Outcome<Reservation>> told(String id, long generation, Optional<PoolEpoch> loaded) {
        give(
                id,
                loaded.<ReservationCommand>map(seen -> new ReservationCommand.SeeEpoch(generation, seen))
                        .orElseGet(() -> new ReservationCommand.SeeVerification(generation)));
        return CompletableFuture.completedFuture(Outcome.known(reservation(id)));
    }

    private CompletionStage<Outcome<Boolean>> opening(PoolId id, long number, String attempt) {
        boolean journaled = !cutOff
                && !give(new StockPoolCommand.BeginOpening(number, attempt))
                        .events()
                        .isEmpty();
        return CompletableFuture.completedFuture(
                journaled ? Outcome.known(true) : Outcome.unavailable("the journal refused it"));
    }

    private CompletionStage<Outcome<Reservation>> callIn(
            Group group, GroupLine line, Instant attentionAt, Optional<Epochs> epochs, Duration patience) {
        give(
                line.reservationId(),
                new ReservationCommand.Reserve(
                        line.terms(), new PoolChoice.Named(line.pool()), attentionAt, Optional.of(group), epochs));
        return CompletableFuture.completedFuture(Outcome.known(reservation(line.reservationId())));
    }

    private PoolReservations journaled() {
        return new PoolReservations() {
            @Override
            public CompletionStage<Outcome<List<Reservation>>> page(PoolId id, Optional<String> after, int limit) {
                whenReadNext.run();
                whenReadNext = () -> {};
                return CompletableFuture.completedFuture(Outcome.known(reservations.values().stream()
                        .filter(reservation -> reservation
                                .asked()
                                .filter(claim -> claim.pool().equals(id))
                                .isPresent())
                        .filter(reservation -> reservation.id().compareTo(after.orElse("")) > 0)
                        .limit(limit)
                        .toList()));
            }

            @Override
            public CompletionStage<Outcome<Integer>> mayBeOf(PoolId id, List<String> reservationIds) {
                return CompletableFuture.completedFuture(Outcome.known((int) reservationIds.stream()
                        .filter(other -> !elsewhere.contains(other))
                        .count()));
            }
        };
    }

    private ProjectionProgress progress() {
        return new ProjectionProgress() {
            @Override
            public CompletionStage<JournalPosition> position() {
                return CompletableFuture.completedFuture(new JournalPosition(7));
            }

            @Override
            public CompletionStage<Passage> awaitPassed(JournalPosition position, Duration patience) {
                if (++asked == 2) {
                    Runnable now = whenAskedAgain;
                    whenAskedAgain = () -> {};
                    now.run();
                }
                return CompletableFuture.completedFuture(passage);
            }
        };
    }

    @Override
    public void close() {
        redis.close();
    }
}
