package io.holdfast.http.route;

import static org.apache.pekko.http.javadsl.server.Directives.completeWithFuture;
import static org.apache.pekko.http.javadsl.server.Directives.concat;
import static org.apache.pekko.http.javadsl.server.Directives.delete;
import static org.apache.pekko.http.javadsl.server.Directives.extractRequest;
import static org.apache.pekko.http.javadsl.server.Directives.get;
import static org.apache.pekko.http.javadsl.server.Directives.path;
import static org.apache.pekko.http.javadsl.server.Directives.pathEnd;
import static org.apache.pekko.http.javadsl.server.Directives.pathPrefix;
import static org.apache.pekko.http.javadsl.server.Directives.post;
import static org.apache.pekko.http.javadsl.server.PathMatchers.segment;

import io.holdfast.http.access.ApiRoute;
import io.holdfast.http.problem.Problem;
import io.holdfast.http.problem.ProblemCode;
import io.holdfast.http.route.Endpoint.Body;
import io.holdfast.http.wire.Pools;
import io.holdfast.http.wire.WebhookRequest;
import io.holdfast.http.wire.WebhookViews.CreatedView;
import io.holdfast.http.wire.WebhookViews.DeliveriesView;
import io.holdfast.http.wire.WebhookViews.DeliveryLogView;
import io.holdfast.http.wire.WebhookViews.DeliveryView;
import io.holdfast.http.wire.WebhookViews.ReplayView;
import io.holdfast.http.wire.WebhookViews.SecretView;
import io.holdfast.http.wire.WebhookViews.WebhookView;
import io.holdfast.http.wire.WebhookViews.WebhooksView;
import io.holdfast.json.Fields;
import io.holdfast.json.InputError;
import io.holdfast.json.InputError.Code;
import io.holdfast.json.JsonValue.ObjectValue;
import io.holdfast.json.Parsed;
import io.holdfast.messaging.webhook.PublicAddresses;
import io.holdfast.messaging.webhook.Webhook;
import io.holdfast.messaging.webhook.WebhookDeliveries;
import io.holdfast.messaging.webhook.WebhookDeliveries.Delivery;
import io.holdfast.messaging.webhook.WebhookSignature;
import io.holdfast.messaging.webhook.Webhooks;
import io.holdfast.messaging.webhook.Webhooks.Made;
import io.holdfast.reservation.domain.PoolId;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.server.Route;

/** {@code /v1/webhooks}. */
final class WebhookRoutes {

    private static final String ALL = "/v1/webhooks/";
    private static final Pattern LITERAL = Pattern.compile("\\[.*]|[0-9.]+");
    private static final Set<String> STATUSES = Set.of("PENDING", "DELIVERED", "GIVEN_UP");
    private static final int USUAL_PAGE = 100;

    private final Endpoint endpoint;
    private final WebhookParts parts;
    private final QueryThreads threads;

    WebhookRoutes(Endpoint endpoint, WebhookParts parts, QueryThreads threads) {
        this.endpoint = endpoint;
        this.parts = parts;
        this.threads = threads;
    }

    /** Below {@code /v1/webhooks}. */
    Route route() {
        return concat(
                pathEnd(() -> concat(get(this::list), post(this::create))),
                pathPrefix(
                        segment(),
                        id -> concat(
                                pathEnd(() -> concat(get(() -> read(id)), delete(() -> remove(id)))),
                                path("enable", () -> post(() -> enable(id))),
                                path("disable", () -> post(() -> disable(id))),
                                path("replay", () -> post(() -> replay(id))),
                                path("secrets", () -> post(() -> addSecret(id))),
                                path(
                                        segment("secrets").slash(segment()),
                                        version -> delete(() -> retireSecret(id, version))),
                                path("deliveries", () -> get(() -> deliveries(id))),
                                path(segment("deliveries").slash(segment()), one -> get(() -> delivery(id, one))),
                                path(
                                        segment("deliveries").slash(segment()).slash("replay"),
                                        one -> post(() -> again(id, one))))));
    }

