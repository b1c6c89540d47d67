package io.holdfast.http.route;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.typesafe.config.ConfigFactory;
import io.holdfast.compensation.domain.Compensation;
import io.holdfast.compensation.domain.CompensationCommand;
import io.holdfast.compensation.domain.CompensationEffect;
import io.holdfast.compensation.domain.CompensationEvent;
import io.holdfast.compensation.domain.CompensationMachine;
import io.holdfast.compensation.domain.CompensationPolicies;
import io.holdfast.compensation.domain.Content;
import io.holdfast.compensation.domain.Result;
import io.holdfast.compensation.view.CompensationFilter;
import io.holdfast.compensation.view.CompensationListing;
import io.holdfast.engine.audit.AuditScope;
import io.holdfast.engine.audit.AuditTrail;
import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.entity.Entity;
import io.holdfast.engine.entity.Entry;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.machine.Matrix;
import io.holdfast.engine.runtime.Entities;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.http.health.HealthCheck;
import io.holdfast.http.metrics.HttpMetrics;
import io.holdfast.http.openapi.Example;
import io.holdfast.http.openapi.OpenApi;
import io.holdfast.http.openapi.Seen;
import io.holdfast.order.domain.Order;
import io.holdfast.order.domain.OrderCommand;
import io.holdfast.order.domain.OrderEffect;
import io.holdfast.order.domain.OrderEvent;
import io.holdfast.order.domain.OrderMachine;
import io.holdfast.order.domain.OrderPolicies;
import io.holdfast.reconciliation.systems.EvidenceSource;
import io.holdfast.reconciliation.systems.SystemsQueries;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.EffectPolicies;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.PoolOperation;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.domain.ReservationEffect;
import io.holdfast.reservation.domain.ReservationEvent;
import io.holdfast.reservation.domain.ReservationMachine;
import io.holdfast.reservation.domain.ReservationSamples;
import io.holdfast.reservation.domain.SharedTags;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.domain.StockPoolCommand;
import io.holdfast.reservation.domain.StockPoolEffect;
import io.holdfast.reservation.domain.StockPoolEvent;
import io.holdfast.reservation.domain.StockPoolMachine;
import io.holdfast.reservation.domain.StockPoolSamples;
import io.holdfast.reservation.entity.AdmissionDesk;
import io.holdfast.reservation.entity.EntityPoolDirectory;
import io.holdfast.reservation.entity.EntityPoolTags;
import io.holdfast.reservation.entity.GroupDesk;
import io.holdfast.reservation.entity.HoldDesk;
import io.holdfast.reservation.entity.TaggedPools;
import io.holdfast.reservation.port.DayPools;
import io.holdfast.reservation.port.PoolDirectory;
import io.holdfast.reservation.port.PoolStanding;
import io.holdfast.reservation.view.ReservationFilter;
import io.holdfast.reservation.view.ReservationListing;
import io.holdfast.reservation.view.Synced;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.http.javadsl.ServerBinding;

/** The whole HTTP side on a free loopback port, over entities that live in memory. */
final class TestNode implements AutoCloseable {

    /** The pool that {@link #withPool} makes. */
    static final String POOL = "m1:noodles:2026-11-29";

    /** The business day of every moment before 2090 unless a test names another, and of those after it. */
    private static final LocalDate TODAY = LocalDate.of(2026, 11, 29);

    private static final LocalDate LATER = LocalDate.of(2099, 1, 1);
    private static final ObjectMapper JSON = new ObjectMapper();

    /** One for all nodes of a test run: it is what takes long to start, and a server of its own is isolation enough. */
    private static final ActorSystem SYSTEM = ActorSystem.create(
            "http-test", ConfigFactory.parseString("pekko.daemonic = on").withFallback(ConfigFactory.load()));

