package io.holdfast.http.route;

import io.holdfast.http.access.ApiRoute;
import io.holdfast.http.access.Caller;
import io.holdfast.http.access.Denial;
import io.holdfast.http.access.Permission;
import io.holdfast.http.problem.Problem;
import io.holdfast.http.problem.ProblemCode;
import io.holdfast.json.InputError;
import io.holdfast.json.JsonReader;
import io.holdfast.json.JsonValue.ObjectValue;
import io.holdfast.json.Parsed;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.apache.pekko.actor.ClassicActorSystemProvider;
import org.apache.pekko.http.javadsl.model.AttributeKey;
import org.apache.pekko.http.javadsl.model.ContentType;
import org.apache.pekko.http.javadsl.model.HttpCharsets;
import org.apache.pekko.http.javadsl.model.HttpHeader;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.MediaType;
import org.apache.pekko.http.javadsl.model.MediaTypes;
import org.apache.pekko.http.javadsl.model.RequestEntity;
import org.apache.pekko.http.javadsl.model.headers.Accept;
import org.apache.pekko.http.javadsl.model.headers.ContentEncoding;
import org.apache.pekko.http.javadsl.model.headers.HttpEncoding;
import org.apache.pekko.http.scaladsl.model.EntityStreamException;
import org.apache.pekko.http.scaladsl.model.EntityStreamSizeException;
import org.apache.pekko.http.scaladsl.model.IllegalUriException;
import org.apache.pekko.stream.StreamTcpException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What every endpoint does before and after its own work, in one order: who calls, what is accepted, which parameters and headers, the
 * body; and whatever goes wrong becomes a problem. The same reader and the same limits for all of them.
 */
final class Endpoint {

    /** The trace id {@link Edge} gave the request. */
    static final AttributeKey<String> TRACE = AttributeKey.create("holdfast-trace", String.class);
    /** The endpoint that answered, for whoever counts. */
    static final AttributeKey<ApiRoute> ROUTE = AttributeKey.create("holdfast-route", ApiRoute.class);

    private static final Logger LOG = LoggerFactory.getLogger(Endpoint.class);
    private static final int LONGEST_KEY = 200;
    private static final String NO_CONTROLS = "Must not contain control characters.";

    private final ClassicActorSystemProvider system;
    private final HttpSettings settings;
    private final Authenticator authenticator;
    private final Denials denials;
    private final CallerRates rates;
    private final JsonReader reader;

    Endpoint(ClassicActorSystemProvider system, HttpSettings settings, Authenticator authenticator, Denials denials) {
        this.system = system;
        this.settings = settings;
        this.authenticator = authenticator;
        this.denials = denials;
        this.rates = new CallerRates(settings.rates());
        this.reader = new JsonReader(settings.limits().json());
    }

    /** The work of an endpoint that takes no body. */
    @FunctionalInterface
    interface Query {
        CompletionStage<HttpResponse> answer(Exchange exchange);
    }

    /** The work of an endpoint that takes a JSON object. */
    @FunctionalInterface
    interface Command {
        CompletionStage<HttpResponse> answer(Exchange exchange, ObjectValue body);
    }

    /** Whether a body must be there. */
    enum Body {
        REQUIRED,
        /** No body means an empty object. */
        OPTIONAL
    }

    /**
     * Runs an endpoint that takes no body.
     *
     * @param route what is called
     * @param parameters query parameters it knows
     */
    CompletionStage<HttpResponse> query(HttpRequest request, ApiRoute route, Set<String> parameters, Query work) {
        request.discardEntityBytes(system);
        return guarded(
                request,
                route,
                () -> exchange(request, route, parameters).thenCompose(entry -> switch (entry) {
                    case Entry.Refused(HttpResponse response) -> done(response);
                    case Entry.Admitted(Exchange exchange) -> work.answer(exchange);
                }));
    }

    /** Runs an endpoint that takes no body and answers server-sent events. */
    CompletionStage<HttpResponse> stream(HttpRequest request, ApiRoute route, Set<String> parameters, Query work) {
        request.discardEntityBytes(system);
        return guarded(
                request,
                route,
                () -> exchange(request, route, parameters, MediaTypes.TEXT_EVENT_STREAM)
                        .thenCompose(entry -> switch (entry) {
                            case Entry.Refused(HttpResponse response) -> done(response);
                            case Entry.Admitted(Exchange exchange) -> work.answer(exchange);
                        }));
    }

