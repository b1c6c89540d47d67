package io.holdfast.http.route;

import static org.apache.pekko.http.javadsl.server.Directives.completeWithFuture;
import static org.apache.pekko.http.javadsl.server.Directives.concat;
import static org.apache.pekko.http.javadsl.server.Directives.delete;
import static org.apache.pekko.http.javadsl.server.Directives.extractRequest;
import static org.apache.pekko.http.javadsl.server.Directives.get;
import static org.apache.pekko.http.javadsl.server.Directives.pathEnd;
import static org.apache.pekko.http.javadsl.server.Directives.pathPrefix;
import static org.apache.pekko.http.javadsl.server.Directives.put;
import static org.apache.pekko.http.javadsl.server.PathMatchers.segment;

import io.holdfast.http.access.ApiRoute;
import io.holdfast.http.problem.Problem;
import io.holdfast.http.problem.ProblemCode;
import io.holdfast.http.route.Endpoint.Body;
import io.holdfast.http.wire.BaselineRequest;
import io.holdfast.http.wire.BaselineView;
import io.holdfast.json.Fields;
import io.holdfast.json.InputError;
import io.holdfast.json.JsonValue.ObjectValue;
import io.holdfast.json.Parsed;
import io.holdfast.reservation.day.BaselineChange;
import io.holdfast.reservation.day.BaselineWithdrawal;
import io.holdfast.reservation.day.Baselines;
import io.holdfast.reservation.day.KeptBaseline;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.server.Route;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code /v1/baselines}. Setting one twice is the same as once, so no key is needed. */
final class BaselineRoutes {

    private static final Logger LOG = LoggerFactory.getLogger(BaselineRoutes.class);

    /** What no baseline comes to. */
    private static final long NO_VERSION = Fields.MAX_INTEGER;

    private final Endpoint endpoint;
    private final Baselines baselines;
    private final QueryThreads threads;
    private final InstantSource clock;
    private final Duration retryAfter;

    BaselineRoutes(
            Endpoint endpoint,
            Baselines baselines,
            QueryThreads threads,
            InstantSource clock,
            HttpSettings.Patience patience) {
        this.endpoint = endpoint;
        this.baselines = baselines;
        this.threads = threads;
        this.clock = clock;
        this.retryAfter = patience.retryAfter();
    }

    /** Below {@code /v1/baselines}. */
    Route route() {
        return pathPrefix(
                segment(),
                merchant -> pathPrefix(
                        segment(),
                        dish -> pathEnd(() -> concat(
                                get(() -> read(merchant, dish)),
                                put(() -> set(merchant, dish)),
                                delete(() -> withdraw(merchant, dish))))));
    }

    private Route read(String merchantSegment, String dishSegment) {
        return extractRequest(request -> completeWithFuture(endpoint.query(
                request, ApiRoute.BASELINE_GET, Set.of(), exchange -> switch (PathIds.dish(
                        merchantSegment, dishSegment)) {
                    case Parsed.Invalid<PathIds.Dish>(List<InputError> errors) -> refused(exchange, errors);
                    case Parsed.Valid<PathIds.Dish>(PathIds.Dish of) -> threads.read(() -> found(exchange, of));
                })));
    }

    private HttpResponse found(Exchange exchange, PathIds.Dish of) {
        try {
            return baselines
                    .find(of.merchant(), of.dish())
                    .map(kept -> tagged(200, kept))
                    .orElseGet(() -> absent(exchange));
        } catch (SQLException e) {
            LOG.warn(
                    "the baseline of {} {} could not be read, trace {}",
                    of.merchant(),
                    of.dish(),
                    exchange.traceId(),
                    e);
            return Answers.problem(
                    Problem.of(ProblemCode.UNAVAILABLE, "The baseline could not be read; try again.", exchange.path()),
                    retryAfter);
        }
    }

    private Route set(String merchantSegment, String dishSegment) {
        return extractRequest(request -> completeWithFuture(endpoint.command(
                request, ApiRoute.BASELINE_PUT, Body.REQUIRED, (exchange, body) -> switch (parsed(
                        merchantSegment, dishSegment, body)) {
                    case Parsed.Invalid<BaselineRequest>(List<InputError> errors) -> refused(exchange, errors);
                    case Parsed.Valid<BaselineRequest>(BaselineRequest wish) ->
                        switch (basedOn(exchange, wish)) {
                            case Parsed.Invalid<BaselineRequest>(List<InputError> errors) -> refused(exchange, errors);
                            case Parsed.Valid<BaselineRequest>(BaselineRequest based) ->
                                threads.read(() -> setTo(exchange, based));
                        };
                })));
    }

    /** With the version that the header names, where it names one. */
    private static Parsed<BaselineRequest> basedOn(Exchange exchange, BaselineRequest wish) {
        return IfMatch.of(exchange.request()).then(condition -> switch (condition) {
            case IfMatch.Any() -> Parsed.valid(wish);
            case IfMatch.Version _, IfMatch.Nothing _
            when wish.expectedVersion().isPresent() ->
                Parsed.invalid(InputError.header(
                        IfMatch.HEADER,
                        InputError.Code.CONFLICTING,
                        "The body names the version already, as expected_version."));
            case IfMatch.Version(long version) -> Parsed.valid(wish.basedOn(version));
            case IfMatch.Nothing() -> Parsed.valid(wish.basedOn(NO_VERSION));
        });
    }

