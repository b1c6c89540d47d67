package io.holdfast.node;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.compensation.domain.Asked;
import io.holdfast.compensation.domain.Compensation;
import io.holdfast.compensation.domain.CompensationCommand;
import io.holdfast.compensation.domain.CompensationMachine;
import io.holdfast.compensation.domain.CompensationSamples;
import io.holdfast.compensation.domain.Content;
import io.holdfast.compensation.entity.CompensationEntities;
import io.holdfast.compensation.entity.CompensationScripts;
import io.holdfast.compensation.entity.DirectCompensations;
import io.holdfast.compensation.entity.EntityCompensations;
import io.holdfast.compensation.entity.EntityOwing;
import io.holdfast.compensation.port.Owing;
import io.holdfast.compensation.view.CompensationQueries;
import io.holdfast.compensation.view.CompensationViewProjection;
import io.holdfast.config.JournalSection;
import io.holdfast.config.OrdersSection;
import io.holdfast.config.ReservationSection;
import io.holdfast.config.Settings;
import io.holdfast.engine.audit.Auditor;
import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.fleet.OneInFleet;
import io.holdfast.engine.journal.JournalCodec;
import io.holdfast.engine.journal.JsonCodec;
import io.holdfast.engine.journal.jdbc.GroupCommit;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.machine.Matrix;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.engine.projection.OwedProjection;
import io.holdfast.engine.projection.ProgressWatch;
import io.holdfast.engine.projection.Projection;
import io.holdfast.engine.runtime.Entities;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.engine.runtime.ShardedEntities;
import io.holdfast.http.metrics.HttpMetrics;
import io.holdfast.http.route.CompensationParts;
import io.holdfast.http.route.HoldfastRoutes;
import io.holdfast.http.route.HttpParts;
import io.holdfast.http.route.ScriptPoolNumbers;
import io.holdfast.lua.redis.RedisStockScripts;
import io.holdfast.order.domain.OrderCommand;
import io.holdfast.order.domain.OrderCommand.HoldAnswer;
import io.holdfast.order.domain.OrderMachine;
import io.holdfast.order.domain.OrderSamples;
import io.holdfast.order.entity.EntityHolds;
import io.holdfast.order.entity.EntityOrderDirectory;
import io.holdfast.order.view.OrderReviewProjection;
import io.holdfast.reconciliation.systems.EntitySystemCommands;
import io.holdfast.reconciliation.systems.SystemsQueries;
import io.holdfast.reservation.day.BaselinePools;
import io.holdfast.reservation.day.BaselineTable;
import io.holdfast.reservation.day.DayWork;
import io.holdfast.reservation.day.MerchantCalendars;
import io.holdfast.reservation.day.StoredBaselines;
import io.holdfast.reservation.domain.Epochs;
import io.holdfast.reservation.domain.Group;
import io.holdfast.reservation.domain.GroupLine;
import io.holdfast.reservation.domain.OrderCreateRequested;
import io.holdfast.reservation.domain.PoolEpoch;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.PoolOperation;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.domain.ReservationEvent;
import io.holdfast.reservation.domain.ReservationMachine;
import io.holdfast.reservation.domain.ReservationSamples;
import io.holdfast.reservation.domain.SaleKeys;
import io.holdfast.reservation.domain.SharedTags;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.domain.StockPoolCommand;
import io.holdfast.reservation.domain.StockPoolEvent;
import io.holdfast.reservation.domain.StockPoolMachine;
import io.holdfast.reservation.domain.StockPoolSamples;
import io.holdfast.reservation.entity.AdmissionDesk;
import io.holdfast.reservation.entity.EntityAdoptions;
import io.holdfast.reservation.entity.EntityGroupCall;
import io.holdfast.reservation.entity.EntityOpeningNotice;
import io.holdfast.reservation.entity.EntityPoolDirectory;
import io.holdfast.reservation.entity.EntityPoolTags;
import io.holdfast.reservation.entity.EntitySiblingPools;
import io.holdfast.reservation.entity.EntityVerificationNotice;
import io.holdfast.reservation.entity.GroupDesk;
import io.holdfast.reservation.entity.HandOver;
import io.holdfast.reservation.entity.HoldDesk;
import io.holdfast.reservation.entity.HoldPlaces;
import io.holdfast.reservation.entity.ReservationEntities;
import io.holdfast.reservation.entity.SaleBuckets;
import io.holdfast.reservation.entity.StockPoolEntities;
import io.holdfast.reservation.entity.TaggedPools;
import io.holdfast.reservation.orders.HttpOrderDirectory;
import io.holdfast.reservation.orders.OrderUrl;
import io.holdfast.reservation.port.Compensations;
import io.holdfast.reservation.port.OrderDirectory;
import io.holdfast.reservation.port.Pause;
import io.holdfast.reservation.port.SaleStock;
import io.holdfast.reservation.port.VerificationNotice;
import io.holdfast.reservation.view.PoolViewProjection;
import io.holdfast.reservation.view.ReservationQueries;
import io.holdfast.reservation.view.ReservationViewProjection;
import io.holdfast.reservation.view.ViewPoolReservations;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.net.URI;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** Wires the parts of a node on its cluster member, in the order in which they need each other. */
final class Assembly {

