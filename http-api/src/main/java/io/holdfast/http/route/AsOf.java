package io.holdfast.http.route;

import static org.apache.pekko.http.javadsl.server.Directives.completeWithFuture;
import static org.apache.pekko.http.javadsl.server.Directives.extractRequest;
import static org.apache.pekko.http.javadsl.server.Directives.get;
import static org.apache.pekko.http.javadsl.server.Directives.path;
import static org.apache.pekko.http.javadsl.server.PathMatchers.segment;

import io.holdfast.engine.audit.AuditScope;
import io.holdfast.engine.audit.AuditTrail;
import io.holdfast.engine.entity.Entity;
import io.holdfast.http.access.ApiRoute;
import io.holdfast.http.problem.Problem;
import io.holdfast.http.problem.ProblemCode;
import io.holdfast.http.wire.AsOfViews;
import io.holdfast.http.wire.AsOfViews.Standing;
import io.holdfast.json.InputError;
import io.holdfast.json.Parsed;
import io.holdfast.json.Timestamps;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.domain.StockPoolCommand;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.server.Route;

/**
 * How reservations and pools stood at a moment, and what changed between two, by replay of their journals. The time of an event is its own:
 * the moment of its decision, by the fleet's clock. All of an entity's events up to the first one decided later count.
 */
final class AsOf {

    /** The query parameter that names the moment. */
    static final String AT = "at";

    private static final Set<String> BOTH = Set.of("from", "to");

    private final Endpoint endpoint;
    private final EntityAnswers<Reservation, ReservationCommand> reservations;
    private final EntityAnswers<StockPool, StockPoolCommand> pools;
    private final JournalReplay<Reservation> ofReservations;
    private final JournalReplay<StockPool> ofPools;
    private final LedgerReads ledger;
    private final QueryThreads threads;

    AsOf(
            Endpoint endpoint,
            EntityAnswers<Reservation, ReservationCommand> reservations,
            EntityAnswers<StockPool, StockPoolCommand> pools,
            HttpParts parts,
            QueryThreads threads) {
        this.endpoint = endpoint;
        this.reservations = reservations;
        this.pools = pools;
        this.ofReservations = parts.journals();
        this.ofPools = parts.poolJournals();
        this.ledger = parts.ledger();
        this.threads = threads;
    }

    /** The moment asked for, if one was. */
    static Parsed<Optional<Instant>> moment(Exchange exchange) {
        var query = new QueryParameters(exchange.query());
        var at = query.optional(AT, Timestamps::parse, Timestamps.SYNTAX);
        return query.into(() -> at.get().map(AsOf::kept));
    }

    /** Times are kept in microseconds. */
    private static Instant kept(Instant moment) {
        return moment.truncatedTo(ChronoUnit.MICROS);
    }

    /** Answers how a reservation stood. */
    CompletionStage<HttpResponse> reservation(Exchange exchange, String id, Instant at) {
        return reservations.whereThere(
                exchange,
                id,
                () -> threads.read(() -> standing(ofReservations, id, at, AsOf::view))
                        .thenApply(then -> answer(exchange, then, reservations.absent(exchange, id))));
    }

    /** Answers how a pool stood. */
    CompletionStage<HttpResponse> pool(Exchange exchange, PoolId pool, Instant at) {
        return pools.whereThere(
                exchange,
                pool.value(),
                () -> threads.read(() -> standing(ofPools, pool.value(), at, view(pool)))
                        .thenApply(then -> answer(exchange, then, pools.absent(exchange, pool.value()))));
    }

    /** Below {@code /v1/reservations}. */
    Route ofReservations() {
        return path(
                segment().slash("diff"),
                id -> get(() -> extractRequest(request -> completeWithFuture(diff(
                        request,
                        ApiRoute.RESERVATION_DIFF,
                        PathIds.reservation(id),
                        (exchange, reservation, span) -> reservations.whereThere(
                                exchange,
                                reservation,
                                () -> threads.read(() -> compared(
                                        exchange,
                                        reservations.absent(exchange, reservation),
                                        standing(ofReservations, reservation, span.from(), AsOf::view),
                                        standing(ofReservations, reservation, span.to(), AsOf::view)))))))));
    }

