package io.holdfast.http.route;

import static org.apache.pekko.http.javadsl.server.Directives.completeWithFuture;
import static org.apache.pekko.http.javadsl.server.Directives.concat;
import static org.apache.pekko.http.javadsl.server.Directives.extractRequest;
import static org.apache.pekko.http.javadsl.server.Directives.get;
import static org.apache.pekko.http.javadsl.server.Directives.path;
import static org.apache.pekko.http.javadsl.server.Directives.pathEnd;
import static org.apache.pekko.http.javadsl.server.Directives.pathPrefix;
import static org.apache.pekko.http.javadsl.server.Directives.post;
import static org.apache.pekko.http.javadsl.server.Directives.put;
import static org.apache.pekko.http.javadsl.server.PathMatchers.segment;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Decision;
import io.holdfast.engine.machine.Refusal;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.http.access.ApiRoute;
import io.holdfast.http.problem.Problem;
import io.holdfast.http.problem.ProblemCode;
import io.holdfast.http.route.Endpoint.Body;
import io.holdfast.http.route.EntityAnswers.Success;
import io.holdfast.http.wire.BooksView;
import io.holdfast.http.wire.Paths;
import io.holdfast.http.wire.PoolRequest;
import io.holdfast.http.wire.PoolView;
import io.holdfast.http.wire.Pools;
import io.holdfast.json.InputError;
import io.holdfast.json.JsonValue.ObjectValue;
import io.holdfast.json.Parsed;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.Buckets;
import io.holdfast.reservation.domain.EffectPolicies;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.domain.StockPoolCommand;
import io.holdfast.reservation.domain.StockPoolEvent;
import io.holdfast.reservation.domain.StockPoolMachine;
import io.holdfast.reservation.entity.SaleBuckets.Bucket;
import io.holdfast.reservation.port.PoolDirectory;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.StatusCodes;
import org.apache.pekko.http.javadsl.server.Route;

/** {@code /v1/pools}. */
final class PoolRoutes {

    /** What a creation would come to does not depend on how effects are repeated. */
    private static final StockPoolMachine MACHINE = new StockPoolMachine(EffectPolicies.standard());

    private final Endpoint endpoint;
    private final EntityAnswers<StockPool, StockPoolCommand> pools;
    private final PoolDirectory directory;
    private final PoolNumbers numbers;
    private final SaleParts sales;
    private final AsOf asOf;
    private final InstantSource clock;

    PoolRoutes(
            Endpoint endpoint,
            EntityAnswers<StockPool, StockPoolCommand> pools,
            PoolDirectory directory,
            PoolNumbers numbers,
            SaleParts sales,
            AsOf asOf,
            InstantSource clock) {
        this.clock = clock;
        this.asOf = asOf;
        this.numbers = numbers;
        this.sales = sales;
        this.endpoint = endpoint;
        this.pools = pools;
        this.directory = directory;
    }

    /** Below {@code /v1/pools}. */
    Route route() {
        return pathPrefix(
                segment(),
                pool -> concat(
                        pathEnd(() -> concat(
                                get(() -> read(pool)),
                                put(() -> operation(
                                        PathIds.newPool(pool),
                                        ApiRoute.POOL_PUT,
                                        Body.REQUIRED,
                                        body -> PoolRequest.Create.parse(body).then(wish -> keyed(pool, wish)),
                                        Success.PUT)))),
                        path(
                                "adjustments",
                                () -> action(pool, ApiRoute.POOL_ADJUST, Body.REQUIRED, PoolRequest.Adjust::parse)),
                        path("pause", () -> action(pool, ApiRoute.POOL_PAUSE, Body.OPTIONAL, PoolRequest.Pause::parse)),
                        path(
                                "resume",
                                () -> action(pool, ApiRoute.POOL_RESUME, Body.OPTIONAL, PoolRequest.Resume::parse)),
                        path("close", () -> action(pool, ApiRoute.POOL_CLOSE, Body.OPTIONAL, PoolRequest.Close::parse)),
                        path(
                                "archive",
                                () -> action(pool, ApiRoute.POOL_ARCHIVE, Body.OPTIONAL, PoolRequest.Archive::parse)),
                        path(
                                "verify",
                                () -> action(pool, ApiRoute.POOL_VERIFY, Body.OPTIONAL, PoolRequest.Verify::parse)),
                        path(
                                "rebuild",
                                () -> action(pool, ApiRoute.POOL_REBUILD, Body.OPTIONAL, PoolRequest.Rebuild::parse))));
    }