    // ---- webhooks

    private Route create() {
        return extractRequest(request -> completeWithFuture(endpoint.command(
                request,
                ApiRoute.WEBHOOK_CREATE,
                Body.REQUIRED,
                (exchange, body) -> switch (WebhookRequest.Create.parse(body)) {
                    case Parsed.Invalid<WebhookRequest.Create>(List<InputError> errors) -> refused(exchange, errors);
                    case Parsed.Valid<WebhookRequest.Create>(WebhookRequest.Create wish) ->
                        notAllowed(wish.url())
                                .map(error -> refused(exchange, List.of(error)))
                                .orElseGet(() -> wish.pool()
                                        .flatMap(pool -> exchange.refusedFor(Exchange.merchantOf(pool)))
                                        .<CompletionStage<HttpResponse>>map(CompletableFuture::completedFuture)
                                        .orElseGet(() -> threads.read(() -> made(exchange, wish))));
                })));
    }

    /** A name is looked up when it is called, each time: what it leads to now may change. */
    private Optional<InputError> notAllowed(URI url) {
        if (!parts.anyAddress() && !"https".equalsIgnoreCase(url.getScheme())) {
            return Optional.of(InputError.field("url", Code.CONFLICTING, "This fleet calls https addresses alone."));
        }
        if (parts.anyAddress() || !LITERAL.matcher(url.getHost()).matches()) {
            return Optional.empty();
        }
        try {
            return PublicAddresses.isPublic(InetAddress.getByName(url.getHost()))
                    ? Optional.empty()
                    : Optional.of(notPublic());
        } catch (UnknownHostException e) {
            return Optional.of(notPublic());
        }
    }

    private static InputError notPublic() {
        return InputError.field("url", Code.CONFLICTING, "This fleet calls addresses on the public internet alone.");
    }

    private HttpResponse made(Exchange exchange, WebhookRequest.Create wish) {
        byte[] secret = wish.secret().orElseGet(parts.secrets());
        var content = wish.content();
        var cause = exchange.order("webhooks|" + exchange.caller().name(), content);
        Made made = sql(() -> parts.desk()
                .make(new Webhooks.Wish(
                        parts.ids().get(),
                        wish.url(),
                        wish.about(exchange.scope().merchants()),
                        wish.description(),
                        exchange.caller().name(),
                        exchange.caller().name() + " " + cause.id(),
                        content.hex(),
                        secret)));
        return switch (made) {
            case Made.New(Webhook webhook) ->
                Answers.withHeader(
                        Answers.json(
                                201,
                                new CreatedView(WebhookView.of(webhook), Optional.of(WebhookSignature.shown(secret)))),
                        "Location",
                        ALL + webhook.id());
            case Made.Already(Webhook webhook) ->
                Answers.withHeader(
                        Answers.withHeader(
                                Answers.json(201, new CreatedView(WebhookView.of(webhook), Optional.empty())),
                                "Location",
                                ALL + webhook.id()),
                        "Idempotency-Replayed",
                        "true");
            case Made.OtherContent() ->
                Answers.problem(Problem.of(
                        ProblemCode.KEY_REUSED,
                        "A webhook was made under this key with other content.",
                        exchange.path()));
            case Made.TooMany() ->
                Answers.problem(Problem.of(
                        ProblemCode.TOO_MANY_WEBHOOKS, "There are as many webhooks as may be.", exchange.path()));
        };
    }