    /** Below {@code /v1/pools}. */
    Route ofPools() {
        return path(
                segment().slash("diff"),
                id -> get(() -> extractRequest(request -> completeWithFuture(diff(
                        request,
                        ApiRoute.POOL_DIFF,
                        PathIds.pool(id),
                        (exchange, pool, span) -> pools.whereThere(
                                exchange,
                                pool.value(),
                                () -> threads.read(() -> compared(
                                        exchange,
                                        pools.absent(exchange, pool.value()),
                                        standing(ofPools, pool.value(), span.from(), view(pool)),
                                        standing(ofPools, pool.value(), span.to(), view(pool))))))))));
    }

    private record Span(Instant from, Instant to) {}

    @FunctionalInterface
    private interface Comparing<I> {
        CompletionStage<HttpResponse> of(Exchange exchange, I id, Span span);
    }

    private <I> CompletionStage<HttpResponse> diff(
            HttpRequest request, ApiRoute route, Parsed<I> id, Comparing<I> comparing) {
        return endpoint.query(request, route, BOTH, exchange -> switch (id) {
            case Parsed.Invalid<I>(List<InputError> errors) -> refused(exchange, errors);
            case Parsed.Valid<I>(I known) ->
                switch (span(exchange)) {
                    case Parsed.Invalid<Span>(List<InputError> errors) -> refused(exchange, errors);
                    case Parsed.Valid<Span>(Span span) -> comparing.of(exchange, known, span);
                };
        });
    }

    private static Parsed<Span> span(Exchange exchange) {
        List<InputError> missing = new ArrayList<>();
        for (String name : List.of("from", "to")) {
            if (!exchange.query().containsKey(name)) {
                missing.add(InputError.query(name, InputError.Code.MISSING, "Must be given."));
            }
        }
        if (!missing.isEmpty()) {
            return new Parsed.Invalid<>(missing);
        }
        var query = new QueryParameters(exchange.query());
        var from = query.optional("from", Timestamps::parse, Timestamps.SYNTAX);
        var to = query.optional("to", Timestamps::parse, Timestamps.SYNTAX);
        return query.into(() ->
                        new Span(kept(from.get().orElseThrow()), kept(to.get().orElseThrow())))
                .then(span -> span.from().isAfter(span.to())
                        ? Parsed.invalid(
                                InputError.query("to", InputError.Code.CONFLICTING, "Must not be before from."))
                        : Parsed.valid(span));
    }

    // ---- reading

    private interface Viewing<S> {
        Object of(Instant at, Entity<S> then) throws SQLException;
    }

    private static Object view(Instant at, Entity<Reservation> then) {
        return AsOfViews.ReservationAsOf.of(at, then);
    }

    private Viewing<StockPool> view(PoolId pool) {
        return (at, then) -> AsOfViews.PoolAsOf.of(at, then, ledger.snapshot(pool, at));
    }

    /** How it stood; empty if its journal can't be read so far. */
    private static <S> Optional<Standing> standing(
            JournalReplay<S> journals, String id, Instant at, Viewing<S> viewing) {
        try {
            AuditTrail<S> trail =
                    journals.replay(id, new AuditScope(Optional.of(at), Long.MAX_VALUE, Integer.MAX_VALUE));
            if (!trail.sound() || trail.end().isEmpty()) {
                return Optional.empty();
            }
            Entity<S> then = trail.end().get();
            return Optional.of(new Standing(
                    at,
                    then.sequenceNumber(),
                    then.sequenceNumber() == 0 ? Optional.empty() : Optional.of(viewing.of(at, then))));
        } catch (SQLException e) {
            throw new CompletionException(e);
        }
    }

    private static HttpResponse answer(Exchange exchange, Optional<Standing> then, Problem absent) {
        return then.map(standing ->
                        standing.view().map(view -> Answers.json(200, view)).orElseGet(() -> Answers.problem(absent)))
                .orElseGet(() -> unreadable(exchange));
    }

    private static HttpResponse compared(
            Exchange exchange, Problem absent, Optional<Standing> from, Optional<Standing> to) {
        if (from.isEmpty() || to.isEmpty()) {
            return unreadable(exchange);
        }
        return to.get().view().isEmpty()
                ? Answers.problem(absent)
                : Answers.json(200, AsOfViews.diff(from.get(), to.get()));
    }

    private static HttpResponse unreadable(Exchange exchange) {
        return Answers.problem(Problem.of(
                ProblemCode.JOURNAL_UNREADABLE,
                "An entry up to that moment is missing or can't be read.",
                exchange.path()));
    }

    private static CompletionStage<HttpResponse> refused(Exchange exchange, List<InputError> errors) {
        return CompletableFuture.completedFuture(Answers.invalid(errors, exchange.path()));
    }
}
