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

import io.holdfast.http.access.ApiRoute;
import io.holdfast.http.problem.Problem;
import io.holdfast.http.problem.ProblemCode;
import io.holdfast.http.route.Endpoint.Body;
import io.holdfast.http.wire.EventRequests;
import io.holdfast.http.wire.EventViews;
import io.holdfast.json.Fields;
import io.holdfast.json.InputError;
import io.holdfast.json.Parsed;
import io.holdfast.messaging.kafka.EventReplay;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.KafkaException;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.server.Route;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What operators ask about events of other systems: {@code /v1/dead-letters}, {@code /v1/parked-events}, {@code /v1/event-replays}. */
final class MessagingRoutes {

    private static final Logger LOG = LoggerFactory.getLogger(MessagingRoutes.class);

    private static final String REPLAYS = "/v1/event-replays";
    private static final int LONGEST_PAGE = 500;
    private static final int USUAL_PAGE = 100;

    private final Endpoint endpoint;
    private final MessagingParts parts;
    private final QueryThreads threads;
    private final Duration retryAfter;

    MessagingRoutes(Endpoint endpoint, MessagingParts parts, QueryThreads threads, Duration retryAfter) {
        this.endpoint = endpoint;
        this.parts = parts;
        this.threads = threads;
        this.retryAfter = retryAfter;
    }

    /** Below {@code /v1}. */
    Route route() {
        return concat(
                pathPrefix(
                        "dead-letters",
                        () -> concat(
                                pathEnd(() -> get(this::listDeadLetters)),
                                path("replay", () -> post(this::replayDeadLetters)))),
                pathPrefix(
                        "parked-events",
                        () -> concat(
                                pathEnd(() -> get(this::listParked)),
                                path("retry", () -> post(this::retryParked)),
                                path(segment().slash("discard"), id -> post(() -> discard(id))))),
                pathPrefix(
                        "event-replays",
                        () -> concat(
                                pathEnd(() -> post(this::startReplay)),
                                path(segment(), id -> get(() -> readReplay(id))))));
    }

    // ---- dead letters

    private record Page(String topic, int limit) {}

    private Route listDeadLetters() {
        return extractRequest(request -> completeWithFuture(endpoint.query(
                request, ApiRoute.DEAD_LETTERS, Set.of("topic", "limit"), exchange -> {
                    var query = new QueryParameters(exchange.query());
                    var topic = query.optional("topic", this::known, "one of " + parts.topics());
                    var limit = query.integer("limit", 1, LONGEST_PAGE, USUAL_PAGE);
                    return switch (query.into(() ->
                            new Page(topic.get().orElse(parts.topics().getFirst()), Math.toIntExact(limit.get())))) {
                        case Parsed.Invalid<Page>(List<InputError> errors) -> refused(exchange, errors);
                        case Parsed.Valid<Page>(Page page) ->
                            asked(
                                    exchange,
                                    () -> Answers.json(
                                            200,
                                            new EventViews.DeadLetterList(
                                                    page.topic(),
                                                    parts.deadLetters().counts().getOrDefault(page.topic(), 0L),
                                                    parts.deadLetters().list(page.topic(), page.limit()))));
                    };
                })));
    }

    private Route replayDeadLetters() {
        return extractRequest(request -> completeWithFuture(endpoint.command(
                request,
                ApiRoute.DEAD_LETTERS_REPLAY,
                Body.OPTIONAL,
                (exchange, body) -> switch (EventRequests.ReplayDeadLetters.parse(body)) {
                    case Parsed.Invalid<EventRequests.ReplayDeadLetters>(List<InputError> errors) ->
                        refused(exchange, errors);
                    case Parsed.Valid<EventRequests.ReplayDeadLetters>(var wish) -> {
                        if (wish.topic().flatMap(this::known).isEmpty()
                                && wish.topic().isPresent()) {
                            yield refused(exchange, List.of(unknownTopic()));
                        }
                        List<String> topics = wish.topic().map(List::of).orElse(parts.topics());
                        yield asked(exchange, () -> {
                            List<EventViews.Replayed> replayed = new ArrayList<>();
                            for (String topic : topics) {
                                var done = parts.deadLetters().replay(topic);
                                replayed.add(new EventViews.Replayed(topic, done.sent(), done.gone()));
                            }
                            LOG.info(
                                    "{} had dead letters sent again: {}",
                                    exchange.caller().name(),
                                    replayed);
                            return Answers.json(200, new EventViews.ReplayedList(replayed));
                        });
                    }
                })));
    }

    // ---- parked events

    private record ParkedPage(long after, int limit) {}

    private Route listParked() {
        return extractRequest(request -> completeWithFuture(endpoint.query(
                request, ApiRoute.PARKED_EVENTS, Set.of("after", "limit"), exchange -> {
                    var query = new QueryParameters(exchange.query());
                    var after = query.integer("after", 0, Fields.MAX_INTEGER, 0);
                    var limit = query.integer("limit", 1, LONGEST_PAGE, USUAL_PAGE);
                    return switch (query.into(() -> new ParkedPage(after.get(), Math.toIntExact(limit.get())))) {
                        case Parsed.Invalid<ParkedPage>(List<InputError> errors) -> refused(exchange, errors);
                        case Parsed.Valid<ParkedPage>(ParkedPage page) ->
                            asked(
                                    exchange,
                                    () -> Answers.json(
                                            200,
                                            EventViews.ParkedList.of(
                                                    parts.parked().list(page.after(), page.limit()), page.limit())));
                    };
                })));
    }