    private static final Duration NUMBERS_WITHIN = Duration.ofSeconds(1);
    private static final Duration VIEW_ASKED_EVERY = Duration.ofMillis(20);
    private static final Duration ZONES_ASKED_EVERY = Duration.ofSeconds(1);

    private final Settings settings;
    private final ClusterMember member;
    private final Closing closing;
    private final InstantSource clock;

    private final PrometheusMeterRegistry registry;
    private final HikariDataSource views;
    private final ReservationQueries queries;
    private final RedisStockScripts scripts;
    private final ShardedEntities<StockPool, StockPoolCommand> pools;
    /** The same for whoever may create one. */
    private final TaggedPools creating;

    private final ShardedEntities<Reservation, ReservationCommand> reservations;
    private final ShardedEntities<Compensation, CompensationCommand> compensations;
    private final EntityPoolDirectory directory;
    private final SaleBuckets buckets;
    private final HoldPlaces places;
    private final MerchantCalendars calendars;
    private final StoredBaselines baselines;
    private final HoldDesk desk;
    private final GroupDesk groups;
    private final Optional<OrderService> orders;
    private final Optional<Messaging> messaging;
    private final ReadSide readSide;
    private final Reconciliation reconciliation;
    private final Gate gate;

    Assembly(
            Settings settings,
            ClusterMember member,
            StoreClients stores,
            SaleKeys keys,
            PrometheusMeterRegistry registry,
            InstantSource wall,
            Closing closing) {
        this.settings = settings;
        // In microseconds, like every time that is kept.
        this.clock = () -> wall.instant().truncatedTo(ChronoUnit.MICROS);
        this.member = member;
        this.closing = closing;
        this.registry = registry;
        this.views = stores.views();
        this.queries = new ReservationQueries(views);
        this.scripts = stores.scripts();
        var policies = Parts.policies(settings);
        var engine = Parts.engine(settings);
        var listener = new EntityMetrics(registry, Audits.machines());
        if (settings.postgres().journal().dao() == JournalSection.Dao.GROUP_COMMIT) {
            JournalMetrics.of(GroupCommit.of(member.system()), registry);
        }
        var handOver = new HandOver(scripts, keys, this::adopt, clock);
        this.pools = ShardedEntities.start(
                member.system(),
                StockPoolEntities.definition(
                        policies,
                        scripts,
                        stores.orders().<SaleStock>map(OrderClients::sales).orElseGet(SaleStock::none),
                        this::ofTheSale,
                        new ViewPoolReservations(queries, stores.blocking()),
                        notice(),
                        this::opening,
                        handOver,
                        ProgressWatch.ofMachine(
                                ReservationViewProjection.NAME, ReservationMachine.NAME, views, VIEW_ASKED_EVERY),
                        clock,
                        settings.days().keepArchived()),
                engine,
                listener,
                clock);
        var tags = new EntityPoolTags(pools);
        stores.tags().are(tags);
        this.creating =
                new TaggedPools(pools, new SharedTags(settings.reservation().sharedTagMerchants()));
        this.directory = new EntityPoolDirectory(
                pools, System::nanoTime, () -> UUID.randomUUID().toString());
        this.buckets = new SaleBuckets(
                scripts, pools, directory, Pause.real(), () -> UUID.randomUUID().toString(), new MoveMetrics(registry));
        this.places = new HoldPlaces(directory, keys, buckets);
        var giveBack = new CompensationScripts(scripts, directory, clock, new CompensationMetrics(registry));
        this.compensations = ShardedEntities.start(
                member.system(),
                CompensationEntities.definition(Parts.compensations(settings), giveBack, this::owing),
                engine,
                listener,
                clock);
        this.orders = stores.orders()
                .map(clients ->
                        OrderService.start(settings, clients, member, listener, registry, this::heldAgain, clock));
        var requests = new LateOrderRequests();
        this.reservations = ShardedEntities.start(
                member.system(),
                ReservationEntities.definition(
                        policies,
                        scripts,
                        directory,
                        compensations(giveBack),
                        orders.<OrderDirectory>map(service -> new EntityOrderDirectory(
                                        this::look, service.orders(), service.lag(), askedOrders()))
                                .orElseGet(this::askedOrders),
                        requests,
                        this::callIn,
                        clock),
                engine,
                listener,
                clock);
        var table = new BaselineTable(views);
        this.calendars = calendars(table);
        this.baselines = new StoredBaselines(table, calendars, clock);
        var dayPools = new BaselinePools(
                table,
                calendars,
                creating,
                clock,
                System::nanoTime,
                stores.blocking(),
                settings.http().patience().usual());
        this.desk = new HoldDesk(
                reservations,
                directory,
                dayPools,
                HoldDesk.Redis.of(scripts),
                clock,
                settings.reservation().reopenOver());
        this.groups = new GroupDesk(
                reservations,
                directory,
                tags,
                dayPools,
                clock,
                settings.reservation().reopenOver());
        this.messaging = KafkaLink.settings(settings)
                .map(kafka -> Messaging.prepare(settings, kafka, views, registry, clock, closing));
        messaging.ifPresent(kafka -> {
            requests.are(kafka.orderRequests());
            orders.map(OrderService::lag).ifPresent(kafka::show);
        });
        List<Projection> projections = new ArrayList<>(List.of(
                new OwedProjection(),
                new ReservationViewProjection(),
                new PoolViewProjection(),
                new CompensationViewProjection(),
                Calls.projection(settings, views)));
        orders.ifPresent(_ -> projections.add(new OrderReviewProjection()));
        messaging.ifPresent(kafka -> projections.add(kafka.publisher()));
        var scheduler = member.system().scheduler();
        this.readSide = ReadSide.start(
                settings,
                views,
                registry,
                projections,
                this::wake,
                (delay, action) ->
                        scheduler.scheduleOnce(delay, action, member.system().executionContext()),
                closing);
        startDays(table, dayPools);
        closing.add(
                        "the upkeep of the ledger",
                        new LedgerUpkeep(views, clock, settings.projections().ledgerMonthsAhead()))
                .start();
        closing.add(
                        "the gauges of compensations",
                        WaitingGauges.ofCompensations(registry, new CompensationQueries(views)))
                .start();
        closing.add("the gauges of the ledger", LedgerGauges.of(registry, views))
                .start();
        this.reconciliation = Reconciliation.start(
                settings,
                views,
                registry,
                new ProgressWatch(ReservationViewProjection.NAME, views, VIEW_ASKED_EVERY),
                scripts,
                stores.processes(),
                handOver,
                pools,
                new EntitySystemCommands(reservations, this::frozen),
                clock,
                closing);
        this.gate = Gate.start(
                settings,
                views,
                registry,
                scripts,
                keys,
                handOver,
                directory,
                buckets,
                () -> messaging.flatMap(Messaging::brokerTrouble),
                clock,
                closing);
    }

