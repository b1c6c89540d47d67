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

import io.holdfast.engine.machine.Cause;
import io.holdfast.http.access.ApiRoute;
import io.holdfast.http.access.Denial;
import io.holdfast.http.problem.Problem;
import io.holdfast.http.problem.ProblemCode;
import io.holdfast.http.route.Endpoint.Body;
import io.holdfast.http.route.EntityAnswers.Success;
import io.holdfast.http.wire.PlacedOrderRequests;
import io.holdfast.http.wire.PlacedOrderRequests.Wish;
import io.holdfast.json.InputError;
import io.holdfast.json.JsonValue.ObjectValue;
import io.holdfast.json.Parsed;
import io.holdfast.order.domain.CancelReason;
import io.holdfast.order.domain.Order;
import io.holdfast.order.domain.OrderCommand;
import io.holdfast.order.domain.OrderFact;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.server.Route;

/** {@code /v1/orders/{id}}: one order of the built-in order service. Where another system makes the orders, its absence is told. */
final class PlacedOrderRoutes {

    private final Endpoint endpoint;
    private final Optional<EntityAnswers<Order, OrderCommand>> orders;

    PlacedOrderRoutes(Endpoint endpoint, Optional<EntityAnswers<Order, OrderCommand>> orders) {
        this.endpoint = endpoint;
        this.orders = orders;
    }

    /** Below {@code /v1/orders}. */
    Route route() {
        return pathPrefix(
                segment(),
                id -> concat(
                        pathEnd(() -> get(() -> read(id))),
                        path("payments", () -> post(() -> asked(id, ApiRoute.ORDER_PAY, PlacedOrderRequests::payment))),
                        path("cancel", () -> post(() -> asked(id, ApiRoute.ORDER_CANCEL, PlacedOrderRequests::cancel))),
                        path(
                                "refunds",
                                () -> post(() -> asked(id, ApiRoute.ORDER_REFUND, PlacedOrderRequests::refund))),
                        path(
                                "freeze",
                                () -> post(() -> ordered(id, ApiRoute.ORDER_FREEZE, PlacedOrderRequests::freeze))),
                        path(
                                "resolve",
                                () -> post(() -> ordered(id, ApiRoute.ORDER_RESOLVE, PlacedOrderRequests::resolve)))));
    }

    private Route read(String segment) {
        return extractRequest(request -> completeWithFuture(endpoint.query(
                request,
                ApiRoute.ORDER_GET,
                Set.of(),
                exchange -> of(
                        exchange,
                        segment,
                        (answers, id) -> answers.look(id).thenApply(outcome -> answers.read(exchange, id, outcome))))));
    }

    /** What a buyer's backend asks for. */
    private Route asked(String segment, ApiRoute route, Function<ObjectValue, Parsed<Wish>> parse) {
        return told(segment, route, parse, (exchange, id, wish) -> Parsed.valid(exchange.cause(id, wish.content())));
    }

    /** What a person orders: only under a key, since the same may be wanted again later. */
    private Route ordered(String segment, ApiRoute route, Function<ObjectValue, Parsed<Wish>> parse) {
        return told(
                segment,
                route,
                parse,
                (exchange, id, wish) -> exchange.keyMissing()
                        .<Parsed<Cause>>map(Parsed::invalid)
                        .orElseGet(() -> Parsed.valid(exchange.order(id, wish.content()))));
    }

    @FunctionalInterface
    private interface Why {
        Parsed<Cause> of(Exchange exchange, String order, Wish wish);
    }

    private Route told(String segment, ApiRoute route, Function<ObjectValue, Parsed<Wish>> parse, Why why) {
        return extractRequest(request -> completeWithFuture(endpoint.command(
                request,
                route,
                Body.OPTIONAL,
                (exchange, body) -> of(exchange, segment, (answers, id) -> switch (parse.apply(body)
                        .then(wish -> why.of(exchange, id, wish).then(cause -> Parsed.valid(new Told(cause, wish))))) {
                    case Parsed.Invalid<Told>(List<InputError> errors) -> refused(exchange, errors);
                    case Parsed.Valid<Told>(Told told)
                    when exchange.boundTo().isPresent() && !isBuyers(told.wish().command()) ->
                        CompletableFuture.completedFuture(exchange.forbidden(Denial.USER));
                    case Parsed.Valid<Told>(Told told) ->
                        answers.give(exchange, id, told.cause(), told.wish().command(), Success.OK);
                }))));
    }

    private record Told(Cause cause, Wish wish) {}

    /** Whether it may come from who bought: nobody calls off an order in the name of somebody with authority but such a one. */
    private static boolean isBuyers(OrderCommand command) {
        return !command.equals(new OrderFact.Cancel(CancelReason.OPERATOR));
    }

    @FunctionalInterface
    private interface Work {
        CompletionStage<HttpResponse> with(EntityAnswers<Order, OrderCommand> answers, String order);
    }

    private CompletionStage<HttpResponse> of(Exchange exchange, String segment, Work work) {
        return switch (PathIds.order(segment)) {
            case Parsed.Invalid<String>(List<InputError> errors) -> refused(exchange, errors);
            case Parsed.Valid<String>(String id) ->
                orders.map(answers -> work.with(answers, id)).orElseGet(() -> elsewhere(exchange));
        };
    }

    private static CompletionStage<HttpResponse> elsewhere(Exchange exchange) {
        return CompletableFuture.completedFuture(Answers.problem(
                Problem.of(ProblemCode.NO_ORDER_SERVICE, ProblemCode.NO_ORDER_SERVICE.title() + ".", exchange.path())));
    }

    private static CompletionStage<HttpResponse> refused(Exchange exchange, List<InputError> errors) {
        return CompletableFuture.completedFuture(Answers.invalid(errors, exchange.path()));
    }
}