    private Route retryParked() {
        return extractRequest(request -> completeWithFuture(endpoint.command(
                request, ApiRoute.PARKED_EVENTS_RETRY, Body.OPTIONAL, (exchange, body) -> switch (new Fields(body)
                        .into(() -> true)) {
                    case Parsed.Invalid<Boolean>(List<InputError> errors) -> refused(exchange, errors);
                    case Parsed.Valid<Boolean> _ ->
                        asked(
                                exchange,
                                () -> Answers.json(
                                        200,
                                        new EventViews.Retried(parts.parked().retryNow())));
                })));
    }

    /** @param id of the event */
    private record Given(long id, EventRequests.Discard wish) {}

    private Route discard(String segment) {
        return extractRequest(request -> completeWithFuture(endpoint.command(
                request, ApiRoute.PARKED_EVENT_DISCARD, Body.REQUIRED, (exchange, body) -> switch (PathIds.number(
                                "id", segment)
                        .then(id ->
                                EventRequests.Discard.parse(body).then(wish -> Parsed.valid(new Given(id, wish))))) {
                    case Parsed.Invalid<Given>(List<InputError> errors) -> refused(exchange, errors);
                    case Parsed.Valid<Given>(Given(long id, EventRequests.Discard wish)) -> {
                        String outcome = "discarded by " + exchange.caller().name() + ": " + wish.reason();
                        yield asked(
                                exchange,
                                () -> parts.parked().settle(id, outcome)
                                        ? Answers.json(200, new EventViews.Discarded(id, outcome))
                                        : absent(exchange, "No event of this id waits."));
                    }
                })));
    }

    // ---- replays

    private Route startReplay() {
        return extractRequest(request -> completeWithFuture(endpoint.command(
                request, ApiRoute.EVENT_REPLAY, Body.REQUIRED, (exchange, body) -> switch (EventRequests.Replay.parse(
                        body)) {
                    case Parsed.Invalid<EventRequests.Replay>(List<InputError> errors) -> refused(exchange, errors);
                    case Parsed.Valid<EventRequests.Replay>(var wish) -> {
                        if (known(wish.topic()).isEmpty()) {
                            yield refused(exchange, List.of(unknownTopic()));
                        }
                        Optional<EventReplay> run = parts.replays().start(wish.topic(), wish.from());
                        run.ifPresent(begun -> LOG.info(
                                "{} had events read again: {}",
                                exchange.caller().name(),
                                begun));
                        yield CompletableFuture.completedFuture(run.map(begun -> Answers.withHeader(
                                        Answers.json(202, EventViews.Replay.of(begun)),
                                        "Location",
                                        REPLAYS + "/" + begun.id()))
                                .orElseGet(() -> Answers.problem(
                                        Problem.of(
                                                ProblemCode.TOO_BUSY,
                                                "This node reads topics again for others already.",
                                                exchange.path()),
                                        retryAfter)));
                    }
                })));
    }

    private Route readReplay(String id) {
        return extractRequest(request -> completeWithFuture(endpoint.query(
                request,
                ApiRoute.EVENT_REPLAY_GET,
                Set.of(),
                exchange -> CompletableFuture.completedFuture(
                        switch (PathIds.kept("id", id)) {
                            case Parsed.Invalid<String>(List<InputError> errors) ->
                                Answers.invalid(errors, exchange.path());
                            case Parsed.Valid<String> _ ->
                                parts.replays()
                                        .find(id)
                                        .map(run -> Answers.json(200, EventViews.Replay.of(run)))
                                        .orElseGet(() -> absent(
                                                exchange,
                                                "This node knows no such run; runs are forgotten with their node."));
                        }))));
    }

    // ---- what they share

    @FunctionalInterface
    private interface Asking {
        HttpResponse answer() throws SQLException;
    }

    /** On a thread that may wait; a broker that can't be asked is no fault of ours. */
    private CompletionStage<HttpResponse> asked(Exchange exchange, Asking asking) {
        return threads.read(() -> {
            try {
                return asking.answer();
            } catch (KafkaException e) {
                LOG.warn("the broker could not be asked", e);
                return Answers.problem(
                        Problem.of(ProblemCode.BROKER_UNAVAILABLE, "Kafka can't be asked now.", exchange.path()),
                        retryAfter);
            } catch (SQLException e) {
                throw new CompletionException(e);
            }
        });
    }

    private Optional<String> known(String topic) {
        return parts.topics().contains(topic) ? Optional.of(topic) : Optional.empty();
    }

    private InputError unknownTopic() {
        return InputError.field("topic", InputError.Code.BAD_SYNTAX, "Must be one of " + parts.topics() + ".");
    }

    private static HttpResponse absent(Exchange exchange, String detail) {
        return Answers.problem(Problem.of(ProblemCode.NO_SUCH_EVENT, detail, exchange.path()));
    }

    private static CompletionStage<HttpResponse> refused(Exchange exchange, List<InputError> errors) {
        return CompletableFuture.completedFuture(Answers.invalid(errors, exchange.path()));
    }
}
