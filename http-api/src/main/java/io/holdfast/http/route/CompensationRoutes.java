package io.holdfast.http.route;

import static org.apache.pekko.http.javadsl.server.Directives.completeWithFuture;
import static org.apache.pekko.http.javadsl.server.Directives.concat;
import static org.apache.pekko.http.javadsl.server.Directives.extractRequest;
import static org.apache.pekko.http.javadsl.server.Directives.get;
import static org.apache.pekko.http.javadsl.server.Directives.path;
import static org.apache.pekko.http.javadsl.server.Directives.pathEnd;
import static org.apache.pekko.http.javadsl.server.Directives.pathPrefix;
import static org.apache.pekko.http.javadsl.server.Directives.post;
import static org.apache.pekko.http.javadsl.server.PathMatchers.segment;

import io.holdfast.compensation.domain.Compensation;
import io.holdfast.compensation.domain.CompensationCommand;
import io.holdfast.compensation.view.CompensationFilter;
import io.holdfast.compensation.view.CompensationListing;
import io.holdfast.compensation.view.CompensationQueries;
import io.holdfast.http.access.ApiRoute;
import io.holdfast.http.route.Endpoint.Body;
import io.holdfast.http.route.EntityAnswers.Success;
import io.holdfast.http.wire.CompensationOrder;
import io.holdfast.http.wire.CompensationsView;
import io.holdfast.http.wire.Pools;
import io.holdfast.json.InputError;
import io.holdfast.json.JsonValue.ObjectValue;
import io.holdfast.json.Parsed;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.server.Route;

/** {@code /v1/compensations}: stock that goes back, and what persons decide where Redis contradicts it. */
final class CompensationRoutes {

    private static final int USUAL_PAGE = 100;
    private static final Pattern KEY =
            Pattern.compile("RELEASE:[A-Za-z0-9._-]{1,64}|REFUND:[A-Za-z0-9._-]{1,64}:[A-Za-z0-9._-]{1,64}");
    private static final String KEY_SYNTAX = "RELEASE:reservation, or REFUND:reservation:refund";
    private static final Pattern RESERVATION = Pattern.compile("[0-9a-f]{32}");
    private static final String STATUSES =
            Stream.of(Compensation.Status.values()).map(Enum::name).collect(Collectors.joining(", "));

    private final Endpoint endpoint;
    private final EntityAnswers<Compensation, CompensationCommand> compensations;
    private final CompensationSearch search;
    private final QueryThreads threads;

    CompensationRoutes(
            Endpoint endpoint,
            EntityAnswers<Compensation, CompensationCommand> compensations,
            CompensationSearch search,
            QueryThreads threads) {
        this.endpoint = endpoint;
        this.compensations = compensations;
        this.search = search;
        this.threads = threads;
    }

    /** Below {@code /v1/compensations}. */
    Route route() {
        return concat(
                pathEnd(() -> get(this::list)),
                pathPrefix(
                        segment(),
                        key -> concat(
                                pathEnd(() -> get(() -> read(key))),
                                path(
                                        "freeze",
                                        () -> post(() ->
                                                order(key, ApiRoute.COMPENSATION_FREEZE, CompensationOrder::freeze))),
                                path(
                                        "resolve",
                                        () -> post(() ->
                                                order(key, ApiRoute.COMPENSATION_RESOLVE, CompensationOrder::resolve))),
                                path(
                                        "approve",
                                        () -> post(() ->
                                                order(key, ApiRoute.COMPENSATION_APPROVE, CompensationOrder::approve))),
                                path(
                                        "decline",
                                        () -> post(() -> order(
                                                key, ApiRoute.COMPENSATION_DECLINE, CompensationOrder::decline))))));
    }