    private static Parsed<BaselineRequest> parsed(String merchant, String dish, ObjectValue body) {
        return PathIds.dish(merchant, dish).then(of -> BaselineRequest.parse(of.merchant(), of.dish(), body));
    }

    private HttpResponse setTo(Exchange exchange, BaselineRequest wish) {
        try {
            boolean mustBeThere =
                    IfMatch.isIn(exchange.request()) && wish.expectedVersion().isEmpty();
            if (mustBeThere
                    && baselines
                            .find(wish.baseline().merchant(), wish.baseline().dish())
                            .isEmpty()) {
                return changed(exchange, Optional.empty());
            }
            return switch (baselines.set(
                    wish.baseline(),
                    wish.zone(),
                    wish.expectedVersion(),
                    exchange.caller().name())) {
                case BaselineChange.Stands(KeptBaseline kept, boolean created) ->
                    created ? Answers.withHeader(tagged(201, kept), "Location", exchange.path()) : tagged(200, kept);
                case BaselineChange.OtherVersion(Optional<KeptBaseline> kept) -> changed(exchange, kept);
                case BaselineChange.OtherZone(ZoneId zone) ->
                    Answers.problem(Problem.of(
                                    ProblemCode.OTHER_ZONE,
                                    "The merchant's days are told by " + zone.getId() + ".",
                                    exchange.path())
                            .with("zone_now", zone.getId()));
            };
        } catch (SQLException e) {
            return unknown(exchange, e);
        }
    }

    private Route withdraw(String merchantSegment, String dishSegment) {
        return extractRequest(request -> completeWithFuture(endpoint.query(
                request, ApiRoute.BASELINE_WITHDRAW, Set.of(), exchange -> switch (PathIds.dish(
                                merchantSegment, dishSegment)
                        .then(of -> IfMatch.of(exchange.request())
                                .then(condition -> Parsed.valid(new Withdrawal(of, version(condition)))))) {
                    case Parsed.Invalid<Withdrawal>(List<InputError> errors) -> refused(exchange, errors);
                    case Parsed.Valid<Withdrawal>(Withdrawal wish) -> threads.read(() -> withdrawn(exchange, wish));
                })));
    }

    /** @param expectedVersion the version it is based on; empty where the caller does not care */
    private record Withdrawal(PathIds.Dish of, OptionalLong expectedVersion) {}

    private static OptionalLong version(IfMatch condition) {
        return switch (condition) {
            case IfMatch.Any() -> OptionalLong.empty();
            case IfMatch.Version(long version) -> OptionalLong.of(version);
            case IfMatch.Nothing() -> OptionalLong.of(NO_VERSION);
        };
    }

    private HttpResponse withdrawn(Exchange exchange, Withdrawal wish) {
        try {
            return switch (baselines.withdraw(
                    wish.of().merchant(),
                    wish.of().dish(),
                    wish.expectedVersion(),
                    exchange.caller().name())) {
                case BaselineWithdrawal.Done() -> HttpResponse.create().withStatus(204);
                case BaselineWithdrawal.NoneThere() -> absent(exchange);
                case BaselineWithdrawal.OtherVersion(KeptBaseline kept) -> changed(exchange, Optional.of(kept));
            };
        } catch (SQLException e) {
            return unknown(exchange, e);
        }
    }

    private HttpResponse tagged(int status, KeptBaseline kept) {
        var view = BaselineView.of(kept, baselines.calendar(kept.baseline().merchant()), clock.instant());
        return Answers.withHeader(Answers.json(status, view), "ETag", IfMatch.tag(kept.version()));
    }

    private static HttpResponse changed(Exchange exchange, Optional<KeptBaseline> kept) {
        return Answers.problem(Problem.of(
                        exchange.asConditional(ProblemCode.BASELINE_CHANGED),
                        "The baseline is not the one the change was based on; look again.",
                        exchange.path())
                .with("version_now", kept.map(KeptBaseline::version).orElse(0L)));
    }

    private static HttpResponse absent(Exchange exchange) {
        return Answers.problem(
                Problem.of(ProblemCode.BASELINE_UNKNOWN, "Nothing is set out for this dish.", exchange.path()));
    }

    /** The commit may have happened, and only its answer been lost. */
    private HttpResponse unknown(Exchange exchange, SQLException failure) {
        LOG.warn("whether a baseline was changed is not known, trace {}", exchange.traceId(), failure);
        return Answers.problem(
                Problem.of(
                        ProblemCode.OUTCOME_UNKNOWN,
                        "The database did not answer; ask again with the same content.",
                        exchange.path()),
                retryAfter);
    }

    private static CompletionStage<HttpResponse> refused(Exchange exchange, List<InputError> errors) {
        return CompletableFuture.completedFuture(Answers.invalid(errors, exchange.path()));
    }
}
