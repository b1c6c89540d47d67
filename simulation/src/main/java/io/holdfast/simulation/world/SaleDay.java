package io.holdfast.simulation.world;

import io.holdfast.compensation.domain.Asked;
import io.holdfast.compensation.domain.Compensation;
import io.holdfast.compensation.domain.CompensationCommand;
import io.holdfast.compensation.domain.CompensationEffect;
import io.holdfast.compensation.domain.CompensationEvent;
import io.holdfast.compensation.domain.CompensationPolicies;
import io.holdfast.compensation.domain.CompensationSamples;
import io.holdfast.compensation.domain.Content;
import io.holdfast.compensation.entity.CompensationEntities;
import io.holdfast.compensation.entity.CompensationScripts;
import io.holdfast.compensation.entity.DirectCompensations;
import io.holdfast.compensation.entity.EntityCompensations;
import io.holdfast.compensation.entity.EntityOwing;
import io.holdfast.compensation.port.Owing;
import io.holdfast.engine.effect.Backoff;
import io.holdfast.engine.effect.Effect;
import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.machine.MachineSamples;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.engine.runtime.EffectPerformer;
import io.holdfast.engine.runtime.MachineDefinition;
import io.holdfast.lua.StockScripts;
import io.holdfast.messaging.in.EventHandling;
import io.holdfast.messaging.in.OrderIntake;
import io.holdfast.messaging.in.Permits;
import io.holdfast.messaging.in.Persistence;
import io.holdfast.messaging.out.PublishedOrderRequests;
import io.holdfast.order.domain.Order;
import io.holdfast.order.domain.OrderCommand;
import io.holdfast.order.domain.OrderEffect;
import io.holdfast.order.domain.OrderEvent;
import io.holdfast.order.domain.OrderPolicies;
import io.holdfast.order.domain.OrderPolicies.LatePayment;
import io.holdfast.order.domain.OrderSamples;
import io.holdfast.order.entity.EntityHolds;
import io.holdfast.order.entity.EntityOrderDirectory;
import io.holdfast.order.entity.FinalSaleStock;
import io.holdfast.order.entity.OrderEntities;
import io.holdfast.order.model.ModelBooks;
import io.holdfast.order.port.FinalStock;
import io.holdfast.order.port.OrderBooks;
import io.holdfast.order.port.PaymentProvider;
import io.holdfast.reservation.domain.Buckets;
import io.holdfast.reservation.domain.EffectPolicies;
import io.holdfast.reservation.domain.Epochs;
import io.holdfast.reservation.domain.Group;
import io.holdfast.reservation.domain.GroupLine;
import io.holdfast.reservation.domain.InquiryPolicy;
import io.holdfast.reservation.domain.OrderAnswer;
import io.holdfast.reservation.domain.OrderCreateRequested;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.PoolOperation;
import io.holdfast.reservation.domain.PoolOperation.Adjust;
import io.holdfast.reservation.domain.PoolOperation.Close;
import io.holdfast.reservation.domain.PoolOperation.Init;
import io.holdfast.reservation.domain.PoolOperation.Pause;
import io.holdfast.reservation.domain.PoolOperation.Resume;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.domain.ReservationCommand.Adopt;
import io.holdfast.reservation.domain.ReservationEffect;
import io.holdfast.reservation.domain.ReservationEffect.AskOrder;
import io.holdfast.reservation.domain.ReservationEvent;
import io.holdfast.reservation.domain.ReservationRefusal;
import io.holdfast.reservation.domain.ReservationSamples;
import io.holdfast.reservation.domain.Sale;
import io.holdfast.reservation.domain.SaleKeys;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.domain.StockPoolCommand;
import io.holdfast.reservation.domain.StockPoolEffect;
import io.holdfast.reservation.domain.StockPoolEvent;
import io.holdfast.reservation.domain.StockPoolSamples;
import io.holdfast.reservation.entity.AdmissionDesk;
import io.holdfast.reservation.entity.AdmissionListener;
import io.holdfast.reservation.entity.AdmissionSettings;
import io.holdfast.reservation.entity.EntityAdoptions;
import io.holdfast.reservation.entity.EntityGroupCall;
import io.holdfast.reservation.entity.EntityOpeningNotice;
import io.holdfast.reservation.entity.EntityPoolDirectory;
import io.holdfast.reservation.entity.EntitySiblingPools;
import io.holdfast.reservation.entity.HandOver;
import io.holdfast.reservation.entity.HoldPlaces;
import io.holdfast.reservation.entity.MoveListener;
import io.holdfast.reservation.entity.ReservationEntities;
import io.holdfast.reservation.entity.SaleBuckets;
import io.holdfast.reservation.entity.StockPoolEntities;
import io.holdfast.reservation.port.Compensations;
import io.holdfast.reservation.port.GatePressure;
import io.holdfast.reservation.port.OrderDirectory;
import io.holdfast.reservation.port.PoolDirectory;
import io.holdfast.simulation.claim.ArchivedBooksAreClosed;
import io.holdfast.simulation.claim.BooksBalance;
import io.holdfast.simulation.claim.EveryHoldEnds;
import io.holdfast.simulation.claim.FencesNeverContradict;
import io.holdfast.simulation.claim.FinalStockIsKept;
import io.holdfast.simulation.claim.GroupsAreWhole;
import io.holdfast.simulation.claim.JournalAgreesWithRedis;
import io.holdfast.simulation.claim.NeverOversold;
import io.holdfast.simulation.claim.NothingAdmittedIsLost;
import io.holdfast.simulation.claim.OrdersAgreeWithBooks;
import io.holdfast.simulation.claim.OrdersAgreeWithReservations;
import io.holdfast.simulation.claim.OrdersAreAskedForOnce;
import io.holdfast.simulation.claim.PaymentsAreWhereTheyBelong;
import io.holdfast.simulation.claim.ServesOnlyWhatAgrees;
import io.holdfast.simulation.claim.UnitsAreSomewhere;
import io.holdfast.simulation.store.Broker;
import io.holdfast.simulation.store.OrderNews;
import io.holdfast.simulation.store.SimulatedRedis;
import io.holdfast.simulation.store.SimulatedView;
import io.holdfast.simulation.store.Till;
import io.holdfast.testkit.simulation.Client;
import io.holdfast.testkit.simulation.Decisions;
import io.holdfast.testkit.simulation.SimulatedEntities;
import io.holdfast.testkit.simulation.Simulation;
import io.holdfast.testkit.simulation.Storm;
import io.holdfast.testkit.simulation.World;
import io.holdfast.testkit.simulation.fault.Faults;
import io.holdfast.testkit.simulation.invariant.AnswersStay;
import io.holdfast.testkit.simulation.invariant.EveryoneIsAnswered;
import io.holdfast.testkit.simulation.invariant.MovedOncePerOperation;
import io.holdfast.testkit.simulation.invariant.MovedOncePerOperation.Movement;
import io.holdfast.testkit.simulation.invariant.NothingPendingForever;
import io.holdfast.testkit.simulation.invariant.OnlyRises;
import io.holdfast.testkit.simulation.invariant.TerminalStays;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * A day of selling: few pools and two sales, many orders, and pools that are adjusted, paused and closed meanwhile. All machines run on a fleet of
 * three nodes over the stores of this world, and everything that can go wrong between them does.
 */
