package io.holdfast.http.route;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.compensation.domain.Asked;
import io.holdfast.compensation.domain.CompensationCommand;
import io.holdfast.compensation.domain.Content;
import io.holdfast.engine.machine.Cause;
import io.holdfast.http.openapi.OpenApi;
import io.holdfast.http.openapi.OpenApi.Operation;
import io.holdfast.http.problem.ProblemCode;
import io.holdfast.http.route.TestNode.Answer;
import io.holdfast.messaging.webhook.WebhookFilter;
import io.holdfast.messaging.webhook.Webhooks;
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
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a node tells of itself, and that it is true. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class DocumentRoutesTest {

    private static final OpenApi API = OpenApi.get();
    /** What these tests' node has not, Kafka and a provider who signs, and what is no JSON. */
    private static final Set<String> ELSEWHERE = Set.of("events", "takePaymentNotice", "createPools");

    private static TestNode node;

    @BeforeAll
    static void start() {
        node = TestNode.start();
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
                String name = operation.node().get("operationId").asText();
                if (OpenApi.isStream(operation)
                        || ELSEWHERE.contains(name)
                        || ELSEWHERE.contains(operation.node().at("/tags/0").asText())) {
                    continue;
                }
                Answer answer = example(fresh, operation, name);
                if (answer.status() != documented(operation)) {
                    otherwise.add(operation + " -> " + answer.status() + " " + answer.body());
                }
            }
            assertThat(otherwise).isEmpty();
        }
    }

    /** What the examples are about and no request makes. */
    private static void furnish(TestNode node) {
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

    /** The status that {@code x-example-answer} names, else the first of success. */
    private static int documented(Operation operation) {
        return operation.node().has("x-example-answer")
                ? operation.node().get("x-example-answer").asInt()
                : Integer.parseInt(
                        operation.node().get("responses").fieldNames().next());
    }

    private static Answer example(TestNode node, Operation operation, String name) {
        String path = operation.template();
        List<String> headers = new ArrayList<>();
        for (JsonNode listed : operation.node().path("parameters")) {
            JsonNode parameter = API.resolved(listed);
            String value = parameter.path("example").asText();
            switch (parameter.get("in").asText()) {
                case "path" -> {
                    assertThat(value)
                            .as(operation + ": an example of " + parameter)
                            .isNotEmpty();
                    path = path.replace("{" + parameter.get("name").asText() + "}", value);
                }
                case "header" -> {
                    if (parameter.get("name").asText().equals("Idempotency-Key")) {
                        headers.addAll(List.of("Idempotency-Key", "example-" + name));
                    }
                }
                default -> {
                    if (parameter.path("required").asBoolean()) {
                        path += (path.contains("?") ? "&" : "?")
                                + parameter.get("name").asText() + "=" + value;
                    }
                }
            }
        }
        JsonNode body = operation.node().at("/requestBody/content/application~1json/example");
        if (API.bodySchema(operation).isPresent()
                && operation.node().at("/requestBody/required").asBoolean()) {
            assertThat(body.isMissingNode())
                    .as(operation + ": an example of its body")
                    .isFalse();
        }
        String[] sent = headers.toArray(String[]::new);
        return switch (operation.method()) {
            case "GET" -> node.get(path, sent);
            case "DELETE" -> node.method("DELETE", path);
            case "PUT" -> node.put(path, body.toString(), sent);
            case "POST" -> node.post(path, body.isMissingNode() ? "" : body.toString(), sent);
            default -> throw new IllegalArgumentException(operation.toString());
        };
    }
}