    private Route list() {
        return extractRequest(request ->
                completeWithFuture(endpoint.query(request, ApiRoute.WEBHOOKS, Set.of("pool"), exchange -> {
                    var query = new QueryParameters(exchange.query());
                    var pool = query.optional("pool", Pools::known, Pools.SYNTAX);
                    return switch (query.into(() -> pool.get().map(PoolId::value))) {
                        case Parsed.Invalid<Optional<String>>(List<InputError> errors) -> refused(exchange, errors);
                        case Parsed.Valid<Optional<String>>(Optional<String> of) ->
                            of.flatMap(id -> exchange.refusedFor(Exchange.merchantOf(id)))
                                    .<CompletionStage<HttpResponse>>map(CompletableFuture::completedFuture)
                                    .orElseGet(() -> threads.read(() -> listed(exchange, of)));
                    };
                })));
    }

    private HttpResponse listed(Exchange exchange, Optional<String> pool) {
        return Answers.json(
                200,
                new WebhooksView(sql(parts.desk()::all).stream()
                        .filter(one -> one.isWithin(exchange.scope().merchants()))
                        .filter(one -> pool.isEmpty() || one.about().pool().equals(pool))
                        .map(WebhookView::of)
                        .toList()));
    }

    private Route read(String id) {
        return query(
                ApiRoute.WEBHOOK_GET, id, Set.of(), (exchange, webhook) -> Answers.json(200, WebhookView.of(webhook)));
    }

    private Route remove(String id) {
        return query(ApiRoute.WEBHOOK_REMOVE, id, Set.of(), (exchange, webhook) -> {
            done(() -> parts.desk().remove(id));
            return HttpResponse.create().withStatus(204);
        });
    }

    private Route enable(String id) {
        return command(ApiRoute.WEBHOOK_ENABLE, id, Body.OPTIONAL, WebhookRoutes::nothing, (exchange, webhook, _) -> {
            done(() -> parts.desk().enable(id));
            return now(exchange, id);
        });
    }

    private Route disable(String id) {
        return command(
                ApiRoute.WEBHOOK_DISABLE,
                id,
                Body.REQUIRED,
                WebhookRequest.Disable::parse,
                (exchange, webhook, wish) -> {
                    done(() -> parts.desk().disable(id, exchange.caller().name() + ": " + wish.reason()));
                    return now(exchange, id);
                });
    }

    private HttpResponse now(Exchange exchange, String id) {
        return sql(() -> parts.desk().find(id))
                .map(webhook -> Answers.json(200, WebhookView.of(webhook)))
                .orElseGet(() -> absent(exchange, id));
    }

    // ---- secrets

    private Route addSecret(String id) {
        return command(
                ApiRoute.WEBHOOK_SECRET_ADD,
                id,
                Body.OPTIONAL,
                WebhookRequest.AddSecret::parse,
                (exchange, webhook, wish) -> {
                    byte[] secret = wish.secret().orElseGet(parts.secrets());
                    return sql(() -> parts.desk().addSecret(id, secret))
                            .map(version -> Answers.json(201, new SecretView(version, WebhookSignature.shown(secret))))
                            .orElseGet(() -> Answers.invalid(
                                    List.of(InputError.field(
                                            "secret",
                                            Code.OVER_LIMIT,
                                            "It has " + Webhooks.MOST_SECRETS
                                                    + " secrets; retire one with DELETE first.")),
                                    exchange.path()));
                });
    }

    private Route retireSecret(String id, String version) {
        return query(ApiRoute.WEBHOOK_SECRET_RETIRE, part(id, "version", version), Set.of(), (exchange, webhook) -> {
            return switch (PathIds.number("version", version)) {
                case Parsed.Invalid<Long>(List<InputError> errors) -> Answers.invalid(errors, exchange.path());
                case Parsed.Valid<Long>(Long number) -> retired(exchange, webhook, number);
            };
        });
    }

    private HttpResponse retired(Exchange exchange, Webhook webhook, long version) {
        Optional<Integer> known =
                webhook.secrets().stream().filter(secret -> secret == version).findFirst();
        if (known.isEmpty()) {
            return Answers.problem(
                    Problem.of(ProblemCode.UNKNOWN_WEBHOOK, "It has no secret of this version.", exchange.path()));
        }
        return sql(() -> parts.desk().retireSecret(webhook.id(), known.get()))
                ? HttpResponse.create().withStatus(204)
                : Answers.invalid(
                        List.of(InputError.path("version", Code.CONFLICTING, "It is the last one: add another first.")),
                        exchange.path());
    }