    /** Runs an endpoint that takes a JSON object and no query parameter. */
    CompletionStage<HttpResponse> command(HttpRequest request, ApiRoute route, Body body, Command work) {
        return guarded(
                request,
                route,
                () -> exchange(request, route, Set.of()).thenCompose(entry -> switch (entry) {
                    case Entry.Refused(HttpResponse response) -> {
                        request.discardEntityBytes(system);
                        yield done(response);
                    }
                    case Entry.Admitted(Exchange exchange) -> read(request, body, exchange, work);
                }));
    }

    /** The work of an endpoint that reads a body as it comes. */
    @FunctionalInterface
    interface Upload {
        HttpResponse answer(Exchange exchange, RequestEntity body);
    }

    /**
     * Runs an endpoint that reads a body as it comes, with limits of its own.
     *
     * @param taken which types of body it reads
     * @param named those, to people
     */
    CompletionStage<HttpResponse> upload(
            HttpRequest request,
            ApiRoute route,
            Set<String> parameters,
            Predicate<ContentType> taken,
            String named,
            Upload work) {
        return guarded(
                request,
                route,
                () -> exchange(request, route, parameters).thenApply(entry -> switch (entry) {
                    case Entry.Refused(HttpResponse response) -> {
                        discard(request);
                        yield response;
                    }
                    case Entry.Admitted(Exchange exchange) -> {
                        ContentType type = request.entity().getContentType();
                        if (taken.test(type) && isUtf8(type) && !isEncoded(request)) {
                            yield work.answer(exchange, request.entity());
                        }
                        discard(request);
                        yield Answers.problem(Problem.of(
                                ProblemCode.UNSUPPORTED_MEDIA_TYPE,
                                "The body must be " + named + ", in UTF-8 and not compressed.",
                                exchange.path()));
                    }
                }));
    }

    /** Reads a body to its end, for nobody. */
    void discard(HttpRequest request) {
        request.discardEntityBytes(system);
    }

    /** The work of an endpoint whose caller signs what it sends. */
    @FunctionalInterface
    interface Signed {
        /** @param body as it came */
        CompletionStage<HttpResponse> answer(byte[] body);
    }

    /** Runs an endpoint that judges the body itself, bytes and signature, and asks for no token. */
    CompletionStage<HttpResponse> signed(HttpRequest request, ApiRoute route, Signed work) {
        var limits = settings.limits();
        return guarded(request, route, () -> {
            List<InputError> repeated = SingleHeaders.repeatedIn(request);
            if (!repeated.isEmpty()) {
                request.discardEntityBytes(system);
                return done(Answers.invalid(repeated, path(request)));
            }
            if (request.entity().getContentLengthOption().orElse(0) > limits.bodyBytes()) {
                request.discardEntityBytes(system);
                return done(tooLarge(path(request)));
            }
            return request.entity()
                    .toStrict(limits.bodyTime().toMillis(), limits.bodyBytes(), system)
                    .thenCompose(strict -> work.answer(strict.getData().toArray()));
        });
    }

    private sealed interface Entry {
        record Admitted(Exchange exchange) implements Entry {}

        record Refused(HttpResponse response) implements Entry {}
    }

    private CompletionStage<Entry> exchange(HttpRequest request, ApiRoute route, Set<String> parameters) {
        return exchange(request, route, parameters, MediaTypes.APPLICATION_JSON);
    }