    private final HttpClient client = HttpClient.newHttpClient();
    final TestStock stock = new TestStock();
    final InMemoryEntities<Reservation, ReservationCommand, ReservationEvent, ReservationEffect> reservations =
            new InMemoryEntities<>(
                    new ReservationMachine(EffectPolicies.standard()), (_, effect) -> stock.perform(effect));
    final InMemoryEntities<StockPool, StockPoolCommand, StockPoolEvent, StockPoolEffect> pools = new InMemoryEntities<>(
            new StockPoolMachine(EffectPolicies.standard()), (_, effect) -> stock.perform(effect));
    /** Redis contradicts whatever is to go back, until it is said to agree; two persons decide. */
    final InMemoryEntities<Compensation, CompensationCommand, CompensationEvent, CompensationEffect> compensations =
            new InMemoryEntities<>(
                    new CompensationMachine(
                            new CompensationPolicies(EffectPolicies.standard().script(), true)),
                    (_, effect) -> CompletableFuture.completedFuture(Outcome.known(gaveBack(effect))));
    /** Keys whose script does what it is asked. */
    final Set<String> agreeing = ConcurrentHashMap.newKeySet();

    final TestTill till = new TestTill();
    final InMemoryEntities<Order, OrderCommand, OrderEvent, OrderEffect> orders =
            new InMemoryEntities<>(new OrderMachine(OrderPolicies.standard()), (_, effect) -> till.perform(effect));
    final TestFollowers followers = new TestFollowers();
    final TestWebhooks webhooks = new TestWebhooks();
    final TestBaselines baselines = new TestBaselines();
    final InMemoryRuns runs = new InMemoryRuns();
    final List<HealthCheck> checks = new ArrayList<>();
    final HttpMetrics metrics = new HttpMetrics(new PrometheusMeterRegistry(PrometheusConfig.DEFAULT));

    /** What the next answers of reservations are turned into. */
    volatile UnaryOperator<CompletionStage<Outcome<Reply<Reservation>>>> fault = UnaryOperator.identity();
    /** What is known of every pool; by default, what its entity says. */
    volatile Optional<Outcome<PoolStanding>> standing = Optional.empty();
    /** Runs before each list, on the thread that reads it. */
    volatile Runnable beforeList = () -> {};
    /** What the gate answers. */
    volatile Function<AdmissionDesk.Wish, AdmissionDesk.Answer> gate = _ -> new AdmissionDesk.Answer.Closed();
    /** What lists of changes and anomalies answer. */
    final TestLedger ledger = new TestLedger();
    /** Pools the directory was told to forget. */
    final Set<PoolId> forgotten = ConcurrentHashMap.newKeySet();

    private final HoldfastRoutes routes;
    private final ServerBinding binding;

    /** One source that says of whom it was asked. */
    private static final class NoEvidence implements EvidenceReads {
        @Override
        public List<EvidenceSource> of(String reservationId) {
            return List.of(new EvidenceSource(1, "payments", "[\"" + reservationId + "\"]"));
        }

        @Override
        public List<SystemsQueries.Kept> repairs(Optional<String> reservationId, int limit) {
            return List.of();
        }
    }

    private CompensationCommand gaveBack(CompensationEffect effect) {
        Books books = Books.expected(1, 3, 10, 0, 0);
        return switch (effect) {
            case CompensationEffect.Apply(Content content, var asked, var _) ->
                new CompensationCommand.ScriptAnswered(
                        asked,
                        agreeing.contains(content.key())
                                ? new CompensationCommand.ScriptAnswer.Done(new Result.Released(5, books))
                                : new CompensationCommand.ScriptAnswer.Contradicts(
                                        "CONFIRMED_ALREADY", Map.of("phase", "CONFIRMED")));
            case CompensationEffect.ReadBack(var _, var asked, var _) ->
                new CompensationCommand.FenceRead(asked, true, "CANCELED with 0 left");
        };
    }

    private CompensationListing compensations(CompensationFilter filter, Optional<String> after, int limit) {
        List<CompensationListing.Listed> found = compensations.journaled().stream()
                .sorted()
                .filter(key -> after.filter(last -> key.compareTo(last) <= 0).isEmpty())
                .map(key -> compensations.state(key))
                .filter(state ->
                        filter.status().filter(s -> s != state.status()).isEmpty())
                .filter(state -> filter.merchants()
                        .filter(merchants -> !(state instanceof Compensation.Known known)
                                || !merchants.contains(known.content().pool().merchant()))
                        .isEmpty())
                .map(state -> new CompensationListing.Listed(state, Instant.EPOCH, Instant.EPOCH))
                .toList();
        return found.size() <= limit
                ? new CompensationListing(found, Optional.empty())
                : new CompensationListing(
                        found.subList(0, limit),
                        Optional.of(found.get(limit - 1).state().id()));
    }