    // ---- deliveries

    private Route deliveries(String id) {
        return query(ApiRoute.WEBHOOK_DELIVERIES, id, Set.of("status", "cursor", "limit"), (exchange, webhook) -> {
            var query = new QueryParameters(exchange.query());
            var status = query.optional(
                    "status",
                    text -> STATUSES.contains(text) ? Optional.of(text) : Optional.empty(),
                    "PENDING, DELIVERED or GIVEN_UP");
            var cursor = query.optional("cursor", text -> DeliveriesView.behind(id, text), "a cursor of this list");
            var limit = query.integer("limit", 1, WebhookDeliveries.LONGEST_PAGE, USUAL_PAGE);
            return switch (query.into(() -> Math.toIntExact(limit.get()))) {
                case Parsed.Invalid<Integer>(List<InputError> errors) -> Answers.invalid(errors, exchange.path());
                case Parsed.Valid<Integer>(Integer most) ->
                    Answers.json(
                            200,
                            DeliveriesView.of(
                                    id,
                                    sql(() -> parts.desk().deliveries(id, status.get(), cursor.get(), most + 1)),
                                    status.get(),
                                    most));
            };
        });
    }

    private Route delivery(String id, String one) {
        return query(
                ApiRoute.WEBHOOK_DELIVERY,
                part(id, "delivery", one),
                Set.of(),
                (exchange, webhook) -> ofDelivery(
                        exchange,
                        id,
                        one,
                        found -> Optional.of(Answers.json(
                                200,
                                DeliveryLogView.of(found, sql(() -> parts.desk().attempts(found.id())))))));
    }

    private Route again(String id, String one) {
        return command(
                ApiRoute.WEBHOOK_DELIVERY_REPLAY,
                part(id, "delivery", one),
                Body.OPTIONAL,
                WebhookRoutes::nothing,
                (exchange, webhook, _) -> ofDelivery(
                        exchange,
                        id,
                        one,
                        found -> sql(() -> parts.desk().again(id, found.id()))
                                ? sql(() -> parts.desk().delivery(id, found.id()))
                                        .map(again -> Answers.json(202, DeliveryView.of(again)))
                                : Optional.empty()));
    }

    private Route replay(String id) {
        return command(
                ApiRoute.WEBHOOK_REPLAY,
                id,
                Body.REQUIRED,
                WebhookRequest.Replay::parse,
                (exchange, webhook, wish) -> sql(() -> parts.desk().replay(webhook, wish.from()))
                        .map(replayed -> Answers.json(202, ReplayView.of(replayed)))
                        .orElseGet(() -> Answers.invalid(
                                List.of(InputError.field(
                                        "from",
                                        Code.OUT_OF_RANGE,
                                        "This journal has not come so far: the place is of another one.")),
                                exchange.path())));
    }

    private HttpResponse ofDelivery(
            Exchange exchange, String id, String one, Function<Delivery, Optional<HttpResponse>> answer) {
        return switch (PathIds.number("delivery", one)) {
            case Parsed.Invalid<Long>(List<InputError> errors) -> Answers.invalid(errors, exchange.path());
            case Parsed.Valid<Long>(Long number) ->
                sql(() -> parts.desk().delivery(id, number)).flatMap(answer).orElseGet(() -> noDelivery(exchange));
        };
    }

    private static HttpResponse noDelivery(Exchange exchange) {
        return Answers.problem(
                Problem.of(ProblemCode.UNKNOWN_WEBHOOK, "No delivery of this id is remembered.", exchange.path()));
    }

    // ---- what all of them do

    private interface Reading {
        HttpResponse of(Exchange exchange, Webhook webhook);
    }