    /** @param answers what is answered, where it is no problem */
    private CompletionStage<Entry> exchange(
            HttpRequest request, ApiRoute route, Set<String> parameters, MediaType answers) {
        Permission permission = route.permission()
                .orElseThrow(() -> new IllegalStateException(route + " asks for no token, so it has no exchange"));
        List<InputError> repeated = SingleHeaders.repeatedIn(request);
        if (!repeated.isEmpty()) {
            return CompletableFuture.completedFuture(new Entry.Refused(Answers.invalid(repeated, path(request))));
        }
        return authenticator.authenticate(request).thenApply(answer -> switch (answer) {
            case Authenticator.Answer.Refused(Denial why) -> {
                denials.note(request, route, Optional.empty(), why);
                yield new Entry.Refused(unauthenticated(path(request), why));
            }
            case Authenticator.Answer.Unsure() -> {
                denials.note(request, route, Optional.empty(), Denial.KEYS_AWAY);
                Problem problem = Problem.of(
                        ProblemCode.KEYS_UNAVAILABLE, "The token can't be checked now; try again.", path(request));
                yield new Entry.Refused(
                        Answers.problem(problem, settings.patience().retryAfter()));
            }
            case Authenticator.Answer.Known(Caller caller) ->
                rates.count(caller)
                        .<Entry>map(wait -> {
                            denials.note(request, route, Optional.of(caller), Denial.RATE);
                            return new Entry.Refused(tooMany(path(request), wait));
                        })
                        .or(() -> denied(request, route, permission, caller).map(why -> {
                            denials.note(request, route, Optional.of(caller), why);
                            return new Entry.Refused(forbidden(path(request), why));
                        }))
                        .orElseGet(() -> admitted(request, route, permission, caller, parameters, answers));
        });
    }

    /** Why a caller may not call this route, as far as its address says. */
    private static Optional<Denial> denied(HttpRequest request, ApiRoute route, Permission permission, Caller caller) {
        if (!caller.may(permission)) {
            return Optional.of(Denial.ROLE);
        }
        boolean within = switch (route.whose()) {
            case ADDRESS -> caller.scope().covers(addressed(request, route));
            case FLEET -> caller.scope().merchants().isEmpty();
            case BODY, ENTITY, LIST, NOBODY -> true;
        };
        return within ? Optional.empty() : Optional.of(Denial.MERCHANT);
    }

    /** The merchant or activity that a path names: as a part of its own, or first in the id of a pool. */
    private static String addressed(HttpRequest request, ApiRoute route) {
        String[] names = route.template().split("/");
        int at = 0;
        for (String segment : request.getUri().pathSegments()) {
            at++;
            switch (names[at]) {
                case "{merchant}", "{activity}", "{pool}" -> {
                    return Exchange.merchantOf(segment);
                }
                default -> {}
            }
        }
        throw new IllegalStateException(route + " names no merchant in its address");
    }

    private static HttpResponse unauthenticated(String path, Denial why) {
        boolean tokenSent = why != Denial.NO_TOKEN;
        Problem problem = Problem.of(
                ProblemCode.UNAUTHENTICATED,
                tokenSent
                        ? "The bearer token is not one that is taken here."
                        : "No bearer token was sent, and this address needs one.",
                path);
        return Answers.withHeader(
                Answers.problem(problem), "WWW-Authenticate", tokenSent ? "Bearer error=\"invalid_token\"" : "Bearer");
    }

    /** In whole seconds, as the header has them; never none. */
    private static HttpResponse tooMany(String path, Duration wait) {
        return Answers.problem(
                Problem.of(ProblemCode.TOO_MANY_REQUESTS, Denial.RATE.told(), path),
                wait.plusSeconds(1).truncatedTo(ChronoUnit.SECONDS));
    }

    /** The answer to a caller that is known and may not do this. */
    static HttpResponse forbidden(String path, Denial why) {
        return Answers.problem(Problem.of(ProblemCode.FORBIDDEN, why.told(), path));
    }

    private Entry admitted(
            HttpRequest request,
            ApiRoute route,
            Permission permission,
            Caller caller,
            Set<String> parameters,
            MediaType answers) {
        String path = path(request);
        if (!accepts(request, answers)) {
            return new Entry.Refused(Answers.problem(Problem.of(
                    ProblemCode.NOT_ACCEPTABLE,
                    "This address answers " + answers + ", which Accept has to take; problems are"
                            + " application/problem+json whatever it takes.",
                    path)));
        }
        List<InputError> errors = new ArrayList<>(unreadable(request, route));
        Map<String, String> query = query(request, parameters, errors);
        Optional<String> key = key(request, errors);
        if (!errors.isEmpty()) {
            return new Entry.Refused(Answers.invalid(errors, path));
        }
        return new Entry.Admitted(new Exchange(
                request,
                path,
                trace(request),
                caller,
                caller.boundTo(permission),
                Preferences.of(request, settings.patience()),
                key,
                query,
                why -> denials.note(request, route, Optional.of(caller), why)));
    }