public final class SaleDay implements AutoCloseable {

    private static final Duration REST = Duration.ofMinutes(90);

    private static final Duration CLOCK_ERROR = Duration.ofMinutes(10);
    /** By then every pool is there, where it is made before anything goes wrong. */
    private static final Duration OPENED = Duration.ofSeconds(1);

    private static final Duration PATIENCE = Duration.ofMillis(1_500);
    private static final Duration PARKED = Duration.ofSeconds(20);
    private static final int NODES = 3;
    private static final double FAULT = 0.03;
    private static final List<String> POOLS =
            List.of("m-1:soup:2026-03-01", "m-1:bread:2026-03-01", "m-2:soup:2026-03-01");
    private static final List<String> SALES = List.of("summer:phone", "summer:case");
    /** On one day in four, in each weather, the stock of this one lies in so many buckets. */
    private static final PoolId SPLIT = PoolId.parse(SALES.getLast());

    private static final Buckets BUCKETS = new Buckets(3, 0);
    private static final List<String> ALL =
            Stream.concat(POOLS.stream(), SALES.stream()).toList();
    private static final SaleKeys KEYS = new SaleKeys(Map.of(1, new byte[] {1}));

    private final Weather weather;
    private final Pace pace;
    private final Simulation simulation;
    private final World world;
    private final SimulatedRedis redis;
    private final StockScripts scripts;
    private final Broker broker;
    private final ModelBooks books;
    private final Till till = new Till();
    private final SimulatedView view;
    private final SimulatedEntities<Reservation, ReservationCommand, ReservationEvent, ReservationEffect> reservations;
    private final SimulatedEntities<StockPool, StockPoolCommand, StockPoolEvent, StockPoolEffect> pools;
    private final SimulatedEntities<Compensation, CompensationCommand, CompensationEvent, CompensationEffect>
            compensations;
    private final SimulatedEntities<Order, OrderCommand, OrderEvent, OrderEffect> orders;
    private final Client<Reservation, ReservationCommand> buyers;
    private final Client<Reservation, ReservationCommand> operators;
    private final Client<StockPool, StockPoolCommand> stockKeeper;
    private final Client<Order, OrderCommand> customers;
    private final Client<Compensation, CompensationCommand> supervised;
    private final Gate gate;
    private final SaleBuyers saleBuyers;
    private final OrderNews news;
    private final Mistaken mistaken;
    private final Orders external;
    private final Optional<EndingDay> ending;
    /** Where a cancelled order that comes back holds its units. */
    private final EntityHolds.Places places;

