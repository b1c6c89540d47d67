package io.holdfast.http.route;

import static org.apache.pekko.http.javadsl.server.Directives.complete;
import static org.apache.pekko.http.javadsl.server.Directives.concat;
import static org.apache.pekko.http.javadsl.server.Directives.extractRequest;
import static org.apache.pekko.http.javadsl.server.Directives.pathPrefix;

import io.holdfast.http.health.Readiness;
import io.holdfast.http.problem.Problem;
import io.holdfast.http.problem.ProblemCode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.pekko.actor.ClassicActorSystemProvider;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.server.Directives;
import org.apache.pekko.http.javadsl.server.ExceptionHandler;
import org.apache.pekko.http.javadsl.server.MethodRejection;
import org.apache.pekko.http.javadsl.server.Rejection;
import org.apache.pekko.http.javadsl.server.RejectionHandler;
import org.apache.pekko.http.javadsl.server.Route;
import org.apache.pekko.japi.function.Function;

/** Everything this node answers over HTTP. Close it when the server has stopped. */
public final class HoldfastRoutes implements AutoCloseable {

    private static final Duration LONGEST_CHECK = Duration.ofSeconds(2);

    private final Function<HttpRequest, CompletionStage<HttpResponse>> handler;
    private final QueryThreads threads;
    private final StreamRoutes streams;
    private final Authenticator authenticator;

    private HoldfastRoutes(
            Function<HttpRequest, CompletionStage<HttpResponse>> handler,
            QueryThreads threads,
            StreamRoutes streams,
            Authenticator authenticator) {
        this.authenticator = authenticator;
        this.handler = handler;
        this.threads = threads;
        this.streams = streams;
    }

    /** The routes of a node. */
    public static HoldfastRoutes create(ClassicActorSystemProvider system, HttpSettings settings, HttpParts parts) {
        var patience = settings.patience();
        var threads = new QueryThreads(settings.limits(), patience.retryAfter());
        var authenticator = Authenticator.of(settings.access(), parts.clock());
        var endpoint = new Endpoint(system, settings, authenticator, new Denials(parts.metrics()));
        var poolAnswers = new EntityAnswers<>(parts.pools(), new PoolShape(), patience);
        var reservationAnswers = new EntityAnswers<>(parts.reservations(), new ReservationShape(), patience);
        var asOf = new AsOf(endpoint, reservationAnswers, poolAnswers, parts, threads);
        var pools = new PoolRoutes(
                endpoint, poolAnswers, parts.directory(), parts.numbers(), parts.sales(), asOf, parts.clock());
        var holds = new HoldRequests(reservationAnswers, parts, patience);
        var reservations = new ReservationRoutes(endpoint, reservationAnswers, parts, threads, holds, asOf);
        var orders = new OrderRoutes(endpoint, holds, reservationAnswers, parts, settings);
        var sales = new SaleRoutes(endpoint, parts.sales(), holds, patience);
        var placed = new PlacedOrderRoutes(
                endpoint,
                parts.orderService()
                        .map(service -> new EntityAnswers<>(service.orders(), new PlacedOrderShape(), patience)));
        Route statements = parts.orderService()
                .map(service -> pathPrefix(
                        "payment-reconciliations",
                        () -> new StatementRoutes(endpoint, service.statements(), patience.retryAfter()).route()))
                .orElseGet(Directives::reject);
        Route notices = parts.orderService()
                .map(service -> pathPrefix(
                        "payment-notices",
                        () -> new PaymentNoticeRoutes(endpoint, service, parts.clock(), patience).route()))
                .orElseGet(Directives::reject);
        var baselines = new BaselineRoutes(endpoint, parts.baselines(), threads, parts.clock(), patience);
        var ledger = new LedgerRoutes(endpoint, parts.ledger(), threads);
        var machines = new MachineRoutes(endpoint, parts.machines());
        var reconciliations = new ReconciliationRoutes(endpoint, poolAnswers, parts.reconciliations(), threads);
        var compensations = new CompensationRoutes(
                endpoint,
                new EntityAnswers<>(parts.compensations().entities(), new CompensationShape(), patience),
                parts.compensations().search(),
                threads);
        var evidence = new EvidenceRoutes(
                endpoint, parts.ledger(), parts.compensations().evidence(), reservationAnswers, threads);
        Route events = parts.events()
                .map(asked -> new MessagingRoutes(endpoint, asked, threads, patience.retryAfter()).route())
                .orElseGet(Directives::reject);
        var streams = new StreamRoutes(endpoint, reservationAnswers, parts.streams(), patience.retryAfter());
        var webhooks = new WebhookRoutes(endpoint, parts.webhooks(), threads);
        var bulk = new BulkRoutes(endpoint, pools, settings, parts.uploads());
        var readiness = new Readiness(parts.checks(), LONGEST_CHECK);
        var own = new SystemRoutes(readiness, parts.metrics(), threads);
        Route route = concat(
                        pathPrefix(
                                "v1",
                                () -> concat(
                                        pathPrefix(
                                                "reservations",
                                                () -> concat(
                                                        evidence.ofReservations(),
                                                        streams.ofReservations(),
                                                        asOf.ofReservations(),
                                                        reservations.route())),
                                        pathPrefix("events", streams::ofAll),
                                        pathPrefix("webhooks", webhooks::route),
                                        pathPrefix("orders", () -> concat(orders.route(), placed.route())),
                                        notices,
                                        statements,
                                        pathPrefix("sales", sales::route),
                                        pathPrefix(
                                                "pools",
                                                () -> concat(
                                                        bulk.route(), pools.route(), ledger.ofPools(), asOf.ofPools())),
                                        pathPrefix("compensations", compensations::route),
                                        pathPrefix(
                                                "anomalies", () -> concat(ledger.anomalies(), evidence.ofAnomalies())),
                                        pathPrefix("repairs", evidence::repairs),
                                        pathPrefix("baselines", baselines::route),
                                        pathPrefix("machines", machines::route),
                                        pathPrefix("reconciliations", reconciliations::route),
                                        events)),
                        own.route(),
                        DocumentRoutes.route())
                .seal(rejections(), exceptions());
        return new HoldfastRoutes(new Edge(route.function(system), parts.metrics()), threads, streams, authenticator);
    }