    /** Parts of the address that nothing can be called by: no id has control characters, and some stores refuse to be asked for one. */
    private static List<InputError> unreadable(HttpRequest request, ApiRoute route) {
        List<InputError> errors = new ArrayList<>();
        String[] names = route.template().split("/");
        int at = 0;
        for (String segment : request.getUri().pathSegments()) {
            at++;
            if (hasControls(segment)) {
                errors.add(InputError.path(named(names, at), InputError.Code.BAD_SYNTAX, NO_CONTROLS));
            }
        }
        return errors;
    }

    private static String named(String[] names, int at) {
        return switch (names[at]) {
            case "{id}" ->
                switch (names[at - 1]) {
                    case "reservations" -> "reservation_id";
                    case "webhooks" -> "webhook_id";
                    case "orders" -> "order_id";
                    default -> "id";
                };
            default -> names[at].substring(1, names[at].length() - 1);
        };
    }

    private static boolean hasControls(String text) {
        return text.chars().anyMatch(Character::isISOControl);
    }

    private static boolean accepts(HttpRequest request, MediaType answers) {
        Iterable<Accept> accepts = request.getHeaders(Accept.class);
        boolean any = false;
        for (Accept accept : accepts) {
            for (var range : accept.getMediaRanges()) {
                any = true;
                if (range.qValue() > 0 && range.matches(answers)) {
                    return true;
                }
            }
        }
        return !any;
    }

    private static Map<String, String> query(HttpRequest request, Set<String> parameters, List<InputError> errors) {
        Map<String, String> query = new LinkedHashMap<>();
        List<org.apache.pekko.japi.Pair<String, String>> pairs;
        try {
            pairs = request.getUri().query().toList();
        } catch (IllegalUriException e) {
            errors.add(InputError.query(
                    "", InputError.Code.BAD_SYNTAX, "The query is not a well-formed list of parameters."));
            return query;
        }
        for (var pair : pairs) {
            String name = pair.first();
            if (!parameters.contains(name)) {
                errors.add(InputError.query(
                        name,
                        InputError.Code.UNKNOWN,
                        parameters.isEmpty()
                                ? "No query parameter is known here."
                                : "Unknown parameter; known are "
                                        + String.join(
                                                ", ",
                                                parameters.stream().sorted().toList()) + "."));
            } else if (query.put(name, pair.second()) != null) {
                errors.add(InputError.query(name, InputError.Code.DUPLICATE, "This parameter occurs twice."));
            } else if (hasControls(pair.second())) {
                errors.add(InputError.query(name, InputError.Code.BAD_SYNTAX, NO_CONTROLS));
            }
        }
        return query;
    }

    private static Optional<String> key(HttpRequest request, List<InputError> errors) {
        Optional<String> key = Optional.empty();
        for (HttpHeader header : request.getHeaders()) {
            if (!header.is("idempotency-key")) {
                continue;
            }
            key = Optional.of(header.value());
            if (!visibleAscii(header.value())) {
                errors.add(InputError.header(
                        "Idempotency-Key",
                        InputError.Code.BAD_SYNTAX,
                        "A key is 1 to " + LONGEST_KEY + " visible ASCII characters without blanks."));
            }
        }
        return key;
    }

    private static boolean visibleAscii(String text) {
        return !text.isEmpty() && text.length() <= LONGEST_KEY && text.chars().allMatch(c -> c > 0x20 && c < 0x7f);
    }