    private TestNode(UnaryOperator<HttpSettings> adapt, List<HealthCheck> checks, LocalDate today) {
        this(adapt, checks, today, Optional.empty());
    }

    private TestNode(
            UnaryOperator<HttpSettings> adapt,
            List<HealthCheck> checks,
            LocalDate today,
            Optional<MessagingParts> events) {
        var patience = new HttpSettings.Patience(
                Duration.ofSeconds(5), Duration.ofSeconds(20), Duration.ofSeconds(5), Duration.ofSeconds(1));
        HttpSettings settings = adapt.apply(new HttpSettings(
                "127.0.0.1", 0, HttpSettings.Limits.DEFAULT, patience, new HttpSettings.Access.Open()));
        this.checks.addAll(checks);
        PoolDirectory directory = directory();
        this.routes = HoldfastRoutes.create(
                SYSTEM,
                settings,
                new HttpParts(
                        faulty(reservations),
                        new TaggedPools(pools, new SharedTags(Set.of("m1"))),
                        new HoldDesk(
                                faulty(reservations),
                                directory,
                                this::openDay,
                                stock,
                                InstantSource.system(),
                                Duration.ZERO),
                        new GroupDesk(
                                faulty(reservations),
                                directory,
                                new EntityPoolTags(pools),
                                this::openDay,
                                InstantSource.system(),
                                Duration.ZERO),
                        new SaleParts(
                                (wish, _) -> CompletableFuture.completedFuture(gate.apply(wish)),
                                Optional.of(3),
                                _ -> CompletableFuture.completedFuture(Optional.of(7L)),
                                new TestBuckets()),
                        directory,
                        pool -> CompletableFuture.completedFuture(stock.seen(pool)),
                        baselines,
                        (_, moment) -> moment.isAfter(Instant.parse("2090-01-01T00:00:00Z")) ? LATER : today,
                        this::list,
                        this::replay,
                        (id, scope) -> TestAudit.replayPool(id, pools.journal(id), scope),
                        ledger,
                        List.of(Matrix.of(new ReservationSamples()), Matrix.of(new StockPoolSamples())),
                        runs,
                        new CompensationParts(compensations, this::compensations, new NoEvidence()),
                        events,
                        Optional.of(new OrderServiceParts(
                                orders, TestTill.PROVIDER, TestTill.NOTICES, till.statements(orders))),
                        new StreamParts(
                                followers,
                                "/holdfast/test",
                                Duration.ofSeconds(1),
                                Duration.ofMillis(400),
                                Duration.ofMinutes(1)),
                        new WebhookParts(
                                webhooks,
                                false,
                                () -> UUID.randomUUID().toString().getBytes(StandardCharsets.UTF_8),
                                () -> UUID.randomUUID().toString().replace("-", "")),
                        new BulkLimits(2, 100_000, 50, 300),
                        this.checks,
                        metrics,
                        InstantSource.system(),
                        Duration.ofMinutes(15)));
        this.binding = HttpServer.bind(SYSTEM, settings, Optional.empty(), routes)
                .toCompletableFuture()
                .join();
    }

    static TestNode start() {
        return start(UnaryOperator.identity());
    }

    static TestNode start(UnaryOperator<HttpSettings> adapt) {
        return new TestNode(adapt, List.of(), TODAY);
    }

    /** Where only these may call, and where the routes about events are, with nothing behind them. */
    static TestNode guarded(List<HttpSettings.TokenHolder> callers) {
        return new TestNode(
                settings -> new HttpSettings(
                        settings.host(),
                        settings.port(),
                        settings.limits(),
                        settings.patience(),
                        new HttpSettings.Access.Tokens(callers)),
                List.of(),
                TODAY,
                Optional.of(new MessagingParts(List.of("orders"), null, null, null)));
    }

    /** Where every moment before 2090 is of this business day. */
    static TestNode onDay(LocalDate today) {
        return new TestNode(UnaryOperator.identity(), List.of(), today);
    }

    static TestNode withChecks(HealthCheck... checks) {
        return new TestNode(UnaryOperator.identity(), List.of(checks), TODAY);
    }

