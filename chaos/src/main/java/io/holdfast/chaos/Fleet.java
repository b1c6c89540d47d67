package io.holdfast.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.holdfast.chaos.Op.Kind;
import io.holdfast.chaos.Op.Told;
import io.holdfast.client.Call;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.Pause;
import io.holdfast.client.Result;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The fleet as a caller has it: asks again as it should, over all nodes, and notes what it was told. */
final class Fleet implements AutoCloseable {

    private static final Duration WRITE = Duration.ofSeconds(25);
    private static final Duration READ = Duration.ofSeconds(3);
    private static final String UNRECORDED = ", not recorded";
    private static final Duration BEGIN = Duration.ofSeconds(1);
    private static final int BEGUN_AFTER = 60;
    private static final Pause PAUSE = new Pause(Duration.ofMillis(50), Duration.ofSeconds(1));

    private final History history;
    private final HoldfastClient all;
    private final List<HoldfastClient> single;

    Fleet(History history, List<URI> nodes) {
        this.history = history;
        this.all = HoldfastClient.of(nodes.toArray(URI[]::new)).withPause(PAUSE);
        this.single = nodes.stream()
                .map(node -> HoldfastClient.of(node).withPause(PAUSE))
                .toList();
    }

    /** What a call is about, for the history. */
    record About(Kind kind, String reservation, String pool, long quantity, String key) {}

    /** A write: sent under this key as often as it takes. */
    Op ask(About about, String target, Map<String, ?> body, String key) throws InterruptedException {
        return noted(about, all, Call.post(target, body).under(key).within(WRITE));
    }

    /** Any other write, with the deadline it has. */
    Op ask(About about, Call call) throws InterruptedException {
        return noted(about, all, call);
    }

    /** A write without a place in the history. */
    Result put(String target, Map<String, ?> body) throws InterruptedException {
        return all.call(Call.put(target, body).within(WRITE));
    }

    /** The same. */
    Result post(String target, Map<String, ?> body) throws InterruptedException {
        return all.call(Call.post(target, body).within(WRITE));
    }

    /**
     * Begins what goes on after it was answered.
     *
     * @return the document of it
     */
    JsonNode begin(String target, Map<String, ?> body) throws InterruptedException {
        Call call = Call.post(target, body).within(BEGIN);
        for (int asked = 0; asked < BEGUN_AFTER; asked++) {
            switch (all.call(call)) {
                case Result.Done(var _, JsonNode begun, var _) -> {
                    return begun;
                }
                case Result.Open(JsonNode begun) -> {
                    return begun;
                }
                case Result.Refused _, Result.Unknown _, Result.NotTaken _ -> {} // nobody can now
            }
        }
        throw new ChaosException("Nobody takes " + target + ".");
    }

    /** A read that only the answer matters of. */
    Result get(String target) throws InterruptedException {
        return all.call(Call.get(target).within(WRITE));
    }

    /** Reads a reservation at one node. */
    Op read(String reservation, int node) throws InterruptedException {
        return noted(
                new About(Kind.READ, reservation, "", 0, ""),
                single.get(Math.floorMod(node, single.size())),
                Call.get("/v1/reservations/" + reservation).within(READ));
    }

    int nodes() {
        return single.size();
    }

    private Op noted(About about, HoldfastClient client, Call call) throws InterruptedException {
        long from = history.now();
        Result result = client.call(call);
        Op op = op(about, from, history.now(), result);
        history.add(op);
        return op;
    }

    private static Op op(About about, long from, long to, Result result) {
        return switch (result) {
            case Result.Done(var _, JsonNode body, var _) ->
                op(about, from, to, Told.DONE, body, ofAnother(about, body));
            case Result.Open(JsonNode body) -> op(about, from, to, Told.OPEN, body, "");
            case Result.Refused(var _, String code, JsonNode problem) ->
                op(about, from, to, Told.REFUSED, problem, refusal(code, problem));
            case Result.Unknown(String why) -> op(about, from, to, Told.UNKNOWN, MissingNode.getInstance(), why);
            case Result.NotTaken(String why) -> op(about, from, to, Told.NOT_TAKEN, MissingNode.getInstance(), why);
        };
    }

    /** One that was not recorded ended nothing: the same may be granted a moment later. */
    private static String refusal(String code, JsonNode problem) {
        return problem.path("recorded").asBoolean(true) ? code : code + UNRECORDED;
    }

    /** Says of a request that was let in whether the answer is that to another one; empty if it is not. */
    private static String ofAnother(About about, JsonNode body) {
        String id = body.path("reservation_id").asText();
        return about.kind() == Kind.ADMIT && !id.equals(about.reservation()) ? "answered for " + id : "";
    }

    private static Op op(About about, long from, long to, Told told, JsonNode body, String code) {
        return new Op(
                from,
                to,
                about.kind(),
                about.reservation(),
                about.pool(),
                about.quantity(),
                about.key(),
                told,
                body.path("status").isTextual() ? body.path("status").asText() : "",
                about.reservation().equals(body.path("reservation_id").asText())
                        ? body.path("sequence_number").asLong(-1)
                        : -1,
                code);
    }

    @Override
    public void close() {
        all.close();
        single.forEach(HoldfastClient::close);
    }
}