    private Route read(String segment) {
        return extractRequest(request -> completeWithFuture(endpoint.query(
                request, ApiRoute.POOL_GET, Set.of(AsOf.AT), exchange -> switch (PathIds.pool(segment)) {
                    case Parsed.Invalid<PoolId>(List<InputError> errors) -> refused(exchange, errors);
                    case Parsed.Valid<PoolId>(PoolId pool) ->
                        switch (AsOf.moment(exchange)) {
                            case Parsed.Invalid<Optional<Instant>>(List<InputError> errors) ->
                                refused(exchange, errors);
                            case Parsed.Valid<Optional<Instant>>(Optional<Instant> at) ->
                                at.map(moment -> asOf.pool(exchange, pool, moment))
                                        .orElseGet(() -> now(exchange, pool))
                                        .thenApply(answer -> explained(answer, pool, exchange));
                        };
                })));
    }

    private CompletionStage<HttpResponse> now(Exchange exchange, PoolId pool) {
        return pools.look(pool.value())
                .thenCombine(
                        numbers.now(pool),
                        (outcome, redis) -> backlog(pool, outcome)
                                .thenCombine(
                                        buckets(pool, outcome),
                                        (backlog, all) -> pools.read(
                                                exchange,
                                                pool.value(),
                                                outcome,
                                                reply -> PoolView.of(reply).with(redis(redis), backlog, all))))
                .thenCompose(answer -> answer);
    }

    private CompletionStage<List<Optional<Bucket>>> buckets(PoolId pool, Outcome<Reply<StockPool>> outcome) {
        return split(outcome)
                .map(buckets -> sales.buckets().read(pool, buckets))
                .orElseGet(() -> CompletableFuture.completedFuture(List.of()));
    }

    /** The buckets that a pool speaks for. */
    private static Optional<Buckets> split(Outcome<Reply<StockPool>> outcome) {
        return outcome instanceof Outcome.Known<Reply<StockPool>>(Reply<StockPool> reply)
                ? reply.state().buckets().filter(Buckets::isFirst)
                : Optional.empty();
    }

    private CompletionStage<Optional<Long>> backlog(PoolId pool, Outcome<Reply<StockPool>> outcome) {
        return outcome instanceof Outcome.Known<Reply<StockPool>>(Reply<StockPool> reply)
                        && reply.state().sale().isPresent()
                ? backlog(split(outcome).map(all -> all.pools(pool)).orElseGet(() -> List.of(pool)))
                : CompletableFuture.completedFuture(Optional.empty());
    }

    /** Of all of them together; empty if Redis does not say it of one. */
    private CompletionStage<Optional<Long>> backlog(List<PoolId> of) {
        return of.stream()
                .map(sales.backlog()::of)
                .reduce((some, more) -> some.thenCombine(
                        more, (left, right) -> left.flatMap(holds -> right.map(others -> holds + others))))
                .orElseThrow();
    }

    /** A sale is of an item, not of a day or a bucket of it, and keeps the newest secret of the node that is asked. */
    private Parsed<PoolRequest> keyed(String segment, PoolRequest wish) {
        if (!(wish instanceof PoolRequest.Create create) || create.sale().isEmpty()) {
            return Parsed.valid(wish);
        }
        if (Pools.parse(segment).flatMap(PoolId::third).isPresent()) {
            return Parsed.invalid(
                    InputError.field("sale", InputError.Code.CONFLICTING, "Only a pool activity:sku can have a gate."));
        }
        return sales.newestKey()
                .map(version -> Parsed.<PoolRequest>valid(create.under(version)))
                .orElseGet(() -> Parsed.invalid(InputError.field(
                        "sale",
                        InputError.Code.CONFLICTING,
                        "This node has no secret to make ids with: see gate.secrets.")));
    }

