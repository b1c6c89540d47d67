package io.holdfast.http.route;

import static org.apache.pekko.http.javadsl.server.Directives.completeWithFuture;
import static org.apache.pekko.http.javadsl.server.Directives.extractRequest;
import static org.apache.pekko.http.javadsl.server.Directives.get;
import static org.apache.pekko.http.javadsl.server.Directives.path;
import static org.apache.pekko.http.javadsl.server.Directives.pathEnd;
import static org.apache.pekko.http.javadsl.server.PathMatchers.segment;

import io.holdfast.http.access.ApiRoute;
import io.holdfast.http.problem.Problem;
import io.holdfast.http.problem.ProblemCode;
import io.holdfast.http.wire.Pools;
import io.holdfast.json.InputError;
import io.holdfast.json.Parsed;
import io.holdfast.messaging.follow.Following;
import io.holdfast.messaging.follow.Interest;
import io.holdfast.messaging.follow.Place;
import io.holdfast.messaging.follow.Portion;
import io.holdfast.messaging.follow.UnknownPlace;
import io.holdfast.messaging.out.AnnouncedTypes;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.domain.ReservationMachine;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.apache.pekko.NotUsed;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpEntities;
import org.apache.pekko.http.javadsl.model.HttpHeader;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.MediaTypes;
import org.apache.pekko.http.javadsl.server.Route;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.KillSwitches;
import org.apache.pekko.stream.SharedKillSwitch;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/**
 * {@code /v1/events} and {@code /v1/reservations/{id}/events}: the journal as server-sent events. A stream asks for the next portion when the
 * caller has taken the last, so that is all it ever holds; a caller that takes nothing is cut off, and goes on later from the last id
 * it has.
 */
final class StreamRoutes implements AutoCloseable {

    private static final String AFTER = "after";
    private static final String LAST_EVENT_ID = "Last-Event-ID";
    private static final Set<String> PARAMETERS = Set.of("pool", "order_id", "type", AFTER);
    private static final String TYPES =
            "one or more of these, with commas between: " + String.join(", ", AnnouncedTypes.ALL);
    private static final String PLACE = "the id of an event of a stream";
    private static final String BEYOND = "This journal has not come so far: the id is of another one.";

    private final Endpoint endpoint;
    private final EntityAnswers<Reservation, ReservationCommand> reservations;
    private final StreamParts parts;
    private final Duration retryAfter;
    private final EventStream written;
    private final SharedKillSwitch ending = KillSwitches.shared("streams of events");

    StreamRoutes(
            Endpoint endpoint,
            EntityAnswers<Reservation, ReservationCommand> reservations,
            StreamParts parts,
            Duration retryAfter) {
        this.endpoint = endpoint;
        this.reservations = reservations;
        this.parts = parts;
        this.retryAfter = retryAfter;
        this.written = new EventStream(parts.source());
    }

    /** Below {@code /v1/events}. */
    Route ofAll() {
        return pathEnd(() -> get(this::all));
    }

    /** Below {@code /v1/reservations}. */
    Route ofReservations() {
        return path(segment().slash("events"), id -> get(() -> one(id)));
    }

    private record Wish(EventFilter filter, Optional<From> after) {}

    /**
     * Behind which event a stream goes on.
     *
     * @param beyond what is wrong with the request where the journal has not come so far
     */
    private record From(Place place, InputError beyond) {

        static From header(Place place) {
            return new From(place, InputError.header(LAST_EVENT_ID, InputError.Code.OUT_OF_RANGE, BEYOND));
        }

        static From query(Place place) {
            return new From(place, InputError.query(AFTER, InputError.Code.OUT_OF_RANGE, BEYOND));
        }
    }

    private Route all() {
        return extractRequest(request -> completeWithFuture(endpoint.stream(
                request, ApiRoute.EVENTS, PARAMETERS, exchange -> switch (wish(exchange)) {
                    case Parsed.Invalid<Wish>(List<InputError> errors) -> refused(exchange, errors);
                    case Parsed.Valid<Wish>(Wish wish) ->
                        wish.filter()
                                .pool()
                                .flatMap(pool -> exchange.refusedFor(Exchange.merchantOf(pool)))
                                .<CompletionStage<HttpResponse>>map(CompletableFuture::completedFuture)
                                .orElseGet(() -> open(
                                        exchange,
                                        new Interest.Everybody(wish.filter(), !exchange.limited()),
                                        wish.after()));
                })));
    }

    private static Parsed<Wish> wish(Exchange exchange) {
        var query = new QueryParameters(exchange.query());
        var pool = query.optional("pool", Pools::known, Pools.SYNTAX);
        var orderId = query.id("order_id");
        var types = query.optional("type", StreamRoutes::types, TYPES);
        var after = query.optional(AFTER, Place::parse, PLACE);
        return lastEventId(exchange)
                .then(last -> query.into(() -> new Wish(
                        new EventFilter(
                                pool.get().map(id -> id.value()),
                                orderId.get(),
                                types.get().orElse(Set.of()),
                                exchange.scope().merchants(),
                                exchange.boundTo()),
                        last.or(() -> after.get().map(From::query)))));
    }