    private CompletionStage<Outcome<HoldAnswer>> heldAgain(OrderCreateRequested request, String paymentId) {
        return new EntityHolds(reservations, places::of, settings.reservation().attentionAfter(), clock)
                .hold(request, paymentId);
    }

    /** Orders of other systems are theirs to stop. */
    private CompletionStage<Outcome<Verdict>> frozen(String orderId, Cause cause, String reason) {
        return orders.map(service -> service.orders()
                        .ask(orderId, cause, new OrderCommand.Freeze(reason), Duration.ZERO)
                        .thenApply(outcome -> outcome.map(Reply::verdict)))
                .orElseGet(() -> CompletableFuture.completedFuture(Outcome.known(Verdict.done())));
    }

    /** Waits until shards and journal answer: for the first seconds of a cluster they do not. */
    void awaitServing() {
        var patience = new StartPatience(settings.postgres().startPatience());
        patience.waitFor("the reservations of this cluster", () -> answered(reservations));
        patience.waitFor("the pools of this cluster", () -> answered(pools));
        patience.waitFor("the compensations of this cluster", () -> answered(compensations));
        orders.ifPresent(service -> patience.waitFor("the orders of this cluster", () -> answered(service.orders())));
    }

    /**
     * Opens the API.
     *
     * @return where it is
     * @throws StartException if the address can't be had
     */
    URI openHttp() {
        var routes = closing.add("the routes", HoldfastRoutes.create(member.system(), Parts.http(settings), parts()));
        URI address = ApiServer.open(settings, member.system(), routes, closing);
        orders.flatMap(service -> service.clients().sandbox())
                .ifPresent(sandbox -> sandbox.noticesTo(address.resolve("/v1/payment-notices")));
        return address;
    }

