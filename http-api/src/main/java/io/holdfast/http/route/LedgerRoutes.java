package io.holdfast.http.route;

import static org.apache.pekko.http.javadsl.server.Directives.completeWithFuture;
import static org.apache.pekko.http.javadsl.server.Directives.concat;
import static org.apache.pekko.http.javadsl.server.Directives.extractRequest;
import static org.apache.pekko.http.javadsl.server.Directives.get;
import static org.apache.pekko.http.javadsl.server.Directives.path;
import static org.apache.pekko.http.javadsl.server.Directives.pathEnd;
import static org.apache.pekko.http.javadsl.server.Directives.pathPrefix;
import static org.apache.pekko.http.javadsl.server.PathMatchers.segment;

import io.holdfast.http.access.ApiRoute;
import io.holdfast.http.problem.Problem;
import io.holdfast.http.problem.ProblemCode;
import io.holdfast.http.wire.LedgerViews.AnomaliesView;
import io.holdfast.http.wire.LedgerViews.LedgerView;
import io.holdfast.http.wire.LedgerViews.SnapshotView;
import io.holdfast.http.wire.Paths;
import io.holdfast.http.wire.Pools;
import io.holdfast.json.InputError;
import io.holdfast.json.Parsed;
import io.holdfast.json.Timestamps;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.ledger.AnomalyQueries;
import io.holdfast.reservation.ledger.LedgerFilter;
import io.holdfast.reservation.ledger.LedgerPage;
import io.holdfast.reservation.ledger.LedgerQueries;
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

/** What became of the numbers of pools: {@code /v1/pools/{pool}/ledger}, {@code …/snapshot} and {@code /v1/anomalies}. */
final class LedgerRoutes {

    private static final int USUAL_PAGE = 100;