    private CompletionStage<HttpResponse> read(HttpRequest request, Body rule, Exchange exchange, Command work) {
        var entity = request.entity();
        if (rule == Body.OPTIONAL && entity.isKnownEmpty()) {
            return work.answer(exchange, ObjectValue.EMPTY);
        }
        boolean json = isJson(entity.getContentType()) && isUtf8(entity.getContentType());
        if (!json || isEncoded(request)) {
            request.discardEntityBytes(system);
            return done(Answers.problem(Problem.of(
                    ProblemCode.UNSUPPORTED_MEDIA_TYPE,
                    "The body must be application/json, in UTF-8 and not compressed.",
                    exchange.path())));
        }
        var limits = settings.limits();
        if (entity.getContentLengthOption().orElse(0) > limits.bodyBytes()) {
            request.discardEntityBytes(system);
            return done(tooLarge(exchange.path()));
        }
        return entity.toStrict(limits.bodyTime().toMillis(), limits.bodyBytes(), system)
                .thenApply(strict -> reader.read(strict.getData().toArray()))
                .thenCompose(parsed -> switch (parsed) {
                    case Parsed.Valid<ObjectValue>(ObjectValue object) -> work.answer(exchange, object);
                    case Parsed.Invalid<ObjectValue>(List<InputError> errors) ->
                        done(Answers.invalid(errors, exchange.path()));
                });
    }

    private static boolean isJson(ContentType type) {
        MediaType given = type.mediaType();
        return given.mainType().equals(MediaTypes.APPLICATION_JSON.mainType())
                && given.subType().equals(MediaTypes.APPLICATION_JSON.subType());
    }

    /** Compressed or the like; {@code identity} says that it is not. */
    private static boolean isEncoded(HttpRequest request) {
        for (ContentEncoding header : request.getHeaders(ContentEncoding.class)) {
            for (HttpEncoding encoding : header.getEncodings()) {
                if (!encoding.value().equalsIgnoreCase("identity")) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Where no charset is named, it is the one of all that is taken here. */
    private static boolean isUtf8(ContentType type) {
        return type.getCharsetOption()
                .filter(charset -> !HttpCharsets.UTF_8.value().equalsIgnoreCase(charset.value()))
                .isEmpty();
    }

    @FunctionalInterface
    private interface Work {
        CompletionStage<HttpResponse> answer();
    }

    private static CompletionStage<HttpResponse> guarded(HttpRequest request, ApiRoute route, Work work) {
        CompletionStage<HttpResponse> answer;
        try {
            answer = work.answer();
        } catch (RuntimeException e) {
            answer = CompletableFuture.failedFuture(e);
        }
        return answer.exceptionally(fault -> failed(request, fault))
                .thenApply(response -> response.addAttribute(ROUTE, route));
    }

    /** The answer to a fault. What is the caller's doing is told; what is ours is only named, and written to the log. */
    static HttpResponse failed(HttpRequest request, Throwable thrown) {
        Throwable fault = thrown instanceof CompletionException wrapped && wrapped.getCause() != null
                ? wrapped.getCause()
                : thrown;
        String path = path(request);
        return switch (fault) {
            case EntityStreamSizeException _ -> tooLarge(path);
            case EntityStreamException broken
            when broken.info().summary().equals("Request too large") -> tooLarge(path);
            // The latter: who sent it has hung up, and nobody is left to hear so.
            case EntityStreamException _, StreamTcpException _ ->
                Answers.problem(Problem.of(ProblemCode.MALFORMED_HTTP, "The body broke off or is misframed.", path));
            case TimeoutException _ ->
                Answers.problem(Problem.of(ProblemCode.REQUEST_TOO_SLOW, "The body took too long to arrive.", path));
            case TooManyQueries busy ->
                Answers.problem(
                        Problem.of(ProblemCode.TOO_BUSY, "Too many queries wait already.", path), busy.retryAfter());
            default -> {
                String incident = TraceId.incident();
                LOG.error(
                        "incident {} at {} {}, trace {}",
                        incident,
                        request.method().name(),
                        path,
                        trace(request),
                        fault);
                yield Answers.problem(
                        Problem.of(ProblemCode.INTERNAL, "A fault in this server; its log says more.", path)
                                .with("incident", incident));
            }
        };
    }

    private static HttpResponse tooLarge(String path) {
        return Answers.problem(
                Problem.of(ProblemCode.BODY_TOO_LARGE, "The body is larger than this server takes.", path));
    }

    static String path(HttpRequest request) {
        return request.getUri().path();
    }

    static String trace(HttpRequest request) {
        return request.getAttribute(TRACE).orElseGet(() -> TraceId.of(request));
    }

    private static CompletionStage<HttpResponse> done(HttpResponse response) {
        return CompletableFuture.completedFuture(response);
    }
}