    private static HttpResponse explained(HttpResponse answer, PoolId pool, Exchange exchange) {
        return answer.status().equals(StatusCodes.NOT_FOUND) ? PathIds.orMistaken(answer, pool, exchange) : answer;
    }

    private static Optional<PoolView.RedisView> redis(PoolNumbers.Answer answer) {
        return switch (answer) {
            case PoolNumbers.Seen(String status, boolean trusted, Books books) ->
                Optional.of(new PoolView.RedisView(status, trusted, BooksView.of(books)));
            case PoolNumbers.NotThere _, PoolNumbers.Unreadable _, PoolNumbers.Silent _ -> Optional.empty();
        };
    }

    private Route action(String segment, ApiRoute route, Body body, Function<ObjectValue, Parsed<PoolRequest>> parse) {
        return post(() -> operation(PathIds.pool(segment), route, body, parse, Success.OK));
    }

    /** What {@code PUT} of this pool does, as one of many. */
    CompletionStage<HttpResponse> create(Exchange exchange, String segment, ObjectValue body) {
        return asked(exchange, segment, body, (pool, wish) -> ask(exchange, pool, wish, Success.PUT));
    }

    /**
     * What it would be answered with now, as far as that does not depend on Redis.
     *
     * @param earlier the body that the pool would have been made with just before
     */
    CompletionStage<HttpResponse> wouldCreate(
            Exchange exchange, String segment, ObjectValue body, Optional<ObjectValue> earlier) {
        return asked(
                exchange,
                segment,
                body,
                (pool, wish) -> pools.look(pool.value())
                        .thenApply(outcome -> pools.judged(
                                exchange,
                                pool.value(),
                                outcome,
                                state -> judged(
                                        earlier.map(first -> after(state, exchange, pool, first))
                                                .orElse(state),
                                        exchange,
                                        pool,
                                        wish))));
    }

    /** The state in which a body that is taken leaves a pool. */
    private StockPool after(StockPool state, Exchange exchange, PoolId pool, ObjectValue body) {
        if (!(PoolRequest.Create.parse(body).then(wish -> keyed(pool.value(), wish))
                instanceof Parsed.Valid<PoolRequest>(PoolRequest wish))) {
            return state;
        }
        StockPool reached = state;
        if (MACHINE.decide(state, operation(exchange, pool, wish), clock.instant())
                instanceof Decision.Accept<StockPoolEvent>(List<StockPoolEvent> events)) {
            for (StockPoolEvent event : events) {
                reached = MACHINE.evolve(reached, event);
            }
        }
        return reached;
    }

    private static StockPoolCommand operation(Exchange exchange, PoolId pool, PoolRequest wish) {
        return wish.command(
                OperationId.of(exchange.cause(pool.value(), wish.content()).id()));
    }

    private EntityAnswers.Judgement judged(StockPool state, Exchange exchange, PoolId pool, PoolRequest wish) {
        return switch (MACHINE.decide(state, operation(exchange, pool, wish), clock.instant())) {
            case Decision.Accept<StockPoolEvent> _ -> new EntityAnswers.Judgement.Would(201);
            case Decision.Repeat<StockPoolEvent> _ -> new EntityAnswers.Judgement.Would(200);
            case Decision.Refuse<StockPoolEvent>(Refusal reason, var _) ->
                new EntityAnswers.Judgement.WouldRefuse(reason);
        };
    }

    @FunctionalInterface
    private interface Putting {
        CompletionStage<HttpResponse> of(PoolId pool, PoolRequest wish);
    }