    private interface Ordering<T> {
        HttpResponse of(Exchange exchange, Webhook webhook, T wish);
    }

    /** A webhook's id before the number of something of its own: both are looked at before anybody asks what is there. */
    private static Parsed<String> part(String id, String name, String number) {
        List<InputError> errors = new ArrayList<>();
        if (PathIds.webhook(id) instanceof Parsed.Invalid<String>(List<InputError> faults)) {
            errors.addAll(faults);
        }
        if (PathIds.number(name, number) instanceof Parsed.Invalid<Long>(List<InputError> faults)) {
            errors.addAll(faults);
        }
        return errors.isEmpty() ? Parsed.valid(id) : new Parsed.Invalid<>(errors);
    }

    private Route query(ApiRoute route, String id, Set<String> parameters, Reading reading) {
        return query(route, PathIds.webhook(id), parameters, reading);
    }

    private Route query(ApiRoute route, Parsed<String> address, Set<String> parameters, Reading reading) {
        return extractRequest(request ->
                completeWithFuture(endpoint.query(request, route, parameters, exchange -> switch (address) {
                    case Parsed.Invalid<String>(List<InputError> errors) -> refused(exchange, errors);
                    case Parsed.Valid<String>(String id) ->
                        threads.read(() -> seen(exchange, id)
                                .map(webhook -> reading.of(exchange, webhook))
                                .orElseGet(() -> absent(exchange, id)));
                })));
    }

    private <T> Route command(
            ApiRoute route, String id, Body rule, Function<ObjectValue, Parsed<T>> parse, Ordering<T> ordering) {
        return command(route, PathIds.webhook(id), rule, parse, ordering);
    }

    private record Addressed<T>(String id, T wish) {}

    private <T> Route command(
            ApiRoute route,
            Parsed<String> address,
            Body rule,
            Function<ObjectValue, Parsed<T>> parse,
            Ordering<T> ordering) {
        return extractRequest(request ->
                completeWithFuture(endpoint.command(request, route, rule, (exchange, body) -> switch (address.then(
                        id -> parse.apply(body).then(wish -> Parsed.valid(new Addressed<>(id, wish))))) {
                    case Parsed.Invalid<Addressed<T>>(List<InputError> errors) -> refused(exchange, errors);
                    case Parsed.Valid<Addressed<T>>(Addressed<T>(String id, T wish)) ->
                        threads.read(() -> seen(exchange, id)
                                .map(webhook -> ordering.of(exchange, webhook, wish))
                                .orElseGet(() -> absent(exchange, id)));
                })));
    }

    private Optional<Webhook> seen(Exchange exchange, String id) {
        Optional<Webhook> there = sql(() -> parts.desk().find(id));
        Optional<Webhook> open =
                there.filter(one -> one.isWithin(exchange.scope().merchants()));
        if (there.isPresent() && open.isEmpty()) {
            exchange.noteHidden();
        }
        return open;
    }

    private static HttpResponse absent(Exchange exchange, String id) {
        return Answers.problem(
                Problem.of(ProblemCode.UNKNOWN_WEBHOOK, "There is no webhook of this id.", exchange.path())
                        .with("webhook_id", id));
    }

    private static Parsed<Boolean> nothing(ObjectValue body) {
        return new Fields(body).into(() -> true);
    }

    @FunctionalInterface
    private interface Sql<T> {
        T run() throws SQLException;
    }

    private static <T> T sql(Sql<T> work) {
        try {
            return work.run();
        } catch (SQLException e) {
            throw new CompletionException(e);
        }
    }

    @FunctionalInterface
    private interface Order {
        void run() throws SQLException;
    }

    private static void done(Order order) {
        try {
            order.run();
        } catch (SQLException e) {
            throw new CompletionException(e);
        }
    }

    private static CompletionStage<HttpResponse> refused(Exchange exchange, List<InputError> errors) {
        return CompletableFuture.completedFuture(Answers.invalid(errors, exchange.path()));
    }
}