    /** Pools of the sale that is split; empty on a day without one. */
    private final List<PoolId> buckets;

    private final List<Movement> moved = new ArrayList<>();
    private final Map<String, Long> highestTotal = new HashMap<>();

    /** The day of a seed, in its own weather. */
    public SaleDay(long seed) {
        this(seed, Weather.of(seed), Twist.NONE, Coverage.none(), Decisions.all());
    }

    /**
     * A day.
     *
     * @param weather what Redis goes through
     * @param twist what is done otherwise in this world
     * @param coverage notes what the machines are asked
     * @param decisions which of its faults strike and which of its deeds are done
     */
    public SaleDay(long seed, Weather weather, Twist twist, Coverage coverage, Decisions decisions) {
        this.weather = weather;
        simulation = Simulation.of(seed, Storm.all(), decisions);
        world = simulation.world();
        // One day in four, in each weather, for what else goes through bytes.
        if (Math.floorMod(seed + seed / Weather.values().length, 4) != 0) {
            simulation.fleet().handsOver();
        }
        pace = Pace.of(world.chance());
        long kind = Math.floorMod(seed / Weather.values().length, 4L);
        // One day in four, in each weather, with a pool whose day ends.
        boolean ends = kind == 1;
        buckets = kind == 3 ? BUCKETS.pools(SPLIT) : List.of();
        redis = new SimulatedRedis(
                world,
                Faults.all(world, FAULT),
                Stream.of(
                                ALL.stream(),
                                buckets.stream().skip(1).map(PoolId::value),
                                ends ? Stream.of(EndingDay.POOL.value()) : Stream.<String>empty())
                        .flatMap(pools -> pools)
                        .toList(),
                twist::script);
        scripts = twist.scripts(this, redis.scripts());
        broker = new Broker(world, FAULT, twist.commitsBeforeHandling());
        books = new ModelBooks(world.timeline()::now);
        view = new SimulatedView(world);
        Faults faults = Faults.all(world, FAULT);
        InstantSource clock = world.timeline()::now;
        EffectPolicies policies = policies();

        pools = host(
                coverage,
                new StockPoolSamples(),
                StockPoolEntities.definition(
                        policies,
                        scripts,
                        new FinalSaleStock(faults.around(FinalStock.class, books)),
                        twist.siblings(this, this::ofTheSale),
                        twist.shown(this, view),
                        twist.notice(this, view),
                        this::opening,
                        new HandOver(scripts, KEYS, this::adopt, clock),
                        view,
                        clock,
                        Duration.ofDays(1),
                        view::pause,
                        () -> world.chance().between(1, 1_000_000_000)),
                performer -> twist.pools(this, performer));

        List<PoolDirectory> directories = new ArrayList<>();
        for (int node = 0; node < NODES; node++) {
            directories.add(new EntityPoolDirectory(
                    pools,
                    () -> Duration.between(World.START, world.timeline().now()).toNanos(),
                    () -> world.chance().id("suspicion")));
        }
        boolean secondPerson = world.chance().strikes(0.3);
        var desks = directories.stream()
                .map(directory -> CompensationEntities.definition(
                        new CompensationPolicies(policies.script(), secondPerson),
                        new CompensationScripts(scripts, directory, clock),
                        this::owing))
                .toList();
        compensations = host(
                coverage,
                new CompensationSamples(),
                performedBy(onSomeNode(desks), desks.getFirst()),
                performer -> twist.compensations(this, performer));

        OrderPolicies waits = OrderPolicies.standard();
        LatePayment latePayment = world.chance().strikes(0.5) ? LatePayment.REACQUIRE : LatePayment.REFUND;
        orders = host(
                coverage,
                new OrderSamples(),
                OrderEntities.definition(
                        new OrderPolicies(waits.transaction(), waits.provider(), pace.late(), pace.late(), latePayment),
                        faults.around(OrderBooks.class, twist.books(this, books)),
                        faults.around(PaymentProvider.class, twist.provider(this, till)),
                        broker,
                        this::holdAgain),
                performer -> performer);

        OrderDirectory told = twist.directory(this, this::publishAgain);
        var onEachNode = directories.stream()
                .map(directory -> ReservationEntities.definition(
                        policies,
                        scripts,
                        directory,
                        compensations(seed, directory, clock),
                        told,
                        twist.requests(this, new PublishedOrderRequests(broker)),
                        this::callIn,
                        clock))
                .toList();
        reservations = host(
                coverage,
                new ReservationSamples(),
                performedBy(onSomeNode(onEachNode), onEachNode.getFirst()),
                performer -> twist.reservations(this, performer));

        view.follow(reservations, twist.followsByNumberAlone());
        news = new OrderNews(world, broker, orders, twist.followsByNumberAlone());
        news.follow();
        broker.consume(this::handler);

        buyers = new Client<>(world, reservations);
        stockKeeper = new Client<>(world, pools);
        // A person who is told that there is nothing to freeze or to lift does not ask until there is; nor does a
        // customer.
        operators = new Client<>(world, reservations, _ -> true);
        customers = new Client<>(world, orders, _ -> true);
        supervised = new Client<>(world, compensations, _ -> true);
        saleBuyers = new SaleBuyers(world, pace.late(), customers, orders, till);
        places = buckets.isEmpty()
                ? (first, _, _) -> CompletableFuture.completedFuture(Outcome.known(first))
                : new HoldPlaces(directories.getFirst(), KEYS, moves(directories.getFirst()))::of;
        boolean adopted = world.chance().strikes(0.5);
        gate = new Gate(
                world,
                directories.stream()
                        .map(directory -> desk(directory, clock, adopted))
                        .toList(),
                directories.getFirst(),
                new HandOver(scripts, KEYS, this::adopt, clock),
                SALES.stream().map(PoolId::parse).toList(),
                Stream.concat(SALES.stream().map(PoolId::parse), buckets.stream())
                        .distinct()
                        .toList(),
                saleBuyers::admitted);

        mistaken = new Mistaken(world, reservations, orders);
        external = new Orders(world, pace, buyers, operators, reservations);
        ending = ends
                ? Optional.of(new EndingDay(simulation, pace, redis, buyers, stockKeeper, pools))
                : Optional.empty();
        begins();
        claims(latePayment);
        weather.over(this, pace.weather());
        twist.happens(this);
    }

