package io.holdfast.client;

import static io.holdfast.client.ScriptedNode.CUT;
import static io.holdfast.client.ScriptedNode.done;
import static io.holdfast.client.ScriptedNode.later;
import static io.holdfast.client.ScriptedNode.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.client.ScriptedNode.Line;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class HoldfastClientTest {

    private static final Pause SHORT = new Pause(Duration.ofMillis(1), Duration.ofMillis(5));
    private static final Line HELD = done(201, "{\"status\":\"RESERVED\"}");
    private static final Line TRYING = new Line(202, "{\"status\":\"PREPARING\"}", "0");

    private static HoldfastClient client(ScriptedNode... nodes) {
        return HoldfastClient.of(Stream.of(nodes).map(ScriptedNode::address).toArray(URI[]::new))
                .withPause(SHORT);
    }

    private static Call hold() {
        return Call.post("/v1/reservations", Map.of("quantity", 1)).within(Duration.ofSeconds(20));
    }

    static List<Arguments> endsWell() {
        return List.of(
                arguments("at once", List.of(HELD)),
                arguments("cut", List.of(CUT, HELD)),
                arguments("cut twice", List.of(CUT, CUT, HELD)),
                arguments("unknown", List.of(later(503, "OUTCOME_UNKNOWN"), HELD)),
                arguments("not taken", List.of(later(503, "UNAVAILABLE"), later(503, "TOO_BUSY"), HELD)),
                arguments("a fault", List.of(problem(500, "INTERNAL"), HELD)),
                arguments("too slow", List.of(problem(408, "REQUEST_TOO_SLOW"), HELD)),
                arguments("too many", List.of(later(429, "TOO_MANY_REQUESTS"), HELD)),
                arguments("no JSON of a proxy", List.of(done(502, "<html>"), HELD)),
                arguments("under way", List.of(TRYING, TRYING, HELD)),
                arguments("begun, and told of elsewhere", List.of(done(202, "{\"status\":\"RESERVED\"}"))),
                arguments(
                        "everything", List.of(CUT, later(503, "UNAVAILABLE"), TRYING, problem(500, "INTERNAL"), HELD)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("endsWell")
    void it_asks_again_under_the_same_key_until_it_is_done(String name, List<Line> script) throws InterruptedException {
        try (var node = ScriptedNode.playing(script.toArray(Line[]::new));
                var client = client(node)) {
            Result result = client.call(hold());
            assertThat(result).isInstanceOf(Result.Done.class);
            assertThat(((Result.Done) result).body().path("status").asText()).isEqualTo("RESERVED");
            assertThat(((Result.Done) result).replayed()).isEqualTo(script.size() > 1);
            assertThat(node.got).hasSizeGreaterThanOrEqualTo(script.size());
            assertThat(node.got.stream().map(ScriptedNode.Got::key).distinct())
                    .singleElement()
                    .isNotNull();
            assertThat(node.got.stream().map(ScriptedNode.Got::body).distinct()).containsExactly("{\"quantity\":1}");
            assertThat(node.got).allSatisfy(got -> assertThat(got.prefer()).matches("wait=[0-9]+"));
        }
    }

    static List<Arguments> isFinal() {
        return Stream.of(
                        "400 INVALID_REQUEST",
                        "401 UNAUTHENTICATED",
                        "403 FORBIDDEN",
                        "404 POOL_UNKNOWN",
                        "409 SOLD_OUT",
                        "409 UNDER_REVIEW",
                        "412 PRECONDITION_FAILED",
                        "413 BODY_TOO_LARGE",
                        "422 KEY_REUSED")
                .map(one -> one.split(" "))
                .map(parts -> arguments(Integer.parseInt(parts[0]), parts[1]))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("isFinal")
    void what_is_refused_is_not_asked_again(int status, String code) throws InterruptedException {
        try (var node = ScriptedNode.playing(problem(status, code), HELD);
                var client = client(node)) {
            assertThat(client.call(hold())).isInstanceOfSatisfying(Result.Refused.class, refused -> {
                assertThat(refused.status()).isEqualTo(status);
                assertThat(refused.code()).isEqualTo(code);
            });
            assertThat(node.got).hasSize(1);
        }
    }

    static List<Arguments> givesUp() {
        Line far = new Line(503, "{\"code\":\"UNAVAILABLE\"}", "3600");
        return List.of(
                arguments("turned away", List.of(far), Result.NotTaken.class),
                arguments("cut, then turned away", List.of(CUT, far), Result.Unknown.class),
                arguments("a fault, then turned away", List.of(problem(500, "INTERNAL"), far), Result.Unknown.class),
                arguments("under way", List.of(new Line(202, "{\"status\":\"PREPARING\"}", "3600")), Result.Open.class),
                arguments("under way, then turned away", List.of(TRYING, far), Result.Open.class));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("givesUp")
    void when_the_deadline_comes_it_says_whether_it_may_have_been_done(
            String name, List<Line> script, Class<? extends Result> expected) throws InterruptedException {
        try (var node = ScriptedNode.playing(script.toArray(Line[]::new));
                var client = client(node)) {
            assertThat(client.call(hold())).isInstanceOf(expected);
            assertThat(node.got)
                    .as("it does not wait for what comes after its deadline")
                    .hasSizeLessThan(5);
        }
    }

    @Test
    void a_read_that_got_no_answer_changed_nothing() throws InterruptedException {
        try (var node = ScriptedNode.playing(CUT, new Line(503, "{\"code\":\"UNAVAILABLE\"}", "3600"));
                var client = client(node)) {
            assertThat(client.call(Call.get("/v1/pools/a:b"))).isInstanceOf(Result.NotTaken.class);
            assertThat(node.got.getFirst().key()).isNull();
        }
    }

    @Test
    void a_node_that_is_gone_is_passed_over_for_the_next() throws InterruptedException {
        var gone = ScriptedNode.playing(HELD);
        gone.close();
        try (var node = ScriptedNode.playing(HELD);
                var client = client(gone, node)) {
            for (int i = 0; i < 4; i++) {
                assertThat(client.call(hold())).isInstanceOf(Result.Done.class);
            }
        }
    }

    @Test
    void a_key_of_the_caller_s_own_is_sent_as_it_is() throws InterruptedException {
        try (var node = ScriptedNode.playing(HELD);
                var client = client(node)) {
            client.call(hold().under("order-17"));
            assertThat(node.got.getFirst().key()).isEqualTo("order-17");
        }
    }

    @Test
    void a_list_is_read_page_by_page() {
        try (var node = ScriptedNode.playing(
                        done(200, "{\"reservations\":[{\"n\":1},{\"n\":2}],\"next\":\"/v1/reservations?cursor=x\"}"),
                        done(200, "{\"reservations\":[],\"next\":\"/v1/reservations?cursor=y\"}"),
                        done(200, "{\"reservations\":[{\"n\":3}]}"));
                var client = client(node)) {
            List<Integer> numbers = new ArrayList<>();
            for (JsonNode one : client.list("/v1/reservations?limit=2", "reservations")) {
                numbers.add(one.get("n").asInt());
            }
            assertThat(numbers).containsExactly(1, 2, 3);
            assertThat(node.got.stream().map(ScriptedNode.Got::target))
                    .containsExactly(
                            "/v1/reservations?limit=2", "/v1/reservations?cursor=x", "/v1/reservations?cursor=y");
        }
    }
}