    static TestNode withPool(long total) {
        TestNode node = start();
        Answer made = node.put("/v1/pools/" + POOL, "{\"total\":" + total + "}");
        if (made.status() != 201) {
            throw new IllegalStateException("no pool: " + made);
        }
        return node;
    }

    private Entities<Reservation, ReservationCommand> faulty(Entities<Reservation, ReservationCommand> sound) {
        return new Entities<>() {
            @Override
            public CompletionStage<Outcome<Reply<Reservation>>> ask(
                    String entityId, Cause cause, ReservationCommand command, Duration patience) {
                return fault.apply(sound.ask(entityId, cause, command, patience));
            }

            @Override
            public CompletionStage<Outcome<Reply<Reservation>>> look(String entityId) {
                return sound.look(entityId);
            }
        };
    }

    /** As the real one does it, without a memory. */
    private CompletionStage<Outcome<DayPools.Opening>> openDay(PoolId pool) {
        OptionalLong total = baselines
                .find(pool.merchant(), pool.dish())
                .map(kept -> kept.baseline().totalOn(pool.day().orElseThrow()))
                .orElseGet(OptionalLong::empty);
        if (total.isEmpty()) {
            return CompletableFuture.completedFuture(Outcome.known(DayPools.Opening.NOTHING_SET_OUT));
        }
        var cause = new Cause("baseline", "", Cause.Kind.REQUEST, "days", Optional.empty());
        return pools.ask(pool.value(), cause, new PoolOperation.Init("baseline", total.getAsLong()), Duration.ZERO)
                .thenApply(outcome -> outcome.map(_ -> DayPools.Opening.EXISTS));
    }

    /** The directory of a node, unless the test says where every pool stands. */
    private PoolDirectory directory() {
        PoolDirectory sound = new EntityPoolDirectory(
                pools, System::nanoTime, () -> UUID.randomUUID().toString());
        return new PoolDirectory() {
            @Override
            public CompletionStage<Outcome<PoolStanding>> standing(PoolId pool) {
                return standing.<CompletionStage<Outcome<PoolStanding>>>map(CompletableFuture::completedFuture)
                        .orElseGet(() -> sound.standing(pool));
            }

            @Override
            public void suspect(PoolId pool, long epoch, String evidence) {
                throw new AssertionError("routes suspect nothing");
            }

            @Override
            public void forget(PoolId pool) {
                forgotten.add(pool);
                sound.forget(pool);
            }
        };
    }

    /** As the view would list them, had it caught up; the cursor is the number of entries to skip, as text. */
    private ReservationListing list(ReservationFilter filter, Optional<String> cursor, int limit) {
        beforeList.run();
        int skip = cursor.map(Integer::parseInt).orElse(0);
        List<ReservationListing.Listed> all = reservations.journaled().stream()
                .map(id -> listed(reservations.journal(id), id))
                .filter(one -> matches(filter, one.state()))
                .sorted(Comparator.comparing(ReservationListing.Listed::createdAt)
                        .reversed())
                .toList();
        List<ReservationListing.Listed> page =
                all.stream().skip(skip).limit(limit).toList();
        return new ReservationListing(
                page, skip + limit < all.size() ? Optional.of(Integer.toString(skip + limit)) : Optional.empty());
    }

    private static ReservationListing.Listed listed(List<Entry<ReservationEvent>> journal, String id) {
        var machine = new ReservationMachine(EffectPolicies.standard());
        Entity<Reservation> entity = Entity.fresh(machine, id);
        for (Entry<ReservationEvent> entry : journal) {
            entity = entity.after(machine, entry);
        }
        return new ReservationListing.Listed(
                entity.state(),
                journal.getFirst().meta().at(),
                journal.getLast().meta().at(),
                entity.sequenceNumber(),
                Synced.NOTHING);
    }

    private static boolean matches(ReservationFilter filter, Reservation state) {
        return filter.status().map(status -> state.status() == status).orElse(true)
                && filter.merchants()
                        .map(merchants -> state.asked()
                                .filter(claim -> merchants.contains(claim.pool().merchant()))
                                .isPresent())
                        .orElse(true)
                && filter.userId()
                        .map(user -> state.asked()
                                .flatMap(claim -> claim.terms().line().userId())
                                .filter(user::equals)
                                .isPresent())
                        .orElse(true)
                && filter.orderId()
                        .map(order -> state.asked()
                                .filter(claim -> claim.terms().line().orderId().equals(order))
                                .isPresent())
                        .orElse(true);
    }