    /** The order domain is asked sooner than anybody would in earnest, so that a day comes to rest. */
    private EffectPolicies policies() {
        EffectPolicies standard = EffectPolicies.standard();
        InquiryPolicy inquiry = standard.inquiry();
        return standard.inquiring(new InquiryPolicy(
                inquiry.retry(),
                new Backoff(pace.late().dividedBy(3), pace.late().multipliedBy(2), 2, 0),
                inquiry.most()));
    }

    private AdmissionDesk desk(PoolDirectory directory, InstantSource clock, boolean adopted) {
        return new AdmissionDesk(
                directory,
                KEYS,
                scripts,
                new HandOver(scripts, KEYS, this::adoptUnlessItsNodeDies, clock),
                GatePressure.none(),
                new AdmissionSettings(
                        world.chance()
                                .between(Duration.ofSeconds(5), pace.late().multipliedBy(2)),
                        Duration.ofSeconds(3),
                        adopted ? AdmissionSettings.AnswerAfter.ADOPT : AdmissionSettings.AnswerAfter.ADMIT,
                        Duration.ofSeconds(1),
                        50,
                        Duration.ofSeconds(2)),
                AdmissionListener.none(),
                clock,
                () -> Duration.between(World.START, world.timeline().now()).toNanos(),
                moves(directory));
    }

    private SaleBuckets moves(PoolDirectory directory) {
        return new SaleBuckets(
                scripts, pools, directory, view::pause, () -> world.chance().id("move"), MoveListener.none());
    }

    private CompletionStage<Outcome<Verdict>> ofTheSale(PoolId pool, PoolOperation operation, Duration patience) {
        return new EntitySiblingPools(pools).operate(pool, operation, patience);
    }