    /** Answers one request. */
    Function<HttpRequest, CompletionStage<HttpResponse>> handler() {
        return handler;
    }

    private static RejectionHandler rejections() {
        return RejectionHandler.newBuilder()
                .handleNotFound(problem(ProblemCode.NO_SUCH_ROUTE, "No address of this API."))
                .handleAll(MethodRejection.class, HoldfastRoutes::methodNotAllowed)
                .handle(
                        Rejection.class,
                        _ -> problem(ProblemCode.INVALID_REQUEST, "The request can't be served as it is."))
                .build();
    }

    private static Route methodNotAllowed(List<MethodRejection> rejections) {
        String allowed = rejections.stream()
                .map(rejection -> rejection.supported().name())
                // Whatever is answered to GET is answered to HEAD, without its body.
                .flatMap(method -> method.equals("GET") ? Stream.of(method, "HEAD") : Stream.of(method))
                .distinct()
                .sorted()
                .collect(Collectors.joining(", "));
        return extractRequest(request -> complete(Answers.withHeader(
                Answers.problem(Problem.of(
                        ProblemCode.METHOD_NOT_ALLOWED, "This address takes " + allowed + ".", Endpoint.path(request))),
                "Allow",
                allowed)));
    }

    private static ExceptionHandler exceptions() {
        return ExceptionHandler.newBuilder()
                .matchAny(fault -> extractRequest(request -> complete(Endpoint.failed(request, fault))))
                .build();
    }

    private static Route problem(ProblemCode code, String detail) {
        return extractRequest(request -> complete(Answers.problem(Problem.of(code, detail, Endpoint.path(request)))));
    }

    /** Ends what would otherwise not end by itself, for a server that is about to stop. */
    public void endStreams() {
        streams.close();
    }

    @Override
    public void close() {
        streams.close();
        threads.close();
        authenticator.close();
    }
}
