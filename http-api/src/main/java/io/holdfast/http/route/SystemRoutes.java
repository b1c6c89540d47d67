package io.holdfast.http.route;

import static org.apache.pekko.http.javadsl.server.Directives.complete;
import static org.apache.pekko.http.javadsl.server.Directives.completeWithFuture;
import static org.apache.pekko.http.javadsl.server.Directives.concat;
import static org.apache.pekko.http.javadsl.server.Directives.extractRequest;
import static org.apache.pekko.http.javadsl.server.Directives.get;
import static org.apache.pekko.http.javadsl.server.Directives.path;
import static org.apache.pekko.http.javadsl.server.PathMatchers.segment;

import io.holdfast.http.access.ApiRoute;
import io.holdfast.http.health.Readiness;
import io.holdfast.http.metrics.HttpMetrics;
import io.holdfast.http.wire.HealthView;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.pekko.http.javadsl.model.ContentType;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.server.Route;

/** What machines and operators ask without a token: health and metrics. */
final class SystemRoutes {

    /** What Prometheus asks for when it speaks its text format. */
    private static final ContentType METRICS = ContentTypes.parse("text/plain; version=0.0.4; charset=utf-8");

    private final Readiness readiness;
    private final HttpMetrics metrics;
    private final QueryThreads threads;

    SystemRoutes(Readiness readiness, HttpMetrics metrics, QueryThreads threads) {
        this.readiness = readiness;
        this.metrics = metrics;
        this.threads = threads;
    }

    Route route() {
        return concat(
                path(segment("health").slash("live"), () -> get(SystemRoutes::live)),
                path(segment("health").slash("ready"), () -> get(this::ready)),
                path("metrics", () -> get(this::metrics)));
    }

    /** The process answers; whether it can serve is another question. */
    private static Route live() {
        return complete(named(ApiRoute.LIVE, Answers.json(200, new HealthView("UP", Map.of()))));
    }

    private Route ready() {
        return guarded(
                ApiRoute.READY,
                () -> readiness.ask().thenApply(health -> {
                    HealthView view = HealthView.of(health);
                    return Answers.json(view.serves() ? 200 : 503, view);
                }));
    }

    private Route metrics() {
        return guarded(
                ApiRoute.METRICS,
                () -> threads.read(metrics::page)
                        .thenApply(page -> HttpResponse.create()
                                .withEntity(METRICS, page.getBytes(java.nio.charset.StandardCharsets.UTF_8))));
    }

    private static Route guarded(ApiRoute route, Supplier<java.util.concurrent.CompletionStage<HttpResponse>> work) {
        return extractRequest(request -> completeWithFuture(work.get()
                .exceptionally(fault -> Endpoint.failed(request, fault))
                .thenApply(response -> named(route, response))));
    }

    private static HttpResponse named(ApiRoute route, HttpResponse response) {
        return response.addAttribute(Endpoint.ROUTE, route);
    }
}