    private AuditTrail<Reservation> replay(String reservationId, AuditScope scope) {
        return TestAudit.replay(reservationId, reservations.journal(reservationId), scope);
    }

    URI uri(String path) {
        InetSocketAddress address = binding.localAddress();
        return URI.create("http://127.0.0.1:" + address.getPort() + path);
    }

    int port() {
        return binding.localAddress().getPort();
    }

    Answer get(String path, String... headers) {
        return send(request(path, headers).GET(), "");
    }

    Answer post(String path, String json, String... headers) {
        return send(
                request(path, headers)
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(json)),
                json);
    }

    Answer post(String path, byte[] body, String... headers) {
        return send(
                request(path, headers).POST(HttpRequest.BodyPublishers.ofByteArray(body)),
                new String(body, StandardCharsets.UTF_8));
    }

    Answer put(String path, String json, String... headers) {
        return send(
                request(path, headers)
                        .header("Content-Type", "application/json")
                        .PUT(HttpRequest.BodyPublishers.ofString(json)),
                json);
    }

    Answer method(String method, String path, String... headers) {
        return send(request(path, headers).method(method, HttpRequest.BodyPublishers.noBody()), "");
    }

    CompletableFuture<Answer> getLater(String path) {
        return later(request(path).GET().build(), "");
    }

    CompletableFuture<Answer> postLater(String path, String json, String... headers) {
        var request = request(path, headers)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json))
                .build();
        return later(request, json);
    }

    private CompletableFuture<Answer> later(HttpRequest request, String body) {
        return client.sendAsync(request, HttpResponse.BodyHandlers.ofByteArray())
                .thenApply(response -> checked(request, body, response));
    }

    private HttpRequest.Builder request(String path, String... headers) {
        var request = HttpRequest.newBuilder(uri(path)).timeout(Duration.ofSeconds(60));
        return headers.length == 0 ? request : request.headers(headers);
    }

    Answer send(Example example, String... headers) {
        return send(example.to(uri("/"), headers), example.body());
    }

    private Answer send(HttpRequest.Builder builder, String body) {
        return send(builder.build(), body);
    }

    private Answer send(HttpRequest request, String body) {
        try {
            return checked(request, body, client.send(request, HttpResponse.BodyHandlers.ofByteArray()));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** As a node does before it stops to listen. */
    void endStreams() {
        routes.endStreams();
    }

    /** Every answer of every test is held against the OpenAPI document. */
    private static Answer checked(HttpRequest request, String body, HttpResponse<byte[]> response) {
        OpenApi.get().check(Seen.of(request, body, response, response.body()));
        return Answer.of(response);
    }

    @Override
    public void close() {
        client.shutdownNow();
        binding.terminate(Duration.ofMillis(100)).toCompletableFuture().join();
        routes.close();
        reservations.close();
        pools.close();
        orders.close();
    }

    /** What came back. */
    record Answer(int status, java.net.http.HttpHeaders headers, String body) {

        static Answer of(HttpResponse<byte[]> response) {
            return new Answer(
                    response.statusCode(), response.headers(), new String(response.body(), StandardCharsets.UTF_8));
        }

        JsonNode json() {
            try {
                return JSON.readTree(body);
            } catch (IOException e) {
                throw new IllegalStateException("no JSON: " + body, e);
            }
        }

        String text(String field) {
            return json().path(field).asText();
        }

        /** The value this pointer leads to, as text; empty where there is none. */
        String at(String pointer) {
            return json().at(pointer).asText();
        }

        String code() {
            return text("code");
        }

        Optional<String> header(String name) {
            return headers.firstValue(name);
        }

        /** Each fault as {@code in pointer code}. */
        List<String> faults() {
            List<String> faults = new ArrayList<>();
            json().path("errors")
                    .forEach(e -> faults.add(e.path("in").asText() + " "
                            + e.path("pointer").asText() + " " + e.path("code").asText()));
            return faults;
        }
    }
}