    private static final String CURSOR = "cursor";
    private static final Pattern CLASS = Pattern.compile("REPAIR|WAIT|MANUAL");
    private static final Pattern BOOLEAN = Pattern.compile("true|false");
    private static final Pattern CURSOR_SHAPE = Pattern.compile("[A-Za-z0-9_-]{1,400}");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,64}");
    private static final Pattern RESERVATION = Pattern.compile("[0-9a-f]{32}");
    private static final InputError NO_CURSOR =
            InputError.query(CURSOR, InputError.Code.BAD_SYNTAX, "Must be a cursor of this list.");
    /** Class of SQL states that blame a value. */
    private static final String DATA_EXCEPTION = "22";

    private final Endpoint endpoint;
    private final LedgerReads reads;
    private final QueryThreads threads;

    LedgerRoutes(Endpoint endpoint, LedgerReads reads, QueryThreads threads) {
        this.endpoint = endpoint;
        this.reads = reads;
        this.threads = threads;
    }

    /** Below {@code /v1/pools}. */
    Route ofPools() {
        return pathPrefix(
                segment(),
                pool -> concat(
                        path("ledger", () -> get(() -> ledger(pool))),
                        path("snapshot", () -> get(() -> snapshot(pool)))));
    }

    /** Below {@code /v1/anomalies}. */
    Route anomalies() {
        return pathEnd(() -> get(this::listAnomalies));
    }

    private record Page<F>(F filter, Optional<String> cursor, int limit) {}

    private Route ledger(String segment) {
        return extractRequest(request -> completeWithFuture(endpoint.query(
                request,
                ApiRoute.POOL_LEDGER,
                Set.of("from", "to", "reservation_id", CURSOR, "limit"),
                exchange -> switch (ledgerPage(segment, exchange)) {
                    case Parsed.Invalid<Page<LedgerFilter>>(List<InputError> errors) -> refused(exchange, errors);
                    case Parsed.Valid<Page<LedgerFilter>>(Page<LedgerFilter> page) ->
                        paged(exchange, page, () -> ledger(exchange, page));
                })));
    }

    /** Nothing on a page may be what was asked for; nothing of the pool at all means that there is none. */
    private HttpResponse ledger(Exchange exchange, Page<LedgerFilter> page) throws SQLException {
        LedgerFilter filter = page.filter();
        LedgerPage found = reads.page(filter, page.cursor(), page.limit());
        return found.rows().isEmpty() && reads.snapshot(filter.pool()).isEmpty()
                ? absent(exchange, filter.pool())
                : Answers.json(200, LedgerView.of(found, filter, page.limit()));
    }

    private static Parsed<Page<LedgerFilter>> ledgerPage(String segment, Exchange exchange) {
        var query = new QueryParameters(exchange.query());
        var from = query.optional("from", Timestamps::parse, Timestamps.SYNTAX);
        var to = query.optional("to", Timestamps::parse, Timestamps.SYNTAX);
        var reservation = query.optional(
                "reservation_id", text -> shaped(RESERVATION, text), "a reservation id: 32 lower-case hex digits");
        var cursor = query.optional(CURSOR, text -> shaped(CURSOR_SHAPE, text), "a cursor of this list");
        var limit = query.integer("limit", 1, LedgerQueries.LONGEST_PAGE, USUAL_PAGE);
        return PathIds.pool(segment)
                .then(pool -> query.into(() -> new Page<>(
                        new LedgerFilter(pool, from.get(), to.get(), reservation.get()),
                        cursor.get(),
                        Math.toIntExact(limit.get()))));
    }

    private Route snapshot(String segment) {
        return extractRequest(request -> completeWithFuture(endpoint.query(
                request, ApiRoute.POOL_SNAPSHOT, Set.of(), exchange -> switch (PathIds.pool(segment)) {
                    case Parsed.Invalid<PoolId>(List<InputError> errors) -> refused(exchange, errors);
                    case Parsed.Valid<PoolId>(PoolId pool) ->
                        threads.read(() -> read(() -> reads.snapshot(pool)))
                                .thenApply(found -> found.map(SnapshotView::of)
                                        .map(view -> Answers.json(200, view))
                                        .orElseGet(() -> absent(exchange, pool)));
                })));
    }

    private static HttpResponse absent(Exchange exchange, PoolId pool) {
        return PathIds.orMistaken(
                Answers.problem(Problem.of(
                                ProblemCode.POOL_UNKNOWN,
                                "Nothing of a pool of this id was projected.",
                                exchange.path())
                        .with("pool", pool.value())
                        .with("pool_url", Paths.pool(pool.value()))),
                pool,
                exchange);
    }

    private Route listAnomalies() {
        return extractRequest(request -> completeWithFuture(endpoint.query(
                request,
                ApiRoute.ANOMALIES,
                Set.of("pool", "reservation_id", "type", "source", "class", "open", CURSOR, "limit"),
                exchange -> switch (anomalyPage(exchange)) {
                    case Parsed.Invalid<Page<AnomalyQueries.Filter>>(List<InputError> errors) ->
                        refused(exchange, errors);
                    case Parsed.Valid<Page<AnomalyQueries.Filter>>(Page<AnomalyQueries.Filter> page) ->
                        page.filter()
                                .pool()
                                .flatMap(pool -> exchange.refusedFor(pool.merchant()))
                                .<CompletionStage<HttpResponse>>map(CompletableFuture::completedFuture)
                                .orElseGet(() -> paged(
                                        exchange,
                                        page,
                                        () -> Answers.json(
                                                200,
                                                AnomaliesView.of(
                                                        reads.anomalies(page.filter(), page.cursor(), page.limit())))));
                })));
    }

    private static Parsed<Page<AnomalyQueries.Filter>> anomalyPage(Exchange exchange) {
        var query = new QueryParameters(exchange.query());
        var pool = query.optional("pool", Pools::parse, Pools.SYNTAX);
        var reservation = query.optional(
                "reservation_id", text -> shaped(RESERVATION, text), "a reservation id: 32 lower-case hex digits");
        var type = query.optional("type", text -> shaped(NAME, text), "a type of anomalies");
        var source = query.optional("source", text -> shaped(NAME, text), "who finds anomalies");
        var kind = query.optional("class", text -> shaped(CLASS, text), "REPAIR, WAIT or MANUAL");
        var open = query.optional("open", text -> shaped(BOOLEAN, text).map(Boolean::valueOf), "true or false");
        var cursor = query.optional(CURSOR, text -> shaped(CURSOR_SHAPE, text), "a cursor of this list");
        var limit = query.integer("limit", 1, AnomalyQueries.LONGEST_PAGE, USUAL_PAGE);
        return query.into(() -> new Page<>(
                new AnomalyQueries.Filter(
                        pool.get(),
                        reservation.get(),
                        type.get(),
                        source.get(),
                        kind.get(),
                        open.get(),
                        exchange.scope().merchants()),
                cursor.get(),
                Math.toIntExact(limit.get())));
    }

    private static Optional<String> shaped(Pattern shape, String text) {
        return shape.matcher(text).matches() ? Optional.of(text) : Optional.empty();
    }

    @FunctionalInterface
    private interface Reading<T> {
        T read() throws SQLException;
    }

    private static <T> T read(Reading<T> reading) {
        try {
            return reading.read();
        } catch (SQLException e) {
            throw new CompletionException(e);
        }
    }

    /** A page, or that its cursor is none: everything else of the query was checked before. */
    private CompletionStage<HttpResponse> paged(Exchange exchange, Page<?> page, Reading<HttpResponse> reading) {
        return threads.read(() -> {
            try {
                return reading.read();
            } catch (IllegalArgumentException e) {
                return Answers.invalid(List.of(NO_CURSOR), exchange.path());
            } catch (SQLException e) {
                boolean valueRefused =
                        e.getSQLState() != null && e.getSQLState().startsWith(DATA_EXCEPTION);
                if (valueRefused && page.cursor().isPresent()) {
                    return Answers.invalid(List.of(NO_CURSOR), exchange.path());
                }
                throw new CompletionException(e);
            }
        });
    }

    private static CompletionStage<HttpResponse> refused(Exchange exchange, List<InputError> errors) {
        return CompletableFuture.completedFuture(Answers.invalid(errors, exchange.path()));
    }
}
