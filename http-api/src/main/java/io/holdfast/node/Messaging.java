package io.holdfast.node;

import io.holdfast.compensation.domain.CompensationMachine;
import io.holdfast.config.Settings;
import io.holdfast.engine.effect.Backoff;
import io.holdfast.engine.fleet.OneInFleet;
import io.holdfast.engine.projection.ProgressWatch;
import io.holdfast.engine.projection.ProjectionRunner;
import io.holdfast.engine.runtime.Entities;
import io.holdfast.http.health.Health;
import io.holdfast.http.health.HealthCheck;
import io.holdfast.http.route.MessagingParts;
import io.holdfast.messaging.event.EventReader;
import io.holdfast.messaging.in.EventHandling;
import io.holdfast.messaging.in.OrderIntake;
import io.holdfast.messaging.in.ParkedEvents;
import io.holdfast.messaging.in.ParkedRetries;
import io.holdfast.messaging.in.Permits;
import io.holdfast.messaging.in.Persistence;
import io.holdfast.messaging.in.ViewOrderReservations;
import io.holdfast.messaging.kafka.BrokerWatch;
import io.holdfast.messaging.kafka.DeadLetterAnomalies;
import io.holdfast.messaging.kafka.DeadLetters;
import io.holdfast.messaging.kafka.EventConsumer;
import io.holdfast.messaging.kafka.EventReplays;
import io.holdfast.messaging.kafka.KafkaSettings;
import io.holdfast.messaging.kafka.KafkaSink;
import io.holdfast.messaging.out.AnomalyNotices;
import io.holdfast.messaging.out.EventPublisher;
import io.holdfast.messaging.out.PublishedOrderRequests;
import io.holdfast.order.domain.OrderMachine;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.domain.ReservationMachine;
import io.holdfast.reservation.domain.StockPoolMachine;
import io.holdfast.reservation.port.OrderRequests;
import io.holdfast.reservation.view.ReservationQueries;
import io.holdfast.reservation.view.ReservationViewProjection;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import javax.sql.DataSource;

/** What a node that speaks with Kafka does there: events in, messages out, and what operators ask. */
final class Messaging {

    /** Entities of each machine whose journal the publisher need not read again. */
    private static final int REMEMBERED = 20_000;
    /** Below the runner's own time-out. */
    private static final Duration BATCH_PATIENCE = Duration.ofSeconds(20);

    private static final Duration VIEW_ASKED_EVERY = Duration.ofMillis(20);
    private static final Duration BROKER_ASKED_EVERY = Duration.ofSeconds(10);
    /** Deadlines of orders wait for what it says. */
    private static final Duration BROKER_ASKED_BY_ORDERS_EVERY = Duration.ofSeconds(2);

    private static final Duration PARKED_LOOKED_AT_EVERY = Duration.ofSeconds(2);
    private static final Backoff PARKED = new Backoff(Duration.ofSeconds(5), Duration.ofHours(1), 2, 0.2);
    private static final int BLOCKING_THREADS = 2;

    private final KafkaSettings kafka;
    private final OrderRequests orderRequests;
    private final EventPublisher publisher;
    private final BrokerWatch watch;
    private final ParkedEvents parked;
    private final MeterRegistry registry;
    private final DataSource views;
    private final InstantSource clock;
    private final ExecutorService blocking;

    /** Asks order services for orders. */
    OrderRequests orderRequests() {
        return orderRequests;
    }

