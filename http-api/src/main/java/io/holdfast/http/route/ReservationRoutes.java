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

import io.holdfast.engine.audit.AuditScope;
import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.http.access.ApiRoute;
import io.holdfast.http.route.Endpoint.Body;
import io.holdfast.http.route.EntityAnswers.Success;
import io.holdfast.http.wire.CancelRequest;
import io.holdfast.http.wire.ConfirmRequest;
import io.holdfast.http.wire.JournalView;
import io.holdfast.http.wire.LineOf;
import io.holdfast.http.wire.ListingView;
import io.holdfast.http.wire.Pools;
import io.holdfast.http.wire.RefundBody;
import io.holdfast.http.wire.ReserveRequest;
import io.holdfast.http.wire.ReviewRequest;
import io.holdfast.json.ContentHash;
import io.holdfast.json.Fields;
import io.holdfast.json.InputError;
import io.holdfast.json.JsonValue.ObjectValue;
import io.holdfast.json.Parsed;
import io.holdfast.reservation.domain.Fact;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.view.ReservationFilter;
import io.holdfast.reservation.view.ReservationQueries;
import java.sql.SQLException;
import java.time.Instant;
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

/** {@code /v1/reservations}. */
final class ReservationRoutes {

    private static final int LONGEST_JOURNAL_PAGE = 1000;
    private static final int USUAL_PAGE = 100;

    private static final String CURSOR = "cursor";
    private static final Set<String> LIST_PARAMETERS = Set.of("order_id", "user_id", "pool", "status", CURSOR, "limit");
    private static final Pattern CURSOR_SHAPE = Pattern.compile("[A-Za-z0-9_-]{1,400}");
    private static final InputError NO_CURSOR =
            InputError.query(CURSOR, InputError.Code.BAD_SYNTAX, "Must be a cursor of this list.");
    private static final InputError OTHER_LINE = InputError.field(
            LineOf.MEMBER, InputError.Code.CONFLICTING, "The id of this reservation was not made of this line.");
    private static final String STATUSES =
            Stream.of(Reservation.Status.values()).map(Enum::name).collect(Collectors.joining(", "));
    /** Class of SQL states that blame a value. */
    private static final String DATA_EXCEPTION = "22";

    private final Endpoint endpoint;
    private final EntityAnswers<Reservation, ReservationCommand> reservations;
    private final HttpParts parts;
    private final QueryThreads threads;
    private final HoldRequests holds;
    private final AsOf asOf;

    ReservationRoutes(
            Endpoint endpoint,
            EntityAnswers<Reservation, ReservationCommand> reservations,
            HttpParts parts,
            QueryThreads threads,
            HoldRequests holds,
            AsOf asOf) {
        this.asOf = asOf;
        this.endpoint = endpoint;
        this.reservations = reservations;
        this.parts = parts;
        this.threads = threads;
        this.holds = holds;
    }

    /** Below {@code /v1/reservations}. */
    Route route() {
        return concat(
                pathEnd(() -> concat(post(this::reserve), get(this::list))),
                pathPrefix(
                        segment(),
                        id -> concat(
                                pathEnd(() -> get(() -> read(id))),
                                path("journal", () -> get(() -> journal(id))),
                                path(
                                        "confirm",
                                        () -> post(() ->
                                                fact(id, ApiRoute.RESERVATION_CONFIRM, ReservationRoutes::confirm))),
                                path(
                                        "cancel",
                                        () -> post(() ->
                                                fact(id, ApiRoute.RESERVATION_CANCEL, ReservationRoutes::cancel))),
                                path(
                                        "refunds",
                                        () -> post(() ->
                                                fact(id, ApiRoute.RESERVATION_REFUND, ReservationRoutes::refund))),
                                path(
                                        "freeze",
                                        () -> post(() ->
                                                review(id, ApiRoute.RESERVATION_FREEZE, ReviewRequest.Freeze::parse))),
                                path(
                                        "resolve",
                                        () -> post(() -> review(
                                                id, ApiRoute.RESERVATION_RESOLVE, ReviewRequest.Resolve::parse))))));
    }

    // ---- Try

    private Route reserve() {
        return extractRequest(request -> completeWithFuture(endpoint.command(
                request, ApiRoute.RESERVE, Body.REQUIRED, (exchange, body) -> switch (ReserveRequest.parse(body)) {
                    case Parsed.Invalid<ReserveRequest>(List<InputError> errors) -> refused(exchange, errors);
                    case Parsed.Valid<ReserveRequest>(ReserveRequest wish) ->
                        exchange.refusedFor(wish.terms().line().merchant())
                                .<CompletionStage<HttpResponse>>map(CompletableFuture::completedFuture)
                                .orElseGet(() -> holds.ask(exchange, wish));
                })));
    }

    // ---- Facts

    /** News of the order, read from a body. */
    private record News(Fact fact, ContentHash content, Optional<LineOf> line) {}