    private void begins() {
        // An Init that comes late to a Redis that has gone back since would create its pool once more.
        if (weather.goesBack() || world.chance().strikes(0.5)) {
            world.mishaps().hold();
            world.timeline().after(OPENED, "", world.mishaps()::go);
        }
        Instant opens = World.START.plusSeconds(world.chance().between(0, 5));
        Instant closes = world.chance().strikes(0.3)
                ? opens.plus(pace.storm().dividedBy(2)).truncatedTo(ChronoUnit.MILLIS)
                : opens.plus(Duration.ofHours(5));
        POOLS.forEach(id -> atOnce(() -> opens(id, Optional.empty())));
        ending.ifPresent(day -> {
            atOnce(() -> opens(EndingDay.POOL.value(), Optional.empty()));
            day.begin();
        });
        SALES.forEach(id -> atOnce(() -> opens(
                id,
                Optional.of(new Sale(
                        world.chance().between(2, 4),
                        opens,
                        closes,
                        1,
                        buckets.contains(PoolId.parse(id)) ? Optional.of(BUCKETS) : Optional.empty())))));
        simulation.nowAndThen(pace.order(), "somebody orders", this::somebodyOrders);
        simulation.nowAndThen(
                pace.group(),
                "somebody orders several lines",
                () -> external.somebodyOrdersTogether(
                        POOLS.stream().map(PoolId::parse).toList()));
        simulation.nowAndThen(pace.wish(), "somebody wants something of a sale", gate::somebodyWants);
        simulation.nowAndThen(pace.change(), "somebody changes a pool", this::somebodyChangesAPool);
        simulation.nowAndThen(
                pace.trouble(), "a node dies", () -> simulation.fleet().crashANode());
        simulation.nowAndThen(
                pace.trouble(), "a clock jumps", () -> simulation.fleet().jumpAClock(CLOCK_ERROR));
        simulation.nowAndThen(pace.trouble(), "a rebalance", this::aRebalance);
        simulation.nowAndThen(pace.trouble(), "another publisher", news::takeOver);
        Supervisors supervisors = new Supervisors(world, supervised, compensations);
        simulation.nowAndThen(pace.change(), "a supervisor meddles", supervisors::meddle);
    }

    /** In an event of its own. */
    private void atOnce(Runnable run) {
        world.timeline().after(Duration.ZERO, "", run);
    }

    private void opens(String pool, Optional<Sale> sale) {
        operate(
                pool,
                new Init(
                        "init-" + pool.replace(':', '-'),
                        total(pool, world.chance().between(5, 15)),
                        Optional.empty(),
                        sale));
    }

    private void claims(LatePayment latePayment) {
        simulation.always(
                new BooksBalance(redis),
                new NeverOversold(reservations, this::saleOf, highestTotal),
                new GroupsAreWhole(reservations),
                new MovedOncePerOperation(redis::movements),
                new OnlyRises("version", redis::versions),
                new TerminalStays<>(reservations, SaleDay::ended),
                // One that has ended and owes money still may be marked by what contradicts itself.
                new TerminalStays<>(orders, order -> orderEnded(order, latePayment), Order::unmarked),
                new FencesNeverContradict(reservations, redis::losses),
                new MovedOncePerOperation(this::moved),
                new MovedOncePerOperation(till::movements));
        SALES.stream()
                .map(PoolId::parse)
                .forEach(sale -> simulation.always(new FinalStockIsKept(books, sale.merchant(), sale.dish())));
        simulation.eventually(
                new NothingPendingForever<>(pools, _ -> false),
                new NothingPendingForever<>(reservations, _ -> false),
                new NothingPendingForever<>(compensations, _ -> false),
                new NothingPendingForever<>(orders, _ -> false),
                new EveryoneIsAnswered(stockKeeper),
                new EveryoneIsAnswered(buyers),
                new EveryoneIsAnswered(operators),
                new EveryoneIsAnswered(customers),
                new EveryoneIsAnswered(supervised),
                new EveryHoldEnds(reservations, _ -> false),
                this::nothingIsUnderWay);
        JournalAgreesWithRedis agreement = new JournalAgreesWithRedis(reservations, pools, redis);
        if (weather.forgets()) {
            simulation.eventually(new ServesOnlyWhatAgrees(pools, redis, agreement));
        } else {
            simulation.atRest(agreement);
        }
        simulation.atRest(
                new AnswersStay<>(reservations, buyers, SaleDay::courseOfAReservation),
                new AnswersStay<>(pools, stockKeeper, (_, _, _) -> false),
                new NothingAdmittedIsLost(gate::told, redis::losses, reservations),
                new OrdersAreAskedForOnce(broker),
                new ArchivedBooksAreClosed(reservations, pools),
                new UnitsAreSomewhere(pools, buckets),
                new PaymentsAreWhereTheyBelong(books, till),
                new OrdersAgreeWithBooks(orders, books),
                new OrdersAgreeWithReservations(orders, reservations, pool -> SALES.contains(saleOf(pool))));
    }

