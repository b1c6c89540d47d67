package io.holdfast.http.route;

import static org.apache.pekko.http.javadsl.server.Directives.completeWithFuture;
import static org.apache.pekko.http.javadsl.server.Directives.extractRequest;
import static org.apache.pekko.http.javadsl.server.Directives.path;
import static org.apache.pekko.http.javadsl.server.Directives.pathPrefix;
import static org.apache.pekko.http.javadsl.server.Directives.post;
import static org.apache.pekko.http.javadsl.server.PathMatchers.segment;

import io.holdfast.http.access.ApiRoute;
import io.holdfast.http.access.Denial;
import io.holdfast.http.problem.Problem;
import io.holdfast.http.problem.ProblemCode;
import io.holdfast.http.route.Endpoint.Body;
import io.holdfast.http.wire.AdmissionRequest;
import io.holdfast.http.wire.AdmissionView;
import io.holdfast.http.wire.Paths;
import io.holdfast.json.InputError;
import io.holdfast.json.Parsed;
import io.holdfast.reservation.entity.AdmissionDesk.Answer;
import io.holdfast.reservation.entity.AdmissionDesk.Wish;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.server.Route;

/** {@code /v1/sales}: users ask to be let in. */
final class SaleRoutes {

    private final Endpoint endpoint;
    private final SaleParts parts;
    private final HoldRequests holds;
    private final HttpSettings.Patience patience;

    SaleRoutes(Endpoint endpoint, SaleParts parts, HoldRequests holds, HttpSettings.Patience patience) {
        this.endpoint = endpoint;
        this.parts = parts;
        this.holds = holds;
        this.patience = patience;
    }

    /** Below {@code /v1/sales}. */
    Route route() {
        return pathPrefix(
                segment(),
                activity -> pathPrefix(
                        "skus",
                        () -> pathPrefix(
                                segment(), sku -> path("reservations", () -> post(() -> admit(activity, sku))))));
    }

    private Route admit(String activity, String sku) {
        return extractRequest(request -> completeWithFuture(endpoint.command(
                request, ApiRoute.ADMIT, Body.REQUIRED, (exchange, body) -> switch (PathIds.sale(activity, sku)
                        .then(sale -> AdmissionRequest.parse(body)
                                .then(wish -> Parsed.valid(new Wish(
                                        sale.activity(),
                                        sale.sku(),
                                        wish.userId(),
                                        wish.requestId(),
                                        wish.quantity()))))) {
                    case Parsed.Invalid<Wish>(List<InputError> errors) ->
                        CompletableFuture.completedFuture(Answers.invalid(errors, exchange.path()));
                    case Parsed.Valid<Wish>(Wish wish)
                    when exchange.boundTo().isPresent() && !exchange.boundTo().equals(Optional.of(wish.user())) ->
                        CompletableFuture.completedFuture(exchange.forbidden(Denial.USER));
                    case Parsed.Valid<Wish>(Wish wish) -> {
                        Duration longest = exchange.patience().plus(patience.grace());
                        yield parts.gate()
                                .admit(wish, exchange.patience())
                                .toCompletableFuture()
                                .copy()
                                .thenApply(answer -> answered(exchange, wish, answer))
                                .completeOnTimeout(slow(exchange, wish), longest.toMillis(), TimeUnit.MILLISECONDS)
                                .thenApply(exchange.preferences()::noted);
                    }
                })));
    }

    private HttpResponse answered(Exchange exchange, Wish wish, Answer answer) {
        return switch (answer) {
            case Answer.Queued queued -> {
                HttpResponse response = Answers.withHeader(
                        Answers.json(202, AdmissionView.of(wish, queued)),
                        "Location",
                        Paths.reservation(queued.reservation()));
                yield queued.repeated() ? Answers.withHeader(response, "Idempotency-Replayed", "true") : response;
            }
            case Answer.Ended(String reservation, String phase) ->
                problem(addressed(
                                exchange,
                                wish,
                                ProblemCode.ADMISSION_ENDED,
                                "The hold of this request has ended.",
                                reservation)
                        .with("phase", phase));
            case Answer.RequestReused(String reservation, long quantity) ->
                problem(addressed(
                                exchange,
                                wish,
                                ProblemCode.REQUEST_ID_REUSED,
                                "This request of the user was let in with other content.",
                                reservation)
                        .with("quantity", quantity));
            case Answer.NotStarted(var opensAt) ->
                problem(of(exchange, wish, ProblemCode.NOT_STARTED, "The sale has not begun.")
                        .with("opens_at", opensAt));
            case Answer.Closed() -> problem(of(exchange, wish, ProblemCode.CLOSED, "The sale is over."));
            case Answer.Paused() -> problem(of(exchange, wish, ProblemCode.SALE_PAUSED, "The sale is paused."));
            case Answer.LimitReached(long held, long limit) ->
                problem(of(exchange, wish, ProblemCode.LIMIT_REACHED, "The user would hold more than the sale allows.")
                        .with("held", held)
                        .with("limit_per_user", limit));
            case Answer.SoldOut() ->
                problem(of(
                                exchange,
                                wish,
                                ProblemCode.SOLD_OUT,
                                "Fewer units are available than were asked for; nothing was recorded.")
                        .with("recorded", false));
            case Answer.HeldBack(var reason) ->
                later(of(
                                exchange,
                                wish,
                                ProblemCode.ADMISSION_HELD_BACK,
                                "Nobody is let in until what was let in is taken over; nothing was recorded.")
                        .with("reason", reason));
            case Answer.NoSale() -> problem(of(exchange, wish, ProblemCode.NO_SALE, "The pool has no gate."));
            case Answer.TurnedAway(var reason) -> holds.turnedAway(exchange, wish.pool(), reason);
            case Answer.Unsure(String reservation, var _) ->
                Answers.withHeader(
                        later(addressed(
                                exchange,
                                wish,
                                ProblemCode.OUTCOME_UNKNOWN,
                                "It may have been let in; ask again with the same ids, or read the address given.",
                                reservation)),
                        "Location",
                        Paths.reservation(reservation));
            case Answer.Unreached _ ->
                later(of(exchange, wish, ProblemCode.UNAVAILABLE, "The request was not taken; nothing was changed."));
        };
    }

    private HttpResponse slow(Exchange exchange, Wish wish) {
        return later(of(
                exchange, wish, ProblemCode.OUTCOME_UNKNOWN, "No answer came in time; ask again with the same ids."));
    }

    private static Problem addressed(
            Exchange exchange, Wish wish, ProblemCode code, String detail, String reservation) {
        return of(exchange, wish, code, detail)
                .with("reservation_id", reservation)
                .with("reservation_url", Paths.reservation(reservation));
    }

    private static Problem of(Exchange exchange, Wish wish, ProblemCode code, String detail) {
        String pool = wish.pool().value();
        return Problem.of(code, detail, exchange.path()).with("pool", pool).with("pool_url", Paths.pool(pool));
    }

    private static HttpResponse problem(Problem problem) {
        return Answers.problem(problem);
    }

    private HttpResponse later(Problem problem) {
        return Answers.problem(problem, patience.retryAfter());
    }
}
