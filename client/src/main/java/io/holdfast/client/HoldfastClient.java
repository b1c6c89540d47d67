package io.holdfast.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls nodes of a fleet. A call is sent as often as it takes until its deadline, under one key, to one node after the other: what may have
 * been done is found out by asking again, what is under way is waited for, what was turned away is tried later as the server says, and what
 * was refused is not tried again. Safe for use by many threads; each call blocks the thread that makes it.
 */
public final class HoldfastClient implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();
    /** An answer may take this much longer than it was asked to take. */
    private static final Duration ANSWER_GRACE = Duration.ofSeconds(5);
    /** Longer than this nothing is waited for in one request: whatever stands between may cut it. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

    private final List<URI> nodes;
    private final Supplier<Optional<String>> token;
    private final Pause pause;
    private final HttpClient http;
    private final AtomicInteger next = new AtomicInteger();

    private HoldfastClient(List<URI> nodes, Supplier<Optional<String>> token, Pause pause) {
        if (nodes.isEmpty()) {
            throw new IllegalArgumentException("a client needs at least one node");
        }
        this.nodes = List.copyOf(nodes);
        this.token = token;
        this.pause = pause;
        this.http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(Duration.ofSeconds(3))
                .build();
    }

    /** A client of these nodes, any of which answers for all. */
    public static HoldfastClient of(URI... nodes) {
        return new HoldfastClient(List.of(nodes), Optional::empty, Pause.USUAL);
    }

    /** The same with a bearer token, asked for at every request, so that it may change. */
    public HoldfastClient withToken(Supplier<String> bearer) {
        return new HoldfastClient(nodes, () -> Optional.of(bearer.get()), pause);
    }

    /** The same with other pauses between attempts. */
    public HoldfastClient withPause(Pause other) {
        return new HoldfastClient(nodes, token, other);
    }

    /**
     * Makes a call.
     *
     * @throws InterruptedException when the thread is interrupted: then whether it was carried out is not known, as with
     *     {@link Result.Unknown}
     */
    public Result call(Call call) throws InterruptedException {
        Deadline deadline = Deadline.in(call.deadline());
        boolean mayBeDone = false;
        JsonNode underWay = null;
        String last = "nothing was sent";
        int attempts = 0;
        while (!deadline.isOver()) {
            attempts++;
            Optional<Duration> after;
            switch (attempt(call, deadline)) {
                case Attempt.Ended(Result result) -> {
                    return result;
                }
                case Attempt.UnderWay(JsonNode body, var told) -> {
                    underWay = body;
                    after = told;
                }
                case Attempt.Lost(String why, var told) -> {
                    mayBeDone = true;
                    last = why;
                    after = told;
                }
                case Attempt.TurnedAway(String why, var told) -> {
                    last = why;
                    after = told;
                }
            }
            Duration rest = after.orElse(pause.after(attempts, ThreadLocalRandom.current()::nextDouble));
            if (rest.compareTo(deadline.left()) >= 0) {
                break;
            }
            Thread.sleep(rest);
        }
        return givenUp(call, underWay, mayBeDone, last);
    }

    private static Result givenUp(Call call, @Nullable JsonNode underWay, boolean mayBeDone, String last) {
        if (underWay != null) {
            return new Result.Open(underWay);
        }
        return mayBeDone && !call.method().equals("GET") ? new Result.Unknown(last) : new Result.NotTaken(last);
    }

    private Attempt attempt(Call call, Deadline deadline) throws InterruptedException {
        URI node = nodes.get(Math.floorMod(next.getAndIncrement(), nodes.size()));
        Duration wait = deadline.left().compareTo(LONGEST_WAIT) < 0 ? deadline.left() : LONGEST_WAIT;
        var request = HttpRequest.newBuilder(node.resolve(call.target()))
                .timeout(wait.plus(ANSWER_GRACE))
                .header("Accept", "application/json, application/problem+json")
                .method(call.method(), body(call));
        if (call.body().isPresent()) {
            request.header("Content-Type", "application/json");
        }
        if (!call.method().equals("GET")) {
            request.header("Prefer", "wait=" + wait.toSeconds());
        }
        call.key().ifPresent(key -> request.header("Idempotency-Key", key));
        call.headers().forEach(request::header);
        token.get().ifPresent(bearer -> request.header("Authorization", "Bearer " + bearer));
        try {
            return read(http.send(request.build(), BodyHandlers.ofString()));
        } catch (ConnectException | HttpConnectTimeoutException nobody) {
            return new Attempt.TurnedAway("no connection to " + node, Optional.empty());
        } catch (IOException lost) {
            return new Attempt.Lost("no answer from " + node + ": " + lost.getMessage(), Optional.empty());
        }
    }

    private static Attempt read(HttpResponse<String> response) {
        Optional<Duration> after = response.headers()
                .firstValue("Retry-After")
                .filter(seconds -> seconds.matches("[0-9]{1,6}"))
                .map(seconds -> Duration.ofSeconds(Long.parseLong(seconds)));
        JsonNode body;
        try {
            body = response.body().isBlank() ? MissingNode.getInstance() : JSON.readTree(response.body());
        } catch (JsonProcessingException notOurs) {
            // Whatever stands before the node has answered in its place.
            return new Attempt.Lost("status " + response.statusCode() + " without JSON", after);
        }
        boolean replayed = response.headers()
                .firstValue("Idempotency-Replayed")
                .filter("true"::equals)
                .isPresent();
        return Attempt.of(response.statusCode(), body, replayed, after);
    }

    private static BodyPublisher body(Call call) {
        if (call.body().isEmpty()) {
            return BodyPublishers.noBody();
        }
        try {
            return BodyPublishers.ofString(JSON.writeValueAsString(call.body().get()));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("a body that can't be written as JSON", e);
        }
    }

    /**
     * The entries of a list, page after page as they are asked for.
     *
     * @param target path and query of the first page
     * @param member the list's name in the document
     * @throws IllegalStateException from the iterator, where a page can't be had
     */
    public Iterable<JsonNode> list(String target, String member) {
        return () -> new Pages(target, member);
    }

    private final class Pages implements Iterator<JsonNode> {
        private final String member;
        private Optional<String> nextPage;
        private Iterator<JsonNode> entries = List.<JsonNode>of().iterator();

        Pages(String first, String member) {
            this.member = member;
            this.nextPage = Optional.of(first);
        }

        @Override
        public boolean hasNext() {
            while (!entries.hasNext() && nextPage.isPresent()) {
                JsonNode page = page(nextPage.get());
                entries = page.path(member).iterator();
                nextPage = Optional.of(page.path("next").asText("")).filter(address -> !address.isEmpty());
            }
            return entries.hasNext();
        }

        private JsonNode page(String address) {
            try {
                return switch (call(Call.get(address))) {
                    case Result.Done(var _, JsonNode body, var _) -> body;
                    case Result.Open _, Result.Refused _, Result.Unknown _, Result.NotTaken _ ->
                        throw new IllegalStateException("no page at " + address);
                };
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted at " + address, e);
            }
        }

        @Override
        public JsonNode next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            return entries.next();
        }
    }

    /** Ends its connections; calls under way end as lost. */
    @Override
    public void close() {
        http.shutdownNow();
    }
}
