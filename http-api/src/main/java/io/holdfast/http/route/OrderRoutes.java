package io.holdfast.http.route;

import static org.apache.pekko.http.javadsl.server.Directives.completeWithFuture;
import static org.apache.pekko.http.javadsl.server.Directives.extractRequest;
import static org.apache.pekko.http.javadsl.server.Directives.path;
import static org.apache.pekko.http.javadsl.server.Directives.pathPrefix;
import static org.apache.pekko.http.javadsl.server.Directives.post;
import static org.apache.pekko.http.javadsl.server.PathMatchers.segment;

import io.holdfast.http.route.Endpoint.Body;
import io.holdfast.http.wire.OrderRequest;
import io.holdfast.json.InputError;
import io.holdfast.json.Parsed;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.server.Route;

/** {@code /v1/orders}: the lines of an order in one request. */
final class OrderRoutes {

    private static final String RESERVATIONS = "/v1/orders/{id}/reservations";

    private final Endpoint endpoint;
    private final HoldRequests holds;
    private final int mostLines;
    private final HttpSettings.Patience patience;

    /** @param mostLines lines that one request may ask for */
    OrderRoutes(Endpoint endpoint, HoldRequests holds, int mostLines, HttpSettings.Patience patience) {
        this.endpoint = endpoint;
        this.holds = holds;
        this.mostLines = mostLines;
        this.patience = patience;
    }

    /** Below {@code /v1/orders}. */
    Route route() {
        return pathPrefix(segment(), order -> path("reservations", () -> post(() -> reserve(order))));
    }

    private Route reserve(String segment) {
        return extractRequest(request -> completeWithFuture(endpoint.command(
                request, RESERVATIONS, Body.REQUIRED, (exchange, body) -> switch (PathIds.order(segment)
                        .then(order -> OrderRequest.parse(order, body, mostLines))) {
                    case Parsed.Invalid<OrderRequest>(List<InputError> errors) ->
                        CompletableFuture.completedFuture(Answers.invalid(errors, exchange.path()));
                    case Parsed.Valid<OrderRequest>(OrderRequest wish) -> each(exchange, segment, wish);
                })));
    }

    /** Every line on its own, all at once: what becomes of one says nothing of the others. */
    private CompletionStage<HttpResponse> each(Exchange exchange, String order, OrderRequest wish) {
        List<CompletableFuture<LineAnswer>> asked = wish.lines().stream()
                .map(line -> holds.ask(exchange, line)
                        .thenApply(response -> LineAnswer.of(line.terms().line(), response))
                        .toCompletableFuture())
                .toList();
        return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
                .thenApply(_ -> LineAnswer.together(
                        exchange,
                        order,
                        asked.stream().map(CompletableFuture::join).toList(),
                        patience.retryAfter()));
    }
}