    private List<Movement> moved() {
        books.movedSince(moved.size()).forEach(move -> moved.add(new Movement(move.operationId(), move.what())));
        return moved;
    }

    /** What was sent was read, what was planned was done, and whoever asked a gate has an answer. */
    private void nothingIsUnderWay() {
        if (!broker.isRead()
                || !news.isPublished()
                || saleBuyers.planned() > 0
                || gate.asking() > 0
                || redis.listed() > 0
                || marked() > 0
                || ending.filter(day -> !day.isOver()).isPresent()) {
            throw new AssertionError("NothingIsUnderWay: " + (broker.isRead() ? "" : "records are not read; ")
                    + (news.isPublished() ? "" : "news is not published; ")
                    + saleBuyers.planned() + " things are still to be done; " + gate.asking() + " wait at the gate; "
                    + redis.listed()
                    + " holds are listed; "
                    + marked() + " orders and holds are under review; "
                    + (ending.filter(day -> !day.isOver()).isPresent() ? "a day has not ended" : ""));
        }
    }

    private long marked() {
        return orders.entityIds().stream()
                        .filter(id -> orders.journaled(id).state() instanceof Order.UnderReview)
                        .count()
                + reservations.entityIds().stream()
                        .filter(id -> reservations.journaled(id).state() instanceof Reservation.UnderReview)
                        .count();
    }

    /** Every second day each compensation has a journal of its own; on the others only what is contradicted has. */
    private Compensations compensations(long seed, PoolDirectory directory, InstantSource clock) {
        Compensations journaled = new EntityCompensations(compensations, directory, PATIENCE);
        return Math.floorMod(seed / Weather.values().length, 2) == 0
                ? journaled
                : new DirectCompensations(new CompensationScripts(scripts, directory, clock), journaled);
    }

    private <S, C, E, X extends Effect> SimulatedEntities<S, C, E, X> host(
            Coverage coverage,
            MachineSamples<S, C, E, X> samples,
            MachineDefinition<S, C, E, X> definition,
            UnaryOperator<EffectPerformer<X, C>> around) {
        return simulation
                .fleet()
                .host(new MachineDefinition<>(
                        coverage.watched(definition.machine(), samples),
                        around.apply(definition.performer()),
                        definition.journal(),
                        definition.states(),
                        definition.commands(),
                        definition.refusals()));
    }

    /** A consumer of the topics, on some node. */
    private Broker.Handler handler() {
        var persistence = new Persistence(
                new Backoff(Duration.ofMillis(50), Duration.ofSeconds(5), 2, 0.2),
                world.chance()::fraction,
                view::pause,
                new NoListener());
        var handling = new EventHandling(
                reservations,
                Optional.of(new OrderIntake(orders, 10, Duration.ofSeconds(3))),
                order -> {
                    throw new AssertionError("every event here names its reservations: " + order);
                },
                view,
                (event, _, reason) -> {
                    world.timeline().note("parked: " + event + " for " + reason);
                    world.timeline().after(PARKED, "", () -> broker.again(event));
                    return CompletableFuture.completedFuture(Outcome.known(false));
                },
                new Permits(10),
                persistence,
                new NoListener());
        return new Broker.Handler(handling, persistence);
    }

    private CompletionStage<Outcome<Owing.Standing>> owing(Content content, Asked asked) {
        return new EntityOwing(reservations).standing(content, asked);
    }

    private CompletionStage<Outcome<Boolean>> opening(PoolId pool, long number, String attempt) {
        return new EntityOpeningNotice(pools).tell(pool, number, attempt);
    }

    private CompletionStage<Outcome<Reservation>> adopt(Adopt adopt) {
        return new EntityAdoptions(reservations).adopt(adopt);
    }

    /** A node that dies right after it has let somebody in tells nobody; whoever looks at the list does. */
    private CompletionStage<Outcome<Reservation>> adoptUnlessItsNodeDies(Adopt adopt) {
        return world.mishaps().strike("AdmittingNodeDies", 0.1)
                ? CompletableFuture.completedFuture(Outcome.unknown("the node has died"))
                : adopt(adopt);
    }

    private CompletionStage<Outcome<OrderAnswer>> publishAgain(AskOrder question) {
        return new EntityOrderDirectory(reservations::look, orders, broker, OrderDirectory.none())
                .publishAgain(question);
    }

    private CompletionStage<Outcome<OrderCommand.HoldAnswer>> holdAgain(
            OrderCreateRequested request, String paymentId) {
        return new EntityHolds(reservations, places, pace.late().multipliedBy(2), world.timeline()::now)
                .hold(request, paymentId);
    }

