package io.holdfast.http.route;

import static org.apache.pekko.http.javadsl.server.Directives.completeWithFuture;
import static org.apache.pekko.http.javadsl.server.Directives.extractRequest;
import static org.apache.pekko.http.javadsl.server.Directives.pathEnd;
import static org.apache.pekko.http.javadsl.server.Directives.post;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.http.access.ApiRoute;
import io.holdfast.http.problem.Problem;
import io.holdfast.http.problem.ProblemCode;
import io.holdfast.http.route.Endpoint.Body;
import io.holdfast.http.wire.StatementRequest;
import io.holdfast.http.wire.StatementView;
import io.holdfast.json.InputError;
import io.holdfast.json.Parsed;
import io.holdfast.order.statement.StatementRun;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.server.Route;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code /v1/payment-reconciliations}: the provider's statement held against the payments on record. */
final class StatementRoutes {

    private static final Logger LOG = LoggerFactory.getLogger(StatementRoutes.class);

    private final Endpoint endpoint;
    private final StatementRun run;
    private final Duration retryAfter;

    StatementRoutes(Endpoint endpoint, StatementRun run, Duration retryAfter) {
        this.endpoint = endpoint;
        this.run = run;
        this.retryAfter = retryAfter;
    }

    /** At {@code /v1/payment-reconciliations}. */
    Route route() {
        return pathEnd(() -> post(() -> extractRequest(request -> completeWithFuture(endpoint.command(
                request, ApiRoute.PAYMENT_RECONCILE, Body.REQUIRED, (exchange, body) -> switch (StatementRequest.parse(
                        body)) {
                    case Parsed.Invalid<StatementRequest>(List<InputError> errors) ->
                        CompletableFuture.completedFuture(Answers.invalid(errors, exchange.path()));
                    case Parsed.Valid<StatementRequest>(StatementRequest wish) -> compare(exchange, wish);
                })))));
    }

    private CompletionStage<HttpResponse> compare(Exchange exchange, StatementRequest wish) {
        return run.between(
                        wish.from(), wish.to(), wish.repair(), exchange.caller().name())
                .thenApply(outcome -> switch (outcome) {
                    case Outcome.Known<StatementRun.Report>(StatementRun.Report report) ->
                        Answers.json(200, StatementView.of(wish.from(), wish.to(), report));
                    case Outcome.Unknown<StatementRun.Report>(String why) -> unavailable(exchange, why);
                    case Outcome.Unavailable<StatementRun.Report>(String why) -> unavailable(exchange, why);
                });
    }

    private HttpResponse unavailable(Exchange exchange, String why) {
        LOG.warn("payments could not be compared, trace {}: {}", exchange.traceId(), why);
        return Answers.problem(
                Problem.of(
                        ProblemCode.UNAVAILABLE,
                        "Nothing was compared: the statement or the records can't be read now.",
                        exchange.path()),
                retryAfter);
    }
}
