package io.holdfast.http.route;

import static org.apache.pekko.http.javadsl.server.Directives.completeWithFuture;
import static org.apache.pekko.http.javadsl.server.Directives.extractRequest;
import static org.apache.pekko.http.javadsl.server.Directives.get;
import static org.apache.pekko.http.javadsl.server.Directives.path;
import static org.apache.pekko.http.javadsl.server.Directives.pathEnd;
import static org.apache.pekko.http.javadsl.server.Directives.pathPrefix;
import static org.apache.pekko.http.javadsl.server.PathMatchers.segment;

import io.holdfast.http.access.ApiRoute;
import io.holdfast.http.problem.Problem;
import io.holdfast.http.problem.ProblemCode;
import io.holdfast.http.wire.EvidenceViews.EvidenceView;
import io.holdfast.http.wire.EvidenceViews.RepairView;
import io.holdfast.http.wire.EvidenceViews.RepairsView;
import io.holdfast.http.wire.LedgerViews.AnomalyView;
import io.holdfast.json.InputError;
import io.holdfast.json.Parsed;
import io.holdfast.reconciliation.systems.SystemsQueries;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.ledger.Anomaly;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.regex.Pattern;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.server.Route;

/** What all sources say of one object on one answer, and what was put right between them. */
final class EvidenceRoutes {

    private static final int USUAL_PAGE = 100;
    private static final Pattern RESERVATION = Pattern.compile("[0-9a-f]{32}");

    private final Endpoint endpoint;
    private final LedgerReads anomalies;
    private final EvidenceReads evidence;
    private final EntityAnswers<Reservation, ReservationCommand> reservations;
    private final QueryThreads threads;

    EvidenceRoutes(
            Endpoint endpoint,
            LedgerReads anomalies,
            EvidenceReads evidence,
            EntityAnswers<Reservation, ReservationCommand> reservations,
            QueryThreads threads) {
        this.reservations = reservations;
        this.endpoint = endpoint;
        this.anomalies = anomalies;
        this.evidence = evidence;
        this.threads = threads;
    }

    /** Below {@code /v1/anomalies}. */
    Route ofAnomalies() {
        return path(segment(), id -> get(() -> anomaly(id)));
    }

    /** Below {@code /v1/reservations}. */
    Route ofReservations() {
        return pathPrefix(segment(), id -> path("evidence", () -> get(() -> reservation(id))));
    }

    /** Below {@code /v1/repairs}. */
    Route repairs() {
        return pathEnd(() -> get(this::list));
    }

    private Route anomaly(String id) {
        return extractRequest(request -> completeWithFuture(endpoint.query(
                request,
                ApiRoute.ANOMALY_GET,
                Set.of(),
                exchange -> PathIds.kept("id", id) instanceof Parsed.Invalid<String>(List<InputError> errors)
                        ? refused(exchange, errors)
                        : threads.read(() -> read(() -> {
                            Optional<Anomaly> found = anomalies.anomaly(id);
                            if (found.filter(anomaly -> isOpen(exchange, anomaly))
                                    .isEmpty()) {
                                found.ifPresent(_ -> exchange.noteHidden());
                                return Answers.problem(Problem.of(
                                        ProblemCode.UNKNOWN_ANOMALY,
                                        "No anomaly of this id was found.",
                                        exchange.path()));
                            }
                            Optional<String> about = found.get().reservationId();
                            return Answers.json(
                                    200,
                                    EvidenceView.of(
                                            found.map(AnomalyView::of),
                                            about,
                                            about.isPresent() ? evidence.of(about.get()) : List.of()));
                        })))));
    }

    /** Of what concerns no pool only those know who may see everything. */
    private static boolean isOpen(Exchange exchange, Anomaly anomaly) {
        return !exchange.limited()
                || anomaly.pool()
                        .filter(pool -> exchange.scope().covers(Exchange.merchantOf(pool)))
                        .isPresent();
    }

    private Route reservation(String segment) {
        return extractRequest(request -> completeWithFuture(endpoint.query(
                request, ApiRoute.RESERVATION_EVIDENCE, Set.of(), exchange -> switch (PathIds.reservation(segment)) {
                    case Parsed.Invalid<String>(List<InputError> errors) -> refused(exchange, errors);
                    case Parsed.Valid<String>(String id) ->
                        reservations.ifOpen(
                                exchange,
                                id,
                                () -> threads.read(() -> read(() -> Answers.json(
                                        200, EvidenceView.of(Optional.empty(), Optional.of(id), evidence.of(id))))));
                })));
    }

    private record Page(Optional<String> reservation, int limit) {}

    private Route list() {
        return extractRequest(request -> completeWithFuture(endpoint.query(
                request, ApiRoute.REPAIRS, Set.of("reservation_id", "limit"), exchange -> switch (page(exchange)) {
                    case Parsed.Invalid<Page>(List<InputError> errors) -> refused(exchange, errors);
                    case Parsed.Valid<Page>(Page page) ->
                        threads.read(() -> read(() -> Answers.json(
                                200,
                                new RepairsView(evidence.repairs(page.reservation(), page.limit()).stream()
                                        .map(EvidenceRoutes::view)
                                        .toList()))));
                })));
    }

    private static Parsed<Page> page(Exchange exchange) {
        var query = new QueryParameters(exchange.query());
        var reservation = query.optional(
                "reservation_id",
                text -> RESERVATION.matcher(text).matches() ? Optional.of(text) : Optional.empty(),
                "a reservation id: 32 lower-case hex digits");
        var limit = query.integer("limit", 1, SystemsQueries.LONGEST_PAGE, USUAL_PAGE);
        return query.into(() -> new Page(reservation.get(), Math.toIntExact(limit.get())));
    }

    private static RepairView view(SystemsQueries.Kept kept) {
        return new RepairView(
                kept.id(),
                kept.rule(),
                kept.objectType(),
                kept.objectId(),
                kept.expectedVersion(),
                kept.target(),
                kept.anomalyId(),
                kept.outcome(),
                kept.attempts(),
                kept.askedBy(),
                kept.at(),
                kept.settledAt());
    }

    @FunctionalInterface
    private interface Reading {
        HttpResponse read() throws SQLException;
    }

    private static HttpResponse read(Reading reading) {
        try {
            return reading.read();
        } catch (SQLException e) {
            throw new CompletionException(e);
        }
    }

    private static CompletionStage<HttpResponse> refused(Exchange exchange, List<InputError> errors) {
        return CompletableFuture.completedFuture(Answers.invalid(errors, exchange.path()));
    }
}