    private Messaging(
            Settings settings,
            KafkaSettings kafka,
            DataSource views,
            MeterRegistry registry,
            InstantSource clock,
            Closing closing) {
        this.kafka = kafka;
        this.views = views;
        this.registry = registry;
        this.clock = clock;
        var sink = closing.add("the producer of messages", new KafkaSink(kafka));
        this.orderRequests = new PublishedOrderRequests(sink);
        var policies = Parts.policies(settings);
        this.publisher = new EventPublisher(
                new ReservationMachine(policies),
                new StockPoolMachine(policies),
                new CompensationMachine(Parts.compensations(settings)),
                makesOrders(settings) ? Optional.of(new OrderMachine(Parts.orders(settings))) : Optional.empty(),
                views,
                REMEMBERED,
                sink,
                BATCH_PATIENCE);
        this.blocking = Executors.newFixedThreadPool(
                BLOCKING_THREADS,
                Thread.ofPlatform().daemon().name("holdfast-events-", 0).factory());
        closing.add("the threads of events", blocking::shutdownNow);
        this.parked = new ParkedEvents(views, blocking);
        this.watch = closing.add(
                "the watch on the broker",
                new BrokerWatch(
                        kafka,
                        clock,
                        makesOrders(settings) ? BROKER_ASKED_BY_ORDERS_EVERY : BROKER_ASKED_EVERY,
                        KafkaLink.newPartitions(settings)));
        watch.start();
        MessagingGauges.register(registry, kafka.topics().in(), watch, publisher);
        closing.add("the gauges of parked events", WaitingGauges.ofParked(registry, parked))
                .start();
        closing.add(
                        "what needs a person",
                        new OneInFleet(
                                new PersonsWork(
                                        new DeadLetterAnomalies(
                                                new DeadLetters(kafka),
                                                kafka.topics().in()),
                                        new AnomalyNotices(sink, BATCH_PATIENCE),
                                        clock),
                                Sessions.ofLoops(settings.postgres()),
                                Parts.fleet(settings)))
                .start();
    }

    /** Prepares what does not need the entities yet; {@link #publisher} is to be run with the other projections. */
    static Messaging prepare(
            Settings settings,
            KafkaSettings kafka,
            DataSource views,
            MeterRegistry registry,
            InstantSource clock,
            Closing closing) {
        KafkaLink.prepare(settings, kafka);
        return new Messaging(settings, kafka, views, registry, clock, closing);
    }

    private static boolean makesOrders(Settings settings) {
        return settings.orders().service().builtIn();
    }

    /** Lets the order service see what waits in its topic. */
    void show(RequestLag lag) {
        lag.isSeenBy(watch, kafka.topics().orderRequests());
    }

    EventPublisher publisher() {
        return publisher;
    }

    /** Why the broker does not answer; empty while it does. */
    Optional<String> brokerTrouble() {
        return watch.trouble();
    }

    /**
     * A broker that is away is no reason not to serve.
     *
     * @param deliveries who publishes on this node
     */
    HealthCheck check(List<ProjectionRunner> deliveries) {
        return new HealthCheck() {
            @Override
            public String name() {
                return "kafka";
            }

            @Override
            public CompletionStage<Health> check() {
                boolean failing =
                        deliveries.stream().anyMatch(runner -> runner.trouble().isPresent());
                return CompletableFuture.completedFuture(watch.trouble()
                        .or(() -> failing
                                ? Optional.of("messages can't be published; the log says why")
                                : Optional.empty())
                        .map(Health::degraded)
                        .orElseGet(Health::up));
            }
        };
    }

    /** What routes ask. Its parts are there before the first event is read. */
    MessagingParts begin(
            ClusterMember member,
            Entities<Reservation, ReservationCommand> reservations,
            Optional<OrderIntake> orders,
            ReservationQueries queries,
            Closing closing) {
        var listener = new MessagingMetrics(registry, kafka.topics().in());
        var reader = new EventReader(kafka.largestEvent(), kafka.ignoredTypes());
        var persistence = new Persistence(
                kafka.backoff(), () -> ThreadLocalRandom.current().nextDouble(), listener);
        var handling = new EventHandling(
                reservations,
                orders,
                new ViewOrderReservations(queries, blocking),
                new ProgressWatch(ReservationViewProjection.NAME, views, VIEW_ASKED_EVERY),
                parked,
                new Permits(kafka.concurrency()),
                persistence,
                listener);
        var replays = closing.add(
                "replays of events",
                new EventReplays(
                        kafka, reader, handling, clock, () -> UUID.randomUUID().toString()));
        var retries = closing.add(
                "retries of parked events",
                new ParkedRetries(parked, reader, handling, listener, PARKED, PARKED_LOOKED_AT_EVERY));
        var consumer = closing.add(
                "the consumer of events",
                new EventConsumer(member.system(), kafka, reader, handling, persistence, listener, clock));
        retries.start();
        consumer.start();
        return new MessagingParts(kafka.topics().in(), new DeadLetters(kafka), parked, replays);
    }
}
