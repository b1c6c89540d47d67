package io.holdfast.http.route;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.compensation.domain.Asked;
import io.holdfast.compensation.domain.CompensationCommand;
import io.holdfast.compensation.domain.Content;
import io.holdfast.engine.machine.Cause;
import io.holdfast.http.openapi.Example;
import io.holdfast.http.openapi.OpenApi;
import io.holdfast.http.openapi.OpenApi.Operation;
import io.holdfast.http.problem.ProblemCode;
import io.holdfast.http.route.TestNode.Answer;
import io.holdfast.json.Fields;
import io.holdfast.messaging.follow.Portion;
import io.holdfast.messaging.webhook.WebhookFilter;
import io.holdfast.messaging.webhook.Webhooks;
import io.holdfast.order.provider.PaymentNotices;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.StockMove;
import io.holdfast.reservation.entity.AdmissionDesk;
import io.holdfast.reservation.ledger.Anomaly;
import io.holdfast.reservation.ledger.LedgerAction;
import io.holdfast.reservation.ledger.LedgerChange;
import io.holdfast.reservation.ledger.LedgerRow;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What a node tells of itself, and that it is true. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class DocumentRoutesTest {

    private static final OpenApi API = OpenApi.get();
    private static final Pattern BLOCK = Pattern.compile("(retry: [0-9]+\n)?id: [0-9]+-[0-9]+(-[0-9]+)?\n"
            + "(: (from here on|alive)|event: [A-Za-z]+\ndata: \\{.*})");
    /** What these tests' node has not: with Kafka, {@code it-tests} tries them. */
    static final String WITH_KAFKA = "events";

    private static final ObjectMapper JSON = new ObjectMapper();

    private static TestNode node;

    @BeforeAll
    static void start() {
        node = TestNode.start();
        furnish(node);
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    @Test
    void the_document_of_this_repository_is_served_in_both_forms() throws IOException {
        Answer yaml = node.get("/openapi.yaml");
        assertThat(yaml.header("Content-Type")).contains("application/yaml");
        Path fromModule = Path.of("../docs/openapi.yaml");
        assertThat(yaml.body())
                .isEqualTo(Files.readString(Files.exists(fromModule) ? fromModule : Path.of("docs/openapi.yaml")));
        assertThat(node.get("/openapi.json").json()).isEqualTo(API.document());
    }

    @Test
    void the_pages_that_a_caller_needs_are_served_as_they_are_here_and_nothing_else_is() throws IOException {
        Path docs = Files.exists(Path.of("../docs")) ? Path.of("../docs") : Path.of("docs");
        for (String page :
                List.of("http.md", "access.md", "events.md", "concepts/streams.md", "concepts/webhooks.md")) {
            Answer served = node.get("/docs/" + page);
            assertThat(served.header("Content-Type").orElseThrow()).startsWith("text/markdown");
            assertThat(served.body()).isEqualTo(Files.readString(docs.resolve(page)));
        }
        for (String other :
                List.of("production.md", "none.md", "..%2Fopenapi.yaml", "http.md%00", "concepts", "concepts/..")) {
            assertThat(node.get("/docs/" + other).status()).as(other).isEqualTo(404);
        }
    }

    @ParameterizedTest
    @EnumSource(ProblemCode.class)
    void the_type_of_every_problem_is_an_address_that_explains_it(ProblemCode code) {
        Answer page = node.get(code.type());
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.header("Content-Type").orElseThrow()).startsWith("text/markdown");
        assertThat(page.body()).isEqualTo(code.page()).contains(code.meaning()).contains(code.remedy());
    }

    @Test
    void every_example_of_the_document_is_answered_as_it_says() {
        try (TestNode fresh = TestNode.start()) {
            furnish(fresh);
            List<String> otherwise = new ArrayList<>();
            for (Operation operation : API.operations()) {
                if (operation.node().at("/tags/0").asText().equals(WITH_KAFKA)) {
                    continue;
                }
                for (Example example : Example.of(operation, Map.of())) {
                    Answer answer = fresh.send(example, signature(example));
                    if (answer.status() != example.status()) {
                        otherwise.add(
                                operation + " " + example.mediaType() + " -> " + answer.status() + " " + answer.body());
                    } else if (OpenApi.isStream(operation)) {
                        otherwise.addAll(faultsOfStream(operation, answer.body()));
                    }
                }
            }
            assertThat(otherwise).isEmpty();
        }
    }

    /** Nobody can write down beforehand what a signature of this moment is. */
    static String[] signature(Example example) {
        return example.name().equals("takePaymentNotice")
                ? new String[] {
                    PaymentNotices.HEADER,
                    PaymentNotices.sign(TestTill.SECRET, example.body().getBytes(StandardCharsets.UTF_8), Instant.now())
                }
                : new String[0];
    }

    /** What is served and what the document shows are both streams of blocks of one form. */
    private static List<String> faultsOfStream(Operation operation, String served) {
        JsonNode media = operation.node().at("/responses/200/content/text~1event-stream");
        String shown = media.path("example").asText();
        List<String> faults = new ArrayList<>();
        for (String stream : List.of(served, shown)) {
            assertThat(stream).as("a stream that ends between blocks").endsWith("\n\n");
            for (String block : stream.split("\n\n")) {
                if (!BLOCK.matcher(block).matches()) {
                    faults.add(operation + " has a block that is none: " + block);
                }
                if (block.contains("\ndata: ") && !block.contains("\nevent: end\n")) {
                    API.faults(media.at("/schema/contentSchema"), json(block.replaceAll("(?s).*\ndata: ", "")))
                            .forEach(fault -> faults.add(operation + " " + fault + " in " + block));
                }
            }
        }
        return faults;
    }

    private static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (IOException e) {
            throw new AssertionError("no JSON: " + text, e);
        }
    }

    static Stream<Arguments> bounds() {
        List<Arguments> all = new ArrayList<>();
        for (Operation operation : API.operations()) {
            for (JsonNode listed : operation.node().path("parameters")) {
                JsonNode parameter = API.resolved(listed);
                if (parameter.get("in").asText().equals("query")
                        && parameter.at("/schema/type").asText().equals("integer")
                        && !operation.node().at("/tags/0").asText().equals(WITH_KAFKA)) {
                    all.add(Arguments.of(operation, parameter));
                }
            }
        }
        return all.stream();
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("bounds")
    void a_number_of_a_query_is_taken_up_to_its_documented_bounds_and_no_further(
            Operation operation, JsonNode parameter) {
        String name = parameter.get("name").asText();
        long least = parameter.at("/schema/minimum").asLong();
        long most = parameter.at("/schema/maximum").asLong(Fields.MAX_INTEGER);
        String target = Example.of(operation, Map.of()).getFirst().target();
        String ask = target + (target.contains("?") ? "&" : "?") + name + "=";
        for (long within : List.of(least, most)) {
            assertThat(node.get(ask + within).faults()).as(ask + within).isEmpty();
        }
        for (long beyond : List.of(least - 1, most + 1)) {
            assertThat(node.get(ask + beyond).faults())
                    .as(ask + beyond)
                    .singleElement()
                    .asString()
                    .startsWith("query /" + name + " ");
        }
    }

    /** What the examples are about and no request makes. */
    static void furnish(TestNode node) {
        TestTill.order(node.orders, "8ced73660b864d5b8352084950e45ef7", "ann");
        Instant at = Instant.parse("2026-11-30T12:00:00Z");
        node.gate = _ -> new AdmissionDesk.Answer.Queued(
                "8ced73660b864d5b8352084950e45ef7",
                at.plusSeconds(300),
                at,
                Books.expected(1, 2, 10, 1, 0),
                false,
                false);
        node.ledger.rows.add(new LedgerRow(
                new LedgerChange(
                        "m1:noodles",
                        LedgerAction.INIT,
                        "init",
                        Optional.empty(),
                        Optional.empty(),
                        10,
                        new StockMove(10, 0, 10, 0, 0),
                        new Books(1, 1, 10, 0, 10, 0, 0),
                        false),
                Optional.empty(),
                at,
                2,
                700,
                1));
        node.ledger.anomalies.add(new Anomaly(
                "a-1",
                "reservation_view",
                "LEDGER_VERSION_TAKEN",
                Optional.of("m1:noodles"),
                Optional.empty(),
                "both made version 2",
                "{\"row\":{\"n\":1}}",
                at));
        for (String webhook : List.of("0f1e2d3c4b5a69788796a5b4c3d2e1f0", "1f1e2d3c4b5a69788796a5b4c3d2e1f0")) {
            node.webhooks.make(new Webhooks.Wish(
                    webhook,
                    URI.create("https://shop.example/holdfast"),
                    new WebhookFilter(Set.of(), Optional.empty(), Optional.empty()),
                    "",
                    "anonymous",
                    webhook,
                    webhook,
                    webhook.getBytes(StandardCharsets.UTF_8)));
        }
        node.followers.script = i -> CompletableFuture.completedFuture(new Portion(
                i == 0 ? List.of() : List.of(TestFollowers.told(1, "InventoryReserved", Map.of("order_id", "o-17"))),
                TestFollowers.place(2),
                i > 0));
        node.webhooks.sent.add(TestWebhooks.delivery(7, "DELIVERED"));
        String reservation = "5f0c1d2e3b4a59687786958473625140";
        node.compensations
                .ask(
                        "RELEASE:" + reservation,
                        new Cause("compensate", "", Cause.Kind.TIMER, "reservation", Optional.empty()),
                        new CompensationCommand.Compensate(
                                new Content.Release(reservation, PoolId.parse("m1:noodles"), 5, true, false),
                                new Asked(0, 1)),
                        Duration.ofSeconds(5))
                .toCompletableFuture()
                .join();
    }
}