    private CompletionStage<HttpResponse> asked(Exchange exchange, String segment, ObjectValue body, Putting putting) {
        return switch (PathIds.newPool(segment)) {
            case Parsed.Invalid<PoolId>(List<InputError> errors) -> refused(exchange, errors);
            case Parsed.Valid<PoolId>(PoolId pool) ->
                switch (PoolRequest.Create.parse(body).then(wish -> keyed(segment, wish))) {
                    case Parsed.Invalid<PoolRequest>(List<InputError> errors) -> refused(exchange, errors);
                    case Parsed.Valid<PoolRequest>(PoolRequest wish) -> putting.of(pool, wish);
                };
        };
    }

    private Route operation(
            Parsed<PoolId> id,
            ApiRoute route,
            Body rule,
            Function<ObjectValue, Parsed<PoolRequest>> parse,
            Success success) {
        return extractRequest(request ->
                completeWithFuture(endpoint.command(request, route, rule, (exchange, body) -> switch (id) {
                    case Parsed.Invalid<PoolId>(List<InputError> errors) -> refused(exchange, errors);
                    case Parsed.Valid<PoolId>(PoolId pool) ->
                        switch (parse.apply(body)) {
                            case Parsed.Invalid<PoolRequest>(List<InputError> errors) -> refused(exchange, errors);
                            case Parsed.Valid<PoolRequest>(PoolRequest wish) ->
                                conditioned(exchange, pool, wish, success);
                        };
                })));
    }

    /** {@code If-Match} of an adjustment says what {@code expected_version} says; no other operation of a pool is based on a version. */
    private CompletionStage<HttpResponse> conditioned(
            Exchange exchange, PoolId pool, PoolRequest wish, Success success) {
        if (!IfMatch.isIn(exchange.request())) {
            return ask(exchange, pool, wish, success);
        }
        if (!(wish instanceof PoolRequest.Adjust adjust)) {
            return refused(
                    exchange,
                    List.of(InputError.header(
                            IfMatch.HEADER, InputError.Code.UNKNOWN, "Only adjustments are based on a version.")));
        }
        return switch (IfMatch.of(exchange.request())) {
            case Parsed.Invalid<IfMatch>(List<InputError> errors) -> refused(exchange, errors);
            case Parsed.Valid<IfMatch>(IfMatch.Any()) -> ask(exchange, pool, adjust, success);
            case Parsed.Valid<IfMatch>(IfMatch.Nothing()) -> neverMatches(exchange, pool);
            case Parsed.Valid<IfMatch>(IfMatch.Version(long version)) ->
                adjust.expectedVersion().filter(named -> named != version).isPresent()
                        ? refused(
                                exchange,
                                List.of(InputError.header(
                                        IfMatch.HEADER,
                                        InputError.Code.CONFLICTING,
                                        "It names another version than expected_version.")))
                        : ask(exchange, pool, adjust.basedOn(version), success);
        };
    }

    /** Refused without being asked for, so that the key stays free for a request that can be carried out. */
    private CompletionStage<HttpResponse> neverMatches(Exchange exchange, PoolId pool) {
        return pools.look(pool.value()).thenApply(outcome -> switch (outcome) {
            case Outcome.Known<Reply<StockPool>>(Reply<StockPool> reply)
            when reply.state().totals().isPresent() ->
                Answers.problem(Problem.of(
                                ProblemCode.PRECONDITION_FAILED,
                                "If-Match names no version that the baseline ever had.",
                                exchange.path())
                        .with("pool", pool.value())
                        .with("pool_url", Paths.pool(pool.value()))
                        .with("version_now", reply.state().totals().get().version()));
            case Outcome.Known<Reply<StockPool>> _,
                    Outcome.Unknown<Reply<StockPool>> _,
                    Outcome.Unavailable<Reply<StockPool>> _ ->
                explained(pools.read(exchange, pool.value(), outcome), pool, exchange);
        });
    }

    private CompletionStage<HttpResponse> ask(Exchange exchange, PoolId pool, PoolRequest wish, Success success) {
        Optional<InputError> noKey = wish.needsKey() ? exchange.keyMissing() : Optional.empty();
        if (noKey.isPresent()) {
            return refused(exchange, List.of(noKey.get()));
        }
        return ofOneSale(pool, wish)
                .thenCompose(speaker -> speaker.isPresent()
                        ? CompletableFuture.completedFuture(partOfSale(exchange, pool, speaker.get()))
                        : prepared(pool, wish).thenCompose(_ -> given(exchange, pool, wish, success)));
    }