    private CompletionStage<Outcome<Reservation>> callIn(
            Group group, GroupLine line, Instant attentionAt, Optional<Epochs> epochs, Duration patience) {
        return new EntityGroupCall(reservations).ask(group, line, attentionAt, epochs, patience);
    }

    /** Somebody has a pool loaded anew, though nothing is wrong with it. */
    public void somebodyRebuildsAPool() {
        tell(world.chance().pick(ALL), new StockPoolCommand.Rebuild());
    }

    /** Somebody lowers a pool's total to almost nothing. */
    public void somebodyLowersAPool() {
        operate(world.chance().pick(ALL), new Adjust(world.chance().id("low"), 1, OptionalLong.empty()));
    }

    /** The fence of a hold vanishes, and nobody notices before its order is decided. */
    public void aHoldVanishesUnseen() {
        vanishes(reservations.entityIds().stream()
                .map(id -> reservations.journaled(id).state())
                .filter(state -> state instanceof Reservation.Reserved)
                .toList());
    }

    /** A fence of a hold or a sale vanishes from a pool that serves, and whoever compares finds it, or its order does. */
    void aFenceVanishesUnseen() {
        vanishes(served());
    }

    /** A fence of a hold or a sale vanishes from a pool that serves, and somebody notices. */
    void aFenceVanishes() {
        vanishes(served()).ifPresent(pool -> {
            // Told once, it may be told to a copy of the pool that does not know yet that it is none any more.
            for (Duration later : List.of(Duration.ZERO, Duration.ofSeconds(40), Duration.ofSeconds(90))) {
                world.timeline().after(later, "", () -> tell(pool, new StockPoolCommand.Suspect("a fence vanished")));
            }
        });
    }

    private List<Reservation> served() {
        return reservations.entityIds().stream()
                .map(id -> reservations.journaled(id).state())
                .filter(state -> state instanceof Reservation.Reserved || state instanceof Reservation.Confirmed)
                .filter(state ->
                        pools.journaled(state.asked().orElseThrow().pool().value())
                                        .state()
                                instanceof StockPool.Trusted)
                .toList();
    }

    /** The pool that one of them vanished from. */
    private Optional<String> vanishes(List<Reservation> live) {
        if (live.isEmpty()) {
            return Optional.empty();
        }
        Reservation unlucky = world.chance().pick(live);
        String pool = unlucky.asked().orElseThrow().pool().value();
        world.timeline().note("the fence of " + unlucky.id() + " vanishes");
        redis.forgetFence(pool, unlucky.id());
        return Optional.of(pool);
    }

    /** Somebody compares journals and Redis for as long as the day lasts, and has put right what may be. */
    void reconciles() {
        new Reconciling(world, redis, reservations, pools).begin();
    }

    private void tell(String pool, StockPoolCommand command) {
        String key = world.chance().id("told");
        stockKeeper.ask(
                pool, new Cause(key, "hash of " + command, Cause.Kind.OPERATOR, "operator", Optional.empty()), command);
    }

    /** Runs the day, for as long as its seed says. */
    public Map<String, Integer> run() {
        return run(pace.storm(), REST);
    }

    /** Runs a day of another length. */
    public Map<String, Integer> run(Duration storm, Duration rest) {
        try (this) {
            return simulation.run(storm, rest);
        }
    }

    @Override
    public void close() {
        redis.close();
    }

    /** The run. */
    public Simulation simulation() {
        return simulation;
    }

    /** Randomness, time and faults. */
    public World world() {
        return world;
    }

    /** Somebody orders something, and everything that will happen to the order is planned. */
    public void somebodyOrders() {
        external.somebodyOrders(PoolId.parse(world.chance().pick(POOLS)));
    }

    /** A partition moves to another consumer. */
    public void aRebalance() {
        broker.rebalance(this::handler);
    }

    /** Redis. */
    public SimulatedRedis redis() {
        return redis;
    }

    /** The stock scripts, as the fleet reaches them. */
    public StockScripts scripts() {
        return scripts;
    }

    /** The books of orders. */
    public ModelBooks books() {
        return books;
    }

    /** The payment provider. */
    public Till till() {
        return till;
    }

    /** Reservations. */
    public SimulatedEntities<Reservation, ReservationCommand, ReservationEvent, ReservationEffect> reservations() {
        return reservations;
    }

    /** Pools. */
    public SimulatedEntities<StockPool, StockPoolCommand, StockPoolEvent, StockPoolEffect> pools() {
        return pools;
    }

    /** Orders. */
    public SimulatedEntities<Order, OrderCommand, OrderEvent, OrderEffect> orders() {
        return orders;
    }