    private static Parsed<News> confirm(ObjectValue body) {
        return ConfirmRequest.parse(body)
                .then(news -> Parsed.valid(new News(news.fact(), news.content(), news.line())));
    }

    private static Parsed<News> cancel(ObjectValue body) {
        return CancelRequest.parse(body).then(news -> Parsed.valid(new News(news.fact(), news.content(), news.line())));
    }

    private static Parsed<News> refund(ObjectValue body) {
        return RefundBody.parse(body).then(news -> Parsed.valid(new News(news.fact(), news.content(), news.line())));
    }

    private Route fact(String segment, ApiRoute route, Function<ObjectValue, Parsed<News>> parse) {
        return wish(
                segment,
                route,
                parse,
                (exchange, id, news) ->
                        news.line().filter(line -> !line.makes(id)).isPresent()
                                ? refused(exchange, List.of(OTHER_LINE))
                                : told(exchange, id, news));
    }

    /** Whose it is must be looked at for callers that may not tell of all; for others it is one question. */
    private CompletionStage<HttpResponse> told(Exchange exchange, String id, News news) {
        if (!exchange.limited()) {
            return tell(exchange, id, news);
        }
        return reservations.look(id).thenCompose(outcome -> switch (outcome) {
            case Outcome.Known<Reply<Reservation>>(Reply<Reservation> reply) ->
                isOpen(exchange, reply.state(), news)
                        ? tell(exchange, id, news)
                        : CompletableFuture.completedFuture(reservations.hidden(exchange, id));
            case Outcome.Unknown<Reply<Reservation>>(String why) ->
                CompletableFuture.completedFuture(reservations.unavailable(exchange, id, why));
            case Outcome.Unavailable<Reply<Reservation>>(String why) ->
                CompletableFuture.completedFuture(reservations.unavailable(exchange, id, why));
        });
    }

    private CompletionStage<HttpResponse> tell(Exchange exchange, String id, News news) {
        return reservations.tell(
                exchange,
                id,
                exchange.cause(id, news.content()),
                new ReservationCommand.ToldByCaller(news.fact()),
                Success.OK);
    }

    /** Before its hold was asked for, nobody knows whose a reservation is but by the line that its id was made of. */
    private boolean isOpen(Exchange exchange, Reservation state, News news) {
        return reservations.isOpen(exchange, state)
                || state.asked().isEmpty()
                        && news.line()
                                .filter(line -> exchange.scope().covers(line.merchant()))
                                .isPresent();
    }

    /** Carries out what a body asks for of a reservation. */
    @FunctionalInterface
    private interface Wish<T> {
        CompletionStage<HttpResponse> of(Exchange exchange, String reservation, T body);
    }

    private <T> Route wish(String segment, ApiRoute route, Function<ObjectValue, Parsed<T>> parse, Wish<T> wish) {
        return extractRequest(request -> completeWithFuture(endpoint.command(
                request, route, Body.REQUIRED, (exchange, body) -> switch (PathIds.reservation(segment)) {
                    case Parsed.Invalid<String>(List<InputError> errors) -> refused(exchange, errors);
                    case Parsed.Valid<String>(String id) ->
                        switch (parse.apply(body)) {
                            case Parsed.Invalid<T>(List<InputError> errors) -> refused(exchange, errors);
                            case Parsed.Valid<T>(T asked) -> wish.of(exchange, id, asked);
                        };
                })));
    }

    // ---- Review

    private Route review(String segment, ApiRoute route, Function<ObjectValue, Parsed<ReviewRequest>> parse) {
        return wish(segment, route, parse, this::order);
    }

    private CompletionStage<HttpResponse> order(Exchange exchange, String id, ReviewRequest wish) {
        return exchange.keyMissing()
                .map(missing -> refused(exchange, List.of(missing)))
                .orElseGet(() -> reservations.give(
                        exchange, id, exchange.order(id, wish.content()), wish.command(), Success.OK));
    }

    // ---- Reads

    private Route read(String segment) {
        return extractRequest(request -> completeWithFuture(endpoint.query(
                request, ApiRoute.RESERVATION_GET, Set.of(AsOf.AT), exchange -> switch (PathIds.reservation(segment)) {
                    case Parsed.Invalid<String>(List<InputError> errors) -> refused(exchange, errors);
                    case Parsed.Valid<String>(String id) ->
                        switch (AsOf.moment(exchange)) {
                            case Parsed.Invalid<Optional<Instant>>(List<InputError> errors) ->
                                refused(exchange, errors);
                            case Parsed.Valid<Optional<Instant>>(Optional<Instant> at) ->
                                at.map(moment -> asOf.reservation(exchange, id, moment))
                                        .orElseGet(() -> reservations
                                                .look(id)
                                                .thenApply(outcome -> reservations.read(exchange, id, outcome)));
                        };
                })));
    }

