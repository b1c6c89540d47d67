package io.holdfast.http.route;

import static org.apache.pekko.http.javadsl.server.Directives.completeWithFuture;
import static org.apache.pekko.http.javadsl.server.Directives.concat;
import static org.apache.pekko.http.javadsl.server.Directives.extractRequest;
import static org.apache.pekko.http.javadsl.server.Directives.get;
import static org.apache.pekko.http.javadsl.server.Directives.path;
import static org.apache.pekko.http.javadsl.server.Directives.pathEnd;
import static org.apache.pekko.http.javadsl.server.Directives.post;
import static org.apache.pekko.http.javadsl.server.PathMatchers.segment;

import io.holdfast.http.access.ApiRoute;
import io.holdfast.http.problem.Problem;
import io.holdfast.http.problem.ProblemCode;
import io.holdfast.http.route.Endpoint.Body;
import io.holdfast.http.wire.Paths;
import io.holdfast.http.wire.ReconciliationRequest;
import io.holdfast.http.wire.ReconciliationViews;
import io.holdfast.json.ContentHash;
import io.holdfast.json.Fields;
import io.holdfast.json.InputError;
import io.holdfast.json.Parsed;
import io.holdfast.reconciliation.Run;
import io.holdfast.reconciliation.RunDesk;
import io.holdfast.reconciliation.RunDesk.Asked;
import io.holdfast.reconciliation.RunRequest.Scope;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.domain.StockPoolCommand;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.server.Route;

/** {@code /v1/reconciliations}: comparisons of Redis with the journals. Any node takes the wish; one of the fleet carries it out. */
final class ReconciliationRoutes {

    private static final int LONGEST_PAGE = 500;
    private static final int USUAL_PAGE = 100;
    private static final int HEX_DIGITS = 32;

    private final Endpoint endpoint;
    private final EntityAnswers<StockPool, StockPoolCommand> pools;
    private final RunDesk runs;
    private final QueryThreads threads;

    ReconciliationRoutes(
            Endpoint endpoint, EntityAnswers<StockPool, StockPoolCommand> pools, RunDesk runs, QueryThreads threads) {
        this.endpoint = endpoint;
        this.pools = pools;
        this.runs = runs;
        this.threads = threads;
    }

    /** Below {@code /v1/reconciliations}. */
    Route route() {
        return concat(
                pathEnd(() -> concat(post(this::ask), get(this::list))), path(segment(), run -> get(() -> read(run))));
    }

    private Route ask() {
        return extractRequest(request -> completeWithFuture(endpoint.command(
                request, ApiRoute.RECONCILE, Body.REQUIRED, (exchange, body) -> switch (ReconciliationRequest.parse(
                        body)) {
                    case Parsed.Invalid<ReconciliationRequest>(List<InputError> errors) -> refused(exchange, errors);
                    case Parsed.Valid<ReconciliationRequest>(ReconciliationRequest wish) ->
                        switch (wish.scope()) {
                            // A run about a pool that was never made would find nothing, and look like a proof.
                            case Scope.OnePool(String pool) ->
                                pools.whereThere(exchange, pool, () -> begun(exchange, wish));
                            case Scope.Prefix _, Scope.All _ -> begun(exchange, wish);
                        };
                })));
    }

    private CompletionStage<HttpResponse> begun(Exchange exchange, ReconciliationRequest wish) {
        return asked(() -> switch (runs.ask(
                id(exchange), wish.of(exchange.caller().name()))) {
            case Asked.Begun(Run run) ->
                Answers.withHeader(
                        Answers.json(202, ReconciliationViews.of(run)), "Location", Paths.reconciliation(run.id()));
            case Asked.Reused() ->
                Answers.problem(Problem.of(
                        ProblemCode.KEY_REUSED, "This key was given before with another wish.", exchange.path()));
        });
    }

    /** The same key of the same caller is the same run. Without a key every request is another one. */
    private static String id(Exchange exchange) {
        return exchange.key()
                .map(key -> ContentHash.of("reconciliation")
                        .with("caller", exchange.caller().name())
                        .with("key", key)
                        .hex()
                        .substring(0, HEX_DIGITS))
                .orElseGet(() -> UUID.randomUUID().toString().replace("-", ""));
    }

    private record Page(long from, int limit) {}

    private Route list() {
        return extractRequest(request -> completeWithFuture(endpoint.query(
                request, ApiRoute.RECONCILIATIONS, Set.of("before", "limit"), exchange -> switch (page(
                        exchange, "before")) {
                    case Parsed.Invalid<Page>(List<InputError> errors) -> refused(exchange, errors);
                    case Parsed.Valid<Page>(Page page) ->
                        asked(() -> Answers.json(
                                200, ReconciliationViews.list(runs.list(page.from(), page.limit()), page.limit())));
                })));
    }

    private Route read(String run) {
        return extractRequest(request -> completeWithFuture(endpoint.query(
                request, ApiRoute.RECONCILIATION_GET, Set.of("after", "limit"), exchange -> switch (PathIds.kept(
                                "run", run)
                        .then(_ -> page(exchange, "after"))) {
                    case Parsed.Invalid<Page>(List<InputError> errors) -> refused(exchange, errors);
                    case Parsed.Valid<Page>(Page page) ->
                        asked(() -> {
                            var found = runs.find(run);
                            if (found.isEmpty()) {
                                return Answers.problem(Problem.of(
                                        ProblemCode.NO_SUCH_RUN,
                                        "No reconciliation of this id is kept.",
                                        exchange.path()));
                            }
                            return Answers.json(
                                    200,
                                    ReconciliationViews.of(
                                            found.get(), runs.findings(run, page.from(), page.limit()), page.limit()));
                        });
                })));
    }

    private static Parsed<Page> page(Exchange exchange, String from) {
        var query = new QueryParameters(exchange.query());
        var begin = query.integer(from, 0, Fields.MAX_INTEGER, 0);
        var limit = query.integer("limit", 1, LONGEST_PAGE, USUAL_PAGE);
        return query.into(() -> new Page(begin.get(), Math.toIntExact(limit.get())));
    }

    @FunctionalInterface
    private interface Asking {
        HttpResponse answer() throws SQLException;
    }

    private CompletionStage<HttpResponse> asked(Asking asking) {
        return threads.read(() -> {
            try {
                return asking.answer();
            } catch (SQLException e) {
                throw new CompletionException(e);
            }
        });
    }

    private static CompletionStage<HttpResponse> refused(Exchange exchange, List<InputError> errors) {
        return CompletableFuture.completedFuture(Answers.invalid(errors, exchange.path()));
    }
}
