package io.holdfast.http.route;

import io.holdfast.http.access.ApiRoute;
import io.holdfast.http.metrics.HttpMetrics;
import io.holdfast.http.problem.Problem;
import io.holdfast.http.problem.ProblemCode;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.headers.TimeoutAccess;
import org.apache.pekko.japi.function.Function;

/** Around all routes: the trace id on every answer, the count and time of every request, and the answer when none comes. */
final class Edge implements Function<HttpRequest, CompletionStage<HttpResponse>> {

    private static final long serialVersionUID = 1;
    private static final Set<String> METHODS = Set.of("GET", "HEAD", "PUT", "POST", "DELETE", "PATCH", "OPTIONS");

    private final transient Function<HttpRequest, CompletionStage<HttpResponse>> routes;
    private final transient HttpMetrics metrics;

    Edge(Function<HttpRequest, CompletionStage<HttpResponse>> routes, HttpMetrics metrics) {
        this.routes = routes;
        this.metrics = metrics;
    }

    @Override
    public CompletionStage<HttpResponse> apply(HttpRequest request) throws Exception {
        long started = System.nanoTime();
        metrics.started();
        String trace = TraceId.of(request);
        request.getHeader(TimeoutAccess.class)
                .ifPresent(access -> access.timeoutAccess()
                        .updateHandler(late -> Answers.withHeader(
                                Answers.problem(Problem.of(
                                        ProblemCode.OUTCOME_UNKNOWN,
                                        "No answer in time; the request may have been recorded. Ask again with the"
                                                + " same key.",
                                        Endpoint.path(late))),
                                TraceId.HEADER,
                                trace)));
        return routes.apply(request.addAttribute(Endpoint.TRACE, trace)).handle((answered, fault) -> {
            HttpResponse response = fault == null ? answered : Endpoint.failed(request, fault);
            String template = response.getAttribute(Endpoint.ROUTE)
                    .map(ApiRoute::template)
                    .orElse("unmatched");
            String method = request.method().name();
            metrics.answered(
                    template,
                    METHODS.contains(method) ? method : "other",
                    response.status().intValue(),
                    Duration.ofNanos(System.nanoTime() - started));
            response.getAttribute(Answers.PROBLEM).ifPresent(code -> metrics.problem(code.name()));
            return Answers.withHeader(
                    Answers.withHeader(
                            Answers.withHeader(response, "X-Content-Type-Options", "nosniff"),
                            "Cache-Control",
                            "no-store"),
                    TraceId.HEADER,
                    trace);
        });
    }
}