    private record ListPage(ReservationFilter filter, Optional<String> cursor, int limit) {}

    private Route list() {
        return extractRequest(request -> completeWithFuture(endpoint.query(
                request, ApiRoute.RESERVATIONS, LIST_PARAMETERS, exchange -> switch (listPage(exchange)) {
                    case Parsed.Invalid<ListPage>(List<InputError> errors) -> refused(exchange, errors);
                    case Parsed.Valid<ListPage>(ListPage page) ->
                        page.filter()
                                .pool()
                                .flatMap(pool -> exchange.refusedFor(pool.merchant()))
                                .or(() -> exchange.refusedForUser(page.filter().userId()))
                                .<CompletionStage<HttpResponse>>map(CompletableFuture::completedFuture)
                                .orElseGet(() -> listed(exchange, page));
                })));
    }

    private CompletionStage<HttpResponse> listed(Exchange exchange, ListPage page) {
        return threads.read(() -> listed(page)).thenApply(found -> switch (found) {
            case Parsed.Invalid<ListingView>(List<InputError> errors) -> Answers.invalid(errors, exchange.path());
            case Parsed.Valid<ListingView>(ListingView listing) -> Answers.json(200, listing);
        });
    }

    private static Parsed<ListPage> listPage(Exchange exchange) {
        var query = new QueryParameters(exchange.query());
        var orderId = query.id("order_id");
        var userId = query.id("user_id");
        var pool = query.optional("pool", Pools::parse, Pools.SYNTAX);
        var status = query.optional("status", ReservationRoutes::status, "one of " + STATUSES);
        var cursor = query.optional(CURSOR, ReservationRoutes::cursor, "a cursor of this list");
        var limit = query.integer("limit", 1, ReservationQueries.LONGEST_PAGE, USUAL_PAGE);
        return query.into(() -> new ListPage(
                new ReservationFilter(
                        orderId.get(),
                        userId.get(),
                        pool.get(),
                        status.get(),
                        exchange.scope().merchants()),
                cursor.get(),
                Math.toIntExact(limit.get())));
    }

    private static Optional<Reservation.Status> status(String text) {
        return Stream.of(Reservation.Status.values())
                .filter(status -> status.name().equals(text))
                .findFirst();
    }

    private static Optional<String> cursor(String text) {
        return CURSOR_SHAPE.matcher(text).matches() ? Optional.of(text) : Optional.empty();
    }

    private Parsed<ListingView> listed(ListPage page) {
        try {
            var listing = parts.search().list(page.filter(), page.cursor(), page.limit());
            return Parsed.valid(ListingView.of(listing, page.filter(), page.limit()));
        } catch (IllegalArgumentException e) {
            return Parsed.invalid(NO_CURSOR);
        } catch (SQLException e) {
            boolean valueRefused = e.getSQLState() != null && e.getSQLState().startsWith(DATA_EXCEPTION);
            if (valueRefused && page.cursor().isPresent()) {
                // Everything else of the query was checked; only a made-up cursor can hold what the database does not
                // take.
                return Parsed.invalid(NO_CURSOR);
            }
            throw new CompletionException(e);
        }
    }

    private record JournalPage(String id, long after, int limit) {}

    private Route journal(String segment) {
        return extractRequest(request -> completeWithFuture(endpoint.query(
                request, ApiRoute.RESERVATION_JOURNAL, Set.of("after", "limit"), exchange -> switch (page(
                        segment, exchange)) {
                    case Parsed.Invalid<JournalPage>(List<InputError> errors) -> refused(exchange, errors);
                    case Parsed.Valid<JournalPage>(JournalPage page) ->
                        reservations.ifOpen(
                                exchange,
                                page.id(),
                                () -> threads.read(() -> replayed(page))
                                        .thenApply(view -> view.map(journal -> Answers.json(200, journal))
                                                .orElseGet(() ->
                                                        Answers.problem(reservations.absent(exchange, page.id())))));
                })));
    }

    private static Parsed<JournalPage> page(String segment, Exchange exchange) {
        var query = new QueryParameters(exchange.query());
        var after = query.integer("after", 0, Fields.MAX_INTEGER, 0);
        var limit = query.integer("limit", 1, LONGEST_JOURNAL_PAGE, USUAL_PAGE);
        return PathIds.reservation(segment)
                .then(id -> query.into(() -> new JournalPage(id, after.get(), Math.toIntExact(limit.get()))));
    }

    private Optional<JournalView> replayed(JournalPage page) {
        try {
            var trail = parts.journals().replay(page.id(), AuditScope.page(page.after(), page.limit()));
            return JournalView.of(page.id(), trail, page.limit());
        } catch (SQLException e) {
            throw new CompletionException(e);
        }
    }

    private static CompletionStage<HttpResponse> refused(Exchange exchange, List<InputError> errors) {
        return CompletableFuture.completedFuture(Answers.invalid(errors, exchange.path()));
    }
}