    LocalDate businessDay(String merchant) {
        return calendars.of(merchant).dayAt(clock.instant());
    }

    HoldDesk desk() {
        return desk;
    }

    AdmissionDesk gate() {
        return gate.desk();
    }

    Entities<Reservation, ReservationCommand> reservations() {
        return reservations;
    }

    Entities<StockPool, StockPoolCommand> pools() {
        return pools;
    }

    private HttpParts parts() {
        var auditor = new Auditor<>(
                new ReservationMachine(Parts.policies(settings)),
                JournalCodec.of(ReservationEvent.class),
                JsonCodec.of(Reservation.class),
                views);
        return new HttpParts(
                reservations,
                creating,
                desk,
                groups,
                gate.parts(),
                directory,
                new ScriptPoolNumbers(scripts, NUMBERS_WITHIN),
                baselines,
                (merchant, moment) -> calendars.of(merchant).dayAt(moment),
                new ReservationQueries(views)::list,
                auditor::replay,
                new Auditor<>(
                        new StockPoolMachine(Parts.policies(settings)),
                        JournalCodec.of(StockPoolEvent.class),
                        JsonCodec.of(StockPool.class),
                        views)::replay,
                new ViewLedgerReads(views),
                List.of(
                        Matrix.of(new ReservationSamples()),
                        Matrix.of(new StockPoolSamples()),
                        Matrix.of(new CompensationSamples()),
                        Matrix.of(new OrderSamples())),
                reconciliation.runs(),
                new CompensationParts(
                        compensations,
                        new CompensationQueries(views)::list,
                        new AllEvidence(new SystemsQueries(views), scripts)),
                messaging.map(
                        kafka -> kafka.begin(member, reservations, orders.map(OrderService::intake), queries, closing)),
                orders.map(OrderService::parts),
                Follow.start(settings, views, readSide.bell(), registry, closing),
                Calls.start(settings, member.system(), views, registry, clock, closing),
                Parts.uploads(settings),
                Checks.of(
                        member,
                        views,
                        scripts,
                        readSide.projections(),
                        readSide.sweeper(),
                        readSide.wakeAhead(),
                        messaging.map(kafka -> kafka.check(readSide.deliveries()))),
                new HttpMetrics(registry),
                clock,
                settings.reservation().attentionAfter());
    }

    /** The short path, unless each compensation is to have a journal of its own. */
    private Compensations compensations(CompensationScripts giveBack) {
        var journaled = new EntityCompensations(
                compensations,
                directory,
                settings.reservation().attemptTimeout().dividedBy(2));
        return switch (settings.compensation().journal()) {
            case CONTRADICTED -> new DirectCompensations(giveBack, journaled);
            case ALWAYS -> journaled;
        };
    }

    /** No compensation is asked for before the reservations have been started. */
    private CompletionStage<Outcome<Owing.Standing>> owing(Content content, Asked asked) {
        return new EntityOwing(reservations).standing(content, asked);
    }

    private OrderDirectory askedOrders() {
        OrdersSection section = settings.orders();
        if (section.url().isEmpty()) {
            return OrderDirectory.none();
        }
        Optional<String> token = section.token().isEmpty()
                ? Optional.empty()
                : Optional.of(section.token().reveal());
        return closing.add(
                "the questions to the order domain",
                new HttpOrderDirectory(
                        new OrderUrl(section.url().get()), token, section.timeout(), section.together()));
    }

