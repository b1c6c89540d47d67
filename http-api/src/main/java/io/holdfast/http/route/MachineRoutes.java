package io.holdfast.http.route;

import static org.apache.pekko.http.javadsl.server.Directives.completeWithFuture;
import static org.apache.pekko.http.javadsl.server.Directives.concat;
import static org.apache.pekko.http.javadsl.server.Directives.extractRequest;
import static org.apache.pekko.http.javadsl.server.Directives.get;
import static org.apache.pekko.http.javadsl.server.Directives.path;
import static org.apache.pekko.http.javadsl.server.Directives.pathEnd;
import static org.apache.pekko.http.javadsl.server.PathMatchers.segment;

import io.holdfast.engine.machine.Matrix;
import io.holdfast.http.access.ApiRoute;
import io.holdfast.http.problem.Problem;
import io.holdfast.http.problem.ProblemCode;
import io.holdfast.http.wire.MachineViews;
import io.holdfast.json.InputError;
import io.holdfast.json.Parsed;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.server.Route;

/** {@code /v1/machines}: what the running code does, derived from it once. */
final class MachineRoutes {

    private final Endpoint endpoint;
    private final MachineViews.Listing listing;
    private final Map<String, MachineViews.Detail> details = new LinkedHashMap<>();

    MachineRoutes(Endpoint endpoint, List<Matrix> machines) {
        this.endpoint = endpoint;
        this.listing = new MachineViews.Listing(
                machines.stream().map(MachineViews.Summary::of).toList());
        machines.forEach(matrix -> details.put(matrix.machine(), MachineViews.Detail.of(matrix)));
    }

    /** Below {@code /v1/machines}. */
    Route route() {
        return concat(pathEnd(() -> get(this::list)), path(segment(), name -> get(() -> one(name))));
    }

    private Route list() {
        return extractRequest(request -> completeWithFuture(endpoint.query(
                request,
                ApiRoute.MACHINES,
                Set.of(),
                _ -> CompletableFuture.completedFuture(Answers.json(200, listing)))));
    }

    private Route one(String name) {
        return extractRequest(request -> completeWithFuture(endpoint.query(
                request,
                ApiRoute.MACHINE_GET,
                Set.of(),
                exchange -> CompletableFuture.completedFuture(
                        switch (PathIds.kept("name", name)) {
                            case Parsed.Invalid<String>(List<InputError> errors) ->
                                Answers.invalid(errors, exchange.path());
                            case Parsed.Valid<String> _ -> detail(exchange, name);
                        }))));
    }

    private HttpResponse detail(Exchange exchange, String name) {
        return Optional.ofNullable(details.get(name))
                .map(detail -> Answers.json(200, detail))
                .orElseGet(() -> Answers.problem(Problem.of(
                        ProblemCode.UNKNOWN_MACHINE, "No machine of this name runs here.", exchange.path())));
    }
}