    private Route order(String segment, ApiRoute route, Function<ObjectValue, Parsed<CompensationOrder>> parse) {
        return extractRequest(request -> completeWithFuture(endpoint.command(
                request, route, Body.REQUIRED, (exchange, body) -> switch (key(segment)) {
                    case Parsed.Invalid<String>(List<InputError> errors) -> refused(exchange, errors);
                    case Parsed.Valid<String>(String key) ->
                        switch (parse.apply(body)) {
                            case Parsed.Invalid<CompensationOrder>(List<InputError> errors) ->
                                refused(exchange, errors);
                            case Parsed.Valid<CompensationOrder>(CompensationOrder order) ->
                                given(exchange, key, order);
                        };
                })));
    }

    private CompletionStage<HttpResponse> given(Exchange exchange, String key, CompensationOrder order) {
        return exchange.keyMissing()
                .map(missing -> refused(exchange, List.of(missing)))
                .orElseGet(() -> compensations.give(
                        exchange,
                        key,
                        exchange.order(key, order.content()),
                        order.command(exchange.caller().name()),
                        Success.OK));
    }

    private Route read(String segment) {
        return extractRequest(request -> completeWithFuture(endpoint.query(
                request, ApiRoute.COMPENSATION_GET, Set.of(), exchange -> switch (key(segment)) {
                    case Parsed.Invalid<String>(List<InputError> errors) -> refused(exchange, errors);
                    case Parsed.Valid<String>(String key) ->
                        compensations.look(key).thenApply(outcome -> compensations.read(exchange, key, outcome));
                })));
    }

    private record Page(CompensationFilter filter, Optional<String> after, int limit) {}

    private Route list() {
        return extractRequest(request -> completeWithFuture(endpoint.query(
                request,
                ApiRoute.COMPENSATIONS,
                Set.of("status", "pool", "reservation_id", "after", "limit"),
                exchange -> switch (page(exchange)) {
                    case Parsed.Invalid<Page>(List<InputError> errors) -> refused(exchange, errors);
                    case Parsed.Valid<Page>(Page page) ->
                        page.filter()
                                .pool()
                                .flatMap(pool -> exchange.refusedFor(pool.merchant()))
                                .<CompletionStage<HttpResponse>>map(CompletableFuture::completedFuture)
                                .orElseGet(() -> threads.read(() -> Answers.json(
                                        200, CompensationsView.of(listed(page), page.filter(), page.limit()))));
                })));
    }

    private CompensationListing listed(Page page) {
        try {
            return search.list(page.filter(), page.after(), page.limit());
        } catch (SQLException e) {
            throw new CompletionException(e);
        }
    }

    private static Parsed<Page> page(Exchange exchange) {
        var query = new QueryParameters(exchange.query());
        var status = query.optional("status", CompensationRoutes::status, "one of " + STATUSES);
        var pool = query.optional("pool", Pools::known, Pools.SYNTAX);
        var reservation = query.optional(
                "reservation_id",
                text -> RESERVATION.matcher(text).matches() ? Optional.of(text) : Optional.empty(),
                "a reservation id: 32 lower-case hex digits");
        var after = query.optional(
                "after", text -> KEY.matcher(text).matches() ? Optional.of(text) : Optional.empty(), KEY_SYNTAX);
        var limit = query.integer("limit", 1, CompensationQueries.LONGEST_PAGE, USUAL_PAGE);
        return query.into(() -> new Page(
                new CompensationFilter(
                        status.get(),
                        pool.get(),
                        reservation.get(),
                        exchange.scope().merchants()),
                after.get(),
                Math.toIntExact(limit.get())));
    }

    private static Optional<Compensation.Status> status(String text) {
        return Stream.of(Compensation.Status.values())
                .filter(status -> status.name().equals(text))
                .findFirst();
    }

    private static Parsed<String> key(String segment) {
        return KEY.matcher(segment).matches()
                ? Parsed.valid(segment)
                : Parsed.invalid(InputError.path(
                        "compensation", InputError.Code.BAD_SYNTAX, "A compensation's key is " + KEY_SYNTAX + "."));
    }

    private static CompletionStage<HttpResponse> refused(Exchange exchange, List<InputError> errors) {
        return CompletableFuture.completedFuture(Answers.invalid(errors, exchange.path()));
    }
}