    private <S, C, E, X extends Effect> EffectPerformer<X, C> onSomeNode(List<MachineDefinition<S, C, E, X>> nodes) {
        return (id, effect) -> world.chance().pick(nodes).performer().perform(id, effect);
    }

    private static <S, C, E, X extends Effect> MachineDefinition<S, C, E, X> performedBy(
            EffectPerformer<X, C> performer, MachineDefinition<S, C, E, X> like) {
        return new MachineDefinition<>(
                like.machine(), performer, like.journal(), like.states(), like.commands(), like.refusals());
    }

    private void somebodyChangesAPool() {
        String pool = world.chance().pick(ALL);
        String id = world.chance().id("change");
        switch (world.chance().between(1, 17)) {
            case 1, 2, 3 ->
                operate(pool, new Adjust(id, total(pool, world.chance().between(1, 20)), OptionalLong.empty()));
            case 4 ->
                operate(
                        pool,
                        new Adjust(
                                id,
                                total(pool, 10),
                                OptionalLong.of(world.chance().between(1, 3))));
            case 5, 6, 7, 8 -> {
                operate(pool, new Pause("pause-" + id));
                // Not to be left undone: a pool that stays paused turns everybody away for ever.
                world.timeline()
                        .after(
                                world.chance().between(Duration.ofMillis(100), Duration.ofSeconds(30)),
                                "",
                                () -> operate(pool, new Resume("resume-" + id)));
            }
            case 9 -> operate(pool, new Close(id));
            case 10 -> mention(pool, new StockPoolCommand.Verify());
            case 11 -> mention(pool, new StockPoolCommand.Suspect("somebody doubts it"));
            case 12 -> mention(pool, new PoolOperation.Archive(id));
            case 13 ->
                mention(
                        pool,
                        new Init(id, total(pool, world.chance().between(5, 15)), Optional.empty(), Optional.empty()));
            case 14 -> contradict(pool, new Close("other-" + id));
            case 15, 16 -> mistaken.somebodyIs();
            default -> operate(pool, new Resume(id));
        }
    }

    /** Somebody uses an id once more, for something else. */
    private void contradict(String pool, StockPoolCommand command) {
        String key = "init-" + pool.replace(':', '-');
        pools.ask(
                        pool,
                        new Cause(key, "hash of " + command, Cause.Kind.REQUEST, "stock-keeper", Optional.empty()),
                        command,
                        Duration.ZERO)
                .thenAccept(outcome -> world.timeline().note("contradict " + command + ": " + outcome));
    }

    /** Told once, by somebody who does not wait for what comes of it. */
    private void mention(String pool, StockPoolCommand command) {
        String key = world.chance().id("mention");
        var cause = new Cause(key, "hash of " + command, Cause.Kind.OPERATOR, "operator", Optional.empty());
        pools.ask(pool, cause, command, Duration.ZERO)
                .thenAccept(outcome -> world.timeline().note("mention " + command + ": " + outcome));
    }

    private void operate(String pool, PoolOperation operation) {
        String key = operation.operationId();
        stockKeeper.ask(
                pool,
                new Cause(key, "hash of " + operation, Cause.Kind.REQUEST, "stock-keeper", Optional.empty()),
                operation);
    }

    /** Whose total a pool's units are counted against: of a bucket that of its sale, between whose buckets units move. */
    private String saleOf(String pool) {
        return buckets.stream().anyMatch(bucket -> bucket.value().equals(pool)) ? SPLIT.value() : pool;
    }

    /** Notes a total before it is asked for, so that a claim about the highest one allows it from then on. */
    private long total(String pool, long units) {
        highestTotal.merge(pool, units, Math::max);
        return units;
    }

    private static boolean ended(Reservation state) {
        return state instanceof Reservation.Canceled
                || state instanceof Reservation.Refunded
                || state instanceof Reservation.Rejected;
    }

    /** A hold that was granted may have been given back since; then it is never called granted any more. */
    private static boolean courseOfAReservation(Verdict told, Verdict now, Reservation state) {
        return told instanceof Verdict.Done
                && now instanceof Verdict.Refused(ReservationRefusal reason)
                && (reason == ReservationRefusal.WAS_CANCELED || reason == ReservationRefusal.WAS_REFUNDED);
    }

    /** One that was cancelled may come back for a late payment, where that is the policy. */
    private static boolean orderEnded(Order state, LatePayment latePayment) {
        return state instanceof Order.Cancelled && latePayment == LatePayment.REFUND
                || state instanceof Order.Rejected
                || state instanceof Order.Refunded;
    }
}