    /** Without them days would be told wrong, so a node that can't read them does not serve. */
    private MerchantCalendars calendars(BaselineTable table) {
        ReservationSection section = settings.reservation();
        var known = closing.add(
                "the calendars",
                new MerchantCalendars(section.merchantZones(), section.zone(), table, ZONES_ASKED_EVERY));
        new StartPatience(settings.postgres().startPatience()).waitFor("the time zones of merchants", () -> {
            try {
                known.start();
                return known;
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });
        return known;
    }

    /** Of a hold whose order is overdue: no reservation asks for it before the reservations have been started. */
    private CompletionStage<Outcome<Reply<Reservation>>> look(String reservationId) {
        return reservations.look(reservationId);
    }

    private CompletionStage<Outcome<Reservation>> adopt(ReservationCommand.Adopt adopt) {
        return new EntityAdoptions(reservations).adopt(adopt);
    }

    /** Of a comparison or a rebuild of its pool. No pool is compared before it is looked at, and by then both machines have been started. */
    private VerificationNotice notice() {
        return new VerificationNotice() {
            @Override
            public CompletionStage<Outcome<Reservation>> tell(
                    String reservationId, long verification, Optional<PoolEpoch> loaded) {
                return new EntityVerificationNotice(reservations).tell(reservationId, verification, loaded);
            }

            @Override
            public CompletionStage<Outcome<Reservation>> admissionLost(
                    String reservationId, long generation, long total, long promised) {
                return new EntityVerificationNotice(reservations)
                        .admissionLost(reservationId, generation, total, promised);
            }
        };
    }

    /** Of one pool by another of its sale. No pool owes anything before the pools have been started. */
    private CompletionStage<Outcome<Verdict>> ofTheSale(PoolId pool, PoolOperation operation, Duration patience) {
        return new EntitySiblingPools(pools).operate(pool, operation, patience);
    }

    /** Of a pool that is about to be opened. No pool owes anything before the pools have been started. */
    private CompletionStage<Outcome<Boolean>> opening(PoolId pool, long number, String attempt) {
        return new EntityOpeningNotice(pools).tell(pool, number, attempt);
    }

    /** Its trouble is nobody's trouble to serve: whoever asks first for a pool of a day has it created. */
    private void startDays(BaselineTable table, BaselinePools dayPools) {
        var work = new DayWork(
                table,
                calendars,
                dayPools,
                pools,
                Parts.days(settings),
                clock,
                () -> UUID.randomUUID().toString(),
                new DayMetrics(registry));
        closing.add(
                        "the turn of the days",
                        new OneInFleet(work, Sessions.ofLoops(settings.postgres()), Parts.fleet(settings)))
                .start();
    }

    /** Of a line into its group. No reservation owes anything before the reservations have been started. */
    private CompletionStage<Outcome<Reservation>> callIn(
            Group group, GroupLine line, Instant attentionAt, Optional<Epochs> epochs, Duration patience) {
        return new EntityGroupCall(reservations).ask(group, line, attentionAt, epochs, patience);
    }

    private void wake(String machine, String entityId) {
        switch (machine) {
            case ReservationMachine.NAME -> reservations.wake(entityId);
            case StockPoolMachine.NAME -> pools.wake(entityId);
            case CompensationMachine.NAME -> compensations.wake(entityId);
            // Of a fleet that made orders once: they rest until it does again.
            case OrderMachine.NAME ->
                orders.ifPresent(service -> service.orders().wake(entityId));
            default -> throw new IllegalArgumentException("this version knows no machine named " + machine);
        }
    }

    private <S> Reply<S> answered(Entities<S, ?> entities) {
        member.requireStaying();
        try {
            return switch (entities.look("start-check").toCompletableFuture().join()) {
                case Outcome.Known<Reply<S>>(Reply<S> reply) -> reply;
                case Outcome.Unknown<Reply<S>>(String why) -> throw new IllegalStateException(why);
                case Outcome.Unavailable<Reply<S>>(String why) -> throw new IllegalStateException(why);
            };
        } catch (CompletionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }
}
