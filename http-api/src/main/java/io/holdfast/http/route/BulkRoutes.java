package io.holdfast.http.route;

import static org.apache.pekko.http.javadsl.server.Directives.completeWithFuture;
import static org.apache.pekko.http.javadsl.server.Directives.extractRequest;
import static org.apache.pekko.http.javadsl.server.Directives.pathEnd;
import static org.apache.pekko.http.javadsl.server.Directives.post;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.http.access.ApiRoute;
import io.holdfast.http.problem.Problem;
import io.holdfast.http.problem.ProblemCode;
import io.holdfast.http.route.LineCutter.Line;
import io.holdfast.http.wire.BulkViews.EndView;
import io.holdfast.http.wire.BulkViews.Result;
import io.holdfast.http.wire.BulkViews.ResultView;
import io.holdfast.http.wire.BulkViews.SummaryView;
import io.holdfast.http.wire.PoolLines;
import io.holdfast.http.wire.PoolLines.Asked;
import io.holdfast.json.InputError;
import io.holdfast.json.InputError.Code;
import io.holdfast.json.JsonReader;
import io.holdfast.json.JsonValue.ObjectValue;
import io.holdfast.json.JsonWriter;
import io.holdfast.json.Parsed;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import org.apache.pekko.NotUsed;
import org.apache.pekko.http.javadsl.model.ContentType;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpCharsets;
import org.apache.pekko.http.javadsl.model.HttpEntities;
import org.apache.pekko.http.javadsl.model.HttpEntity;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.MediaTypes;
import org.apache.pekko.http.javadsl.model.RequestEntity;
import org.apache.pekko.http.javadsl.server.Route;
import org.apache.pekko.stream.OverflowStrategy;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/**
 * {@code POST /v1/pools}: many pools at once, a line each, as JSON lines or CSV. Every line is a {@code PUT} of its own, answered by a line;
 * a broken one stops none of the others. Neither the body nor the answer is ever in memory as a whole: a few lines are, and results until
 * the caller takes them.
 */
final class BulkRoutes {

    private static final String DRY_RUN = "dry_run";
    private static final Set<String> JSON_LINES = Set.of("jsonl", "x-ndjson", "x-jsonlines");
    private static final ContentType ANSWER =
            ContentTypes.create(MediaTypes.applicationWithFixedCharset("jsonl", HttpCharsets.UTF_8));
    private static final int AT_ONCE = 8;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Endpoint endpoint;
    private final PoolRoutes pools;
    private final HttpSettings settings;
    private final BulkLimits limits;
    private final JsonReader reader;
    private final Semaphore uploads;

    BulkRoutes(Endpoint endpoint, PoolRoutes pools, HttpSettings settings, BulkLimits limits) {
        this.endpoint = endpoint;
        this.pools = pools;
        this.settings = settings;
        this.limits = limits;
        this.reader = new JsonReader(settings.limits().json());
        this.uploads = new Semaphore(limits.uploads());
    }

    /** Below {@code /v1/pools}. */
    Route route() {
        return pathEnd(() -> post(() -> extractRequest(request -> completeWithFuture(endpoint.upload(
                request,
                ApiRoute.POOLS_PUT,
                Set.of(DRY_RUN),
                type -> format(type).isPresent(),
                "application/jsonl or text/csv",
                this::taken)))));
    }

    private enum Format {
        JSON_LINES,
        CSV
    }

    private static Optional<Format> format(ContentType type) {
        String main = type.mediaType().mainType();
        String sub = type.mediaType().subType();
        if (main.equals("application") && JSON_LINES.contains(sub)) {
            return Optional.of(Format.JSON_LINES);
        }
        return main.equals("text") && sub.equals("csv") ? Optional.of(Format.CSV) : Optional.empty();
    }

    private HttpResponse taken(Exchange exchange, RequestEntity body) {
        var query = new QueryParameters(exchange.query());
        var dry = query.optional(DRY_RUN, BulkRoutes::yesOrNo, "true or false");
        return switch (query.into(() -> dry.get().orElse(false))) {
            case Parsed.Invalid<Boolean>(List<InputError> errors) -> {
                endpoint.discard(exchange.request());
                yield Answers.invalid(errors, exchange.path());
            }
            case Parsed.Valid<Boolean>(Boolean dryRun) -> {
                if (uploads.tryAcquire()) {
                    yield HttpResponse.create()
                            .withEntity(HttpEntities.createChunked(
                                    ANSWER,
                                    Occupied.by(
                                            results(exchange, body, dryRun),
                                            settings.limits().bodyTime(),
                                            uploads::release)));
                }
                endpoint.discard(exchange.request());
                yield Answers.problem(
                        Problem.of(
                                ProblemCode.TOO_BUSY,
                                "As many uploads as are allowed are under way at this node.",
                                exchange.path()),
                        settings.patience().retryAfter());
            }
        };
    }

    private static Optional<Boolean> yesOrNo(String text) {
        return switch (text) {
            case "true" -> Optional.of(true);
            case "false" -> Optional.of(false);
            default -> Optional.empty();
        };
    }

    /** A line as far as it could be read; one that asks for nothing names the columns. */
    private record Read(long number, Parsed<Optional<Asked>> asked) {}

