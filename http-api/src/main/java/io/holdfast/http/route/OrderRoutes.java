package io.holdfast.http.route;

import static org.apache.pekko.http.javadsl.server.Directives.completeWithFuture;
import static org.apache.pekko.http.javadsl.server.Directives.extractRequest;
import static org.apache.pekko.http.javadsl.server.Directives.path;
import static org.apache.pekko.http.javadsl.server.Directives.pathPrefix;
import static org.apache.pekko.http.javadsl.server.Directives.post;
import static org.apache.pekko.http.javadsl.server.PathMatchers.segment;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.http.access.ApiRoute;
import io.holdfast.http.problem.Problem;
import io.holdfast.http.problem.ProblemCode;
import io.holdfast.http.route.Endpoint.Body;
import io.holdfast.http.route.EntityAnswers.Success;
import io.holdfast.http.wire.OrderRequest;
import io.holdfast.http.wire.OrderView.Result;
import io.holdfast.http.wire.Paths;
import io.holdfast.http.wire.ReserveRequest;
import io.holdfast.json.InputError;
import io.holdfast.json.Parsed;
import io.holdfast.reservation.domain.Group;
import io.holdfast.reservation.domain.GroupLine;
import io.holdfast.reservation.domain.Line;
import io.holdfast.reservation.domain.PoolChoice;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.entity.GroupDesk;
import io.holdfast.reservation.entity.HoldDesk;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.server.Route;

/** {@code /v1/orders}: the lines of an order in one request. */
final class OrderRoutes {

    private final Endpoint endpoint;
    private final HoldRequests holds;
    private final EntityAnswers<Reservation, ReservationCommand> reservations;
    private final HttpParts parts;
    private final HttpSettings settings;

    OrderRoutes(
            Endpoint endpoint,
            HoldRequests holds,
            EntityAnswers<Reservation, ReservationCommand> reservations,
            HttpParts parts,
            HttpSettings settings) {
        this.endpoint = endpoint;
        this.holds = holds;
        this.reservations = reservations;
        this.parts = parts;
        this.settings = settings;
    }

    /** Below {@code /v1/orders}. */
    Route route() {
        return pathPrefix(segment(), order -> path("reservations", () -> post(() -> reserve(order))));
    }

    private Route reserve(String segment) {
        HttpSettings.Limits limits = settings.limits();
        return extractRequest(request -> completeWithFuture(endpoint.command(
                request, ApiRoute.RESERVE_LINES, Body.REQUIRED, (exchange, body) -> switch (PathIds.order(segment)
                        .then(order -> OrderRequest.parse(order, body, limits.orderLines(), limits.linesTogether()))) {
                    case Parsed.Invalid<OrderRequest>(List<InputError> errors) ->
                        CompletableFuture.completedFuture(Answers.invalid(errors, exchange.path()));
                    case Parsed.Valid<OrderRequest>(OrderRequest wish) ->
                        wish.lines().stream()
                                .flatMap(line ->
                                        exchange.refusedFor(line.terms().line().merchant()).stream())
                                .findFirst()
                                .<CompletionStage<HttpResponse>>map(CompletableFuture::completedFuture)
                                .orElseGet(() ->
                                        wish.allOrNothing() && wish.lines().size() > 1
                                                ? together(exchange, segment, wish)
                                                : each(exchange, segment, wish));
                })));
    }

    // ---- each line on its own

    /** All at once: what becomes of one says nothing of the others. */
    private CompletionStage<HttpResponse> each(Exchange exchange, String order, OrderRequest wish) {
        List<CompletableFuture<LineAnswer>> lines = wish.lines().stream()
                .map(line -> holds.ask(exchange, line)
                        .thenApply(response -> LineAnswer.of(line.terms().line(), response))
                        .toCompletableFuture())
                .toList();
        return CompletableFuture.allOf(lines.toArray(CompletableFuture[]::new))
                .thenApply(_ -> answer(
                        exchange,
                        order,
                        lines.stream().map(CompletableFuture::join).toList(),
                        Result.NOT_ALL_HELD));
    }

    private HttpResponse answer(Exchange exchange, String order, List<LineAnswer> lines, Result otherwise) {
        return LineAnswer.together(
                exchange, order, lines, otherwise, settings.patience().retryAfter());
    }

    // ---- all or nothing

    private CompletionStage<HttpResponse> together(Exchange exchange, String order, OrderRequest asked) {
        Map<String, PoolChoice> choices = new LinkedHashMap<>();
        List<GroupLine> lines = new ArrayList<>();
        for (ReserveRequest line : asked.lines()) {
            PoolChoice choice = holds.pool(line);
            choices.put(line.terms().line().reservationId(), choice);
            lines.add(new GroupLine(choice.pool(), line.terms()));
        }
        var group = new Group(lines);
        var wish = new GroupDesk.Wish(group, choices, parts.clock().instant().plus(parts.attentionAfter()));
        var content = asked.content();
        String deciding = group.deciding().reservationId();
        return reservations
                .bounded(
                        parts.groups().hold(wish, id -> exchange.cause(id, content), exchange.patience()),
                        exchange.patience(),
                        outcome -> (GroupDesk.Answer) new GroupDesk.Answer.NotBegun(deciding, outcome))
                .thenApply(answer -> switch (answer) {
                    case GroupDesk.Answer.Asked(Map<String, Outcome<Reply<Reservation>>> answers) ->
                        answer(
                                exchange,
                                order,
                                LineAnswer.withReasons(asked.lines().stream()
                                        .map(line -> line(exchange, line, answers))
                                        .toList()),
                                Result.NONE_HELD);
                    case GroupDesk.Answer.NotBegun(String id, Outcome<Reply<Reservation>> outcome) ->
                        reservations.answered(exchange, id, outcome, Success.CREATED);
                    case GroupDesk.Answer.OtherPool(String id) -> otherPool(exchange, id);
                    case GroupDesk.Answer.TurnedAway(HoldDesk.Reason reason, PoolId pool) ->
                        holds.turnedAway(exchange, pool, reason);
                });
    }

    private LineAnswer line(Exchange exchange, ReserveRequest wish, Map<String, Outcome<Reply<Reservation>>> answers) {
        Line line = wish.terms().line();
        Outcome<Reply<Reservation>> outcome =
                Optional.ofNullable(answers.get(line.reservationId())).orElseGet(() -> Outcome.unknown("not asked"));
        return LineAnswer.of(line, reservations.answered(exchange, line.reservationId(), outcome, Success.CREATED));
    }

    private static HttpResponse otherPool(Exchange exchange, String reservationId) {
        return Answers.problem(Problem.of(
                        ProblemCode.OTHER_CONTENT,
                        "This line exists in another pool; nothing was changed.",
                        exchange.path())
                .with("reservation_id", reservationId)
                .with("reservation_url", Paths.reservation(reservationId)));
    }
}