    private static Optional<Set<String>> types(String text) {
        Set<String> types = Arrays.stream(text.split(",", -1)).collect(Collectors.toUnmodifiableSet());
        return AnnouncedTypes.ALL.containsAll(types) ? Optional.of(types) : Optional.empty();
    }

    /** What a browser sends when it comes back; it counts before the parameter, which is for whoever comes first. */
    private static Parsed<Optional<From>> lastEventId(Exchange exchange) {
        Optional<String> header = exchange.request().getHeader(LAST_EVENT_ID).map(HttpHeader::value);
        Optional<Place> place = header.flatMap(Place::parse);
        return header.isPresent() && place.isEmpty()
                ? Parsed.invalid(InputError.header(LAST_EVENT_ID, InputError.Code.BAD_SYNTAX, "Must be " + PLACE + "."))
                : Parsed.valid(place.map(From::header));
    }

    private Route one(String segment) {
        return extractRequest(request -> completeWithFuture(endpoint.stream(
                request, ApiRoute.RESERVATION_EVENTS, Set.of(AFTER), exchange -> switch (PathIds.reservation(segment)
                        .then(id -> placed(exchange).then(from -> Parsed.valid(new Pair<>(id, from))))) {
                    case Parsed.Invalid<Pair<String, Optional<From>>>(List<InputError> errors) ->
                        refused(exchange, errors);
                    case Parsed.Valid<Pair<String, Optional<From>>>(Pair<String, Optional<From>> asked) -> {
                        String id = asked.first();
                        yield reservations.whereThere(
                                exchange,
                                id,
                                () -> open(
                                        exchange,
                                        new Interest.Entity(ReservationMachine.NAME + "|" + id),
                                        asked.second()));
                    }
                })));
    }

    private static Parsed<Optional<From>> placed(Exchange exchange) {
        var query = new QueryParameters(exchange.query());
        var after = query.optional(AFTER, Place::parse, PLACE);
        return lastEventId(exchange)
                .then(last -> query.into(() -> last.or(() -> after.get().map(From::query))));
    }

    private CompletionStage<HttpResponse> open(Exchange exchange, Interest interest, Optional<From> from) {
        Optional<Place> after = from.map(From::place);
        Optional<Following> place = parts.followers().follow(interest, after);
        if (place.isEmpty()) {
            return CompletableFuture.completedFuture(Answers.problem(
                    Problem.of(
                            ProblemCode.TOO_MANY_STREAMS,
                            "As many streams as are allowed are open at this node.",
                            exchange.path()),
                    retryAfter));
        }
        Following following = place.get();
        return following.next(Duration.ZERO).handle((first, fault) -> {
            if (fault == null && first.atRest() && first.told().isEmpty() && after.isPresent()) {
                following.close();
                return HttpResponse.create().withStatus(204); // tells a browser not to come back
            }
            if (fault == null) {
                return streaming(following, first, after);
            }
            following.close();
            if (fault instanceof UnknownPlace
                    || (fault instanceof CompletionException wrapped && wrapped.getCause() instanceof UnknownPlace)) {
                return Answers.invalid(from.map(From::beyond).stream().toList(), exchange.path());
            }
            throw new CompletionException(fault);
        });
    }

    private HttpResponse streaming(Following following, Portion first, Optional<Place> after) {
        Source<ByteString, NotUsed> opening = Source.single(
                EventStream.opening(first.told().isEmpty() ? first.reached() : after.orElse(Place.START)));
        Source<ByteString, NotUsed> portions = Source.unfoldAsync(
                        new Turn(Optional.of(first), false), turn -> next(following, turn))
                .map(written::of);
        Source<ByteString, NotUsed> all = opening.concat(portions)
                .via(ending.flow())
                .takeWithin(parts.longest())
                .backpressureTimeout(parts.stall());
        return HttpResponse.create()
                .withEntity(HttpEntities.createChunked(
                        ContentTypes.create(MediaTypes.TEXT_EVENT_STREAM),
                        Occupied.by(all, parts.stall(), following::close)));
    }

    /** @param given read before the stream began */
    private record Turn(Optional<Portion> given, boolean over) {}

    private CompletionStage<Optional<Pair<Turn, Portion>>> next(Following following, Turn turn) {
        if (turn.over()) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        CompletionStage<Portion> portion = turn.given()
                .<CompletionStage<Portion>>map(CompletableFuture::completedFuture)
                .orElseGet(() -> following.next(parts.heartbeat()));
        return portion.thenApply(one -> Optional.of(Pair.create(new Turn(Optional.empty(), one.atRest()), one)));
    }

    private static CompletionStage<HttpResponse> refused(Exchange exchange, List<InputError> errors) {
        return CompletableFuture.completedFuture(Answers.invalid(errors, exchange.path()));
    }

    /** Ends every stream, in order: callers come back, to another node. */
    @Override
    public void close() {
        ending.shutdown();
    }
}