    private Source<ByteString, NotUsed> results(Exchange exchange, RequestEntity body, boolean dryRun) {
        PoolLines lines = switch (format(body.getContentType()).orElseThrow()) {
            case JSON_LINES -> PoolLines.json(reader);
            case CSV -> PoolLines.csv(reader);
        };
        var tally = new Tally(dryRun);
        var earlier = new Earlier();
        return Arrival.of(body, limits.bytes(), settings.limits().bodyTime())
                .via(LineCutter.flow(limits.lineBytes(), tally::stopped))
                // What can't be looked at is read to its end all the same, or the caller would never come to the
                // answer.
                .filter(line -> looksAt(line, lines, tally))
                .map(line -> read(lines, line))
                .filter(BulkRoutes::asks)
                .mapAsync(AT_ONCE, line -> carriedOut(exchange, line, dryRun, earlier))
                .map(tally::counted)
                .map(BulkRoutes::line)
                // Many send all of it before they read any of the answer.
                .buffer(limits.lines(), OverflowStrategy.backpressure())
                .concatLazy(Source.lazySource(() -> Source.single(line(new EndView(tally.summary())))));
    }

    private boolean looksAt(Line line, PoolLines lines, Tally tally) {
        if (lines.lost()) {
            tally.stopped("the first line does not name the columns");
            return false;
        }
        if (line.number() > limits.lines()) {
            tally.stopped("it has more than " + limits.lines() + " lines");
            return false;
        }
        return true;
    }

    private Read read(PoolLines lines, Line line) {
        return new Read(
                line.number(),
                switch (line) {
                    case Line.Whole(var _, byte[] bytes) -> lines.read(bytes);
                    case Line.TooLong _ ->
                        Parsed.invalid(InputError.body(
                                "", Code.OVER_LIMIT, "The line is longer than " + limits.lineBytes() + " bytes."));
                });
    }

    private static boolean asks(Read line) {
        return !(line.asked() instanceof Parsed.Valid<Optional<Asked>>(Optional<Asked> asked)) || asked.isPresent();
    }

    private CompletionStage<ResultView> carriedOut(Exchange exchange, Read line, boolean dryRun, Earlier earlier) {
        return switch (line.asked()) {
            case Parsed.Invalid<Optional<Asked>>(List<InputError> errors) ->
                CompletableFuture.completedFuture(
                        result(line, Optional.empty(), Answers.invalid(errors, exchange.path()), dryRun));
            case Parsed.Valid<Optional<Asked>>(Optional<Asked> asked) -> {
                Asked one = asked.orElseThrow();
                CompletionStage<HttpResponse> answer = exchange.refusedFor(Exchange.merchantOf(one.pool()))
                        .<CompletionStage<HttpResponse>>map(CompletableFuture::completedFuture)
                        .orElseGet(() -> dryRun
                                ? earlier.thenAlso(
                                        one, made -> pools.wouldCreate(exchange, one.pool(), one.body(), made))
                                : pools.create(exchange, one.pool(), one.body()));
                yield answer.exceptionally(fault -> Endpoint.failed(exchange.request(), fault))
                        .thenApply(response -> result(line, Optional.of(one.pool()), response, dryRun));
            }
        };
    }

    private static ResultView result(Read line, Optional<String> pool, HttpResponse answer, boolean dryRun) {
        int status = answer.status().intValue();
        return new ResultView(
                line.number(),
                pool,
                status,
                Result.of(status, dryRun),
                status >= 300 ? Optional.of(document(answer)) : Optional.empty());
    }

    /** Answers of this side are whole. */
    private static JsonNode document(HttpResponse answer) {
        try {
            return JSON.readTree(((HttpEntity.Strict) answer.entity()).getData().toArray());
        } catch (IOException e) {
            throw new IllegalStateException("a problem that is no JSON", e);
        }
    }

    private static ByteString line(Object wireRecord) {
        return ByteString.fromArrayUnsafe(JsonWriter.write(wireRecord)).concat(ByteString.fromString("\n"));
    }

    /**
     * What earlier lines of a dry run would have made, by pool. Nothing else knows of it, since nothing was made. Used by one stream alone;
     * holds no more pools than an upload may have lines.
     */
    private static final class Earlier {

        private final Map<String, CompletionStage<Optional<ObjectValue>>> made = new HashMap<>();

        /** Looks at a line once it is known what those before it would have made of its pool. */
        CompletionStage<HttpResponse> thenAlso(
                Asked one, Function<Optional<ObjectValue>, CompletionStage<HttpResponse>> look) {
            CompletionStage<Optional<ObjectValue>> before =
                    made.getOrDefault(one.pool(), CompletableFuture.completedFuture(Optional.empty()));
            CompletionStage<HttpResponse> answer = before.thenCompose(look);
            made.put(
                    one.pool(),
                    before.thenCombine(
                            answer.handle((response, fault) ->
                                    fault == null && response.status().intValue() == 201
                                            ? Optional.of(one.body())
                                            : Optional.<ObjectValue>empty()),
                            (first, second) -> first.or(() -> second)));
            return answer;
        }
    }

    /** Counts; used by one stream alone. */
    private static final class Tally {

        private final boolean dryRun;
        private long lines;
        private long created;
        private long unchanged;
        private Optional<String> stopped = Optional.empty();

        Tally(boolean dryRun) {
            this.dryRun = dryRun;
        }

        ResultView counted(ResultView result) {
            lines++;
            switch (result.result()) {
                case CREATED, WOULD_CREATE -> created++;
                case UNCHANGED -> unchanged++;
                case ACCEPTED, INVALID, REFUSED, UNSETTLED -> {}
            }
            return result;
        }

        void stopped(String why) {
            if (stopped.isEmpty()) {
                stopped = Optional.of(why);
            }
        }

        SummaryView summary() {
            return new SummaryView(
                    lines, created, unchanged, lines - created - unchanged, dryRun, stopped.isEmpty(), stopped);
        }
    }
}