    private CompletionStage<HttpResponse> given(Exchange exchange, PoolId pool, PoolRequest wish, Success success) {
        var cause = exchange.cause(pool.value(), wish.content());
        return command(pool, wish, OperationId.of(cause.id()))
                .thenCompose(command -> pools.give(exchange, pool.value(), cause, command, success))
                .thenApply(answer -> explained(answer, pool, exchange))
                .whenComplete((_, _) -> directory.forget(pool));
    }

    /** The pool that speaks for this one, where that is another, and the wish is not about Redis alone. */
    private CompletionStage<Optional<PoolId>> ofOneSale(PoolId pool, PoolRequest wish) {
        boolean ofRedis = wish instanceof PoolRequest.Verify || wish instanceof PoolRequest.Rebuild;
        if (ofRedis
                || wish instanceof PoolRequest.Create
                || Buckets.indexOf(pool).isEmpty()) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        return pools.look(pool.value())
                .thenApply(outcome -> outcome instanceof Outcome.Known<Reply<StockPool>>(Reply<StockPool> reply)
                                && reply.state().buckets().isPresent()
                        ? Optional.of(reply.state().buckets().get().pool(pool, 0))
                        : Optional.empty());
    }

    private static HttpResponse partOfSale(Exchange exchange, PoolId pool, PoolId speaker) {
        return Answers.problem(
                Problem.of(ProblemCode.PART_OF_SALE, "Another pool speaks for this one.", exchange.path())
                        .with("pool", pool.value())
                        .with("pool_url", Paths.pool(pool.value()))
                        .with("sale_pool", speaker.value()));
    }

    /** A total that goes down takes units that lie in the pool that speaks for the sale, so they come there first. */
    private CompletionStage<Void> prepared(PoolId pool, PoolRequest wish) {
        if (!(wish instanceof PoolRequest.Adjust adjust) || pool.third().isPresent()) {
            return CompletableFuture.allOf();
        }
        return pools.look(pool.value()).thenCompose(outcome -> {
            Optional<Buckets> buckets = split(outcome);
            long fewer = outcome instanceof Outcome.Known<Reply<StockPool>>(Reply<StockPool> reply)
                    ? reply.state().trusted().map(StockPool.Trusted::saleTotal).orElse(0L) - adjust.total()
                    : 0;
            return buckets.isPresent() && fewer > 0
                    ? sales.buckets().gather(pool, buckets.get(), fewer)
                    : CompletableFuture.allOf();
        });
    }

    /** A pool that is idle does not know that Redis is another process: whoever asks to verify it has it told. */
    private CompletionStage<StockPoolCommand> command(PoolId pool, PoolRequest wish, String operationId) {
        return wish instanceof PoolRequest.Verify
                ? numbers.now(pool).thenApply(redis -> new StockPoolCommand.Verify(unserved(redis)))
                : CompletableFuture.completedFuture(wish.command(operationId));
    }

    private static Optional<String> unserved(PoolNumbers.Answer answer) {
        return switch (answer) {
            case PoolNumbers.Seen(String status, boolean trusted, var _) ->
                trusted
                        ? Optional.empty()
                        : Optional.of("Redis does not serve it, having it as " + status
                                + ", or being another process than it was verified under");
            case PoolNumbers.NotThere() -> Optional.of("Redis has no such pool");
            case PoolNumbers.Unreadable(String what) -> Optional.of("its numbers in Redis can't be read: " + what);
            case PoolNumbers.Silent() -> Optional.empty();
        };
    }

    private static CompletionStage<HttpResponse> refused(Exchange exchange, List<InputError> errors) {
        return CompletableFuture.completedFuture(Answers.invalid(errors, exchange.path()));
    }
}
