package io.holdfast.http.route;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.compensation.domain.Asked;
import io.holdfast.compensation.domain.CompensationCommand;
import io.holdfast.compensation.domain.Content;
import io.holdfast.engine.machine.Cause;
import io.holdfast.http.access.ApiRoute;
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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
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

    private static final Pattern LINK = Pattern.compile("\\[((?:[^\\[\\]\\n]|\\n(?!\\n))*)]\\(([^)\\s]+)\\)");
    private static final Pattern HREF = Pattern.compile("href=\"([^\"]+)\"");
    private static final Pattern ENTRY = Pattern.compile("(?<!\"method\":\"[A-Z]{3,6}\",)\"href\":\"([^\"]+)\"");

    /** Of the token "admin". */
    private static final String SHA256_OF_ADMIN = "8c6976e5b5410415bde908bd4dee15dfb167a9c873fc4bb8a81f6f2ab448a918";

    private static TestNode node;
    private static TestNode withEvents;

    @BeforeAll
    static void start() {
        node = TestNode.start();
        furnish(node);
        withEvents = TestNode.guarded(List.of(new HttpSettings.TokenHolder("admin", SHA256_OF_ADMIN)));
    }

    @AfterAll
    static void stop() {
        node.close();
        withEvents.close();
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

    private static Path docs() {
        return Files.exists(Path.of("../docs")) ? Path.of("../docs") : Path.of("docs");
    }

    /** Every file of the documentation, by its address. */
    static List<String> pages() throws IOException {
        try (Stream<Path> files = Files.walk(docs())) {
            return files.filter(Files::isRegularFile)
                    .map(file -> "/docs/" + docs().relativize(file))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void every_page_is_served_as_it_is_here_but_for_links_to_code_and_nothing_else_is() throws IOException {
        for (String page : pages()) {
            Answer served = node.get(page);
            assertThat(served.status()).as(page).isEqualTo(200);
            String here = Files.readString(docs().resolve(page.substring("/docs/".length())));
            assertThat(page.endsWith(".md") ? withoutLinks(served.body()) : served.body())
                    .as(page)
                    .isEqualTo(page.endsWith(".md") ? withoutLinks(here) : here);
            if (page.endsWith(".md")) {
                assertThat(served.header("Content-Type").orElseThrow()).startsWith("text/markdown");
            }
        }
        for (String other : List.of(
                "none.md",
                "..%2Fopenapi.yaml",
                "http.md%00",
                "concepts",
                "concepts/none.md",
                "concepts/..%2F..%2Fopenapi.yaml",
                "..%2F..%2F..%2F..%2Fholdfast-reference.conf")) {
            assertThat(node.get("/docs/" + other).status()).as(other).isEqualTo(404);
        }
    }

    private static String withoutLinks(String markdown) {
        return Pattern.compile(" \\(`([^`\n]+)`\\)")
                .matcher(LINK.matcher(markdown).replaceAll("$1"))
                .replaceAll(path -> Files.exists(docs().resolve("..").resolve(path.group(1)))
                        ? ""
                        : Matcher.quoteReplacement(path.group()));
    }

    /** As a newcomer goes: from the first address on, wherever a link leads. */
    @Test
    void whoever_follows_links_comes_to_all_of_it_and_never_to_nothing() throws IOException {
        Deque<String> open = new ArrayDeque<>(List.of("/"));
        open.addAll(pages());
        Stream.of(ProblemCode.values()).map(ProblemCode::type).forEach(open::add);
        Map<String, String> read = new HashMap<>();
        List<String> dead = new ArrayList<>();
        Map<String, String> fragments = new TreeMap<>();
        while (!open.isEmpty()) {
            String address = open.pop();
            if (read.containsKey(address)) {
                continue;
            }
            Answer page = node.get(address, "Accept", "text/html,application/xhtml+xml,*/*;q=0.8");
            read.put(address, page.body());
            if (page.status() != 200) {
                dead.add(address);
                continue;
            }
            for (String link : linksOf(page, node.get(address))) {
                URI target = URI.create("http://node" + address).resolve(link);
                if (target.getHost().equals("node")) {
                    open.add(target.getPath());
                    if (target.getFragment() != null) {
                        fragments.put(address + " -> " + target.getPath() + "#" + target.getFragment(), link);
                    }
                }
            }
        }
        assertThat(dead).isEmpty();
        assertThat(fragments).isNotEmpty();
        assertThat(fragments.keySet()).allSatisfy(link -> {
            String[] target = link.substring(link.indexOf("-> ") + 3).split("#");
            assertThat(read.get(target[0])).as(link).contains("id=\"" + target[1] + "\"");
        });
        assertThat(read.keySet()).contains("/openapi.json", "/health/ready", "/metrics", "/docs/README.md");
    }

    private static Set<String> linksOf(Answer html, Answer plain) {
        Set<String> links = new TreeSet<>();
        if (html.header("Content-Type").orElseThrow().startsWith("text/html")) {
            HREF.matcher(html.body()).results().forEach(found -> links.add(found.group(1)));
            Set<String> inPlain = new TreeSet<>();
            (plain.header("Content-Type").orElseThrow().startsWith("application/json") ? ENTRY : LINK)
                    .matcher(plain.body())
                    .results()
                    .forEach(found -> inPlain.add(found.group(found.groupCount())));
            assertThat(links).as("both forms lead to the same").isEqualTo(inPlain);
        }
        return links;
    }

    @Test
    void every_address_that_the_openapi_document_names_in_words_is_there() {
        Set<String> named = Pattern.compile("`(/[a-z./]*)`")
                .matcher(API.document().toString())
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(named).contains("/", "/docs/http.md");
        assertThat(named)
                .allSatisfy(address ->
                        assertThat(node.get(address).status()).as(address).isEqualTo(200));
    }

    @Test
    void addresses_that_stand_for_many_list_them_in_json_and_for_a_browser_in_html() {
        for (String address : List.of("/", "/v1", "/v1/", "/docs", "/docs/", "/errors", "/errors/")) {
            for (String accept : List.of("*/*", "application/json", "text/html;q=0.5, application/json", "image/png")) {
                Answer list = node.get(address, "Accept", accept);
                assertThat(list.status()).as(address).isEqualTo(200);
                assertThat(list.json().path("entries")).as(address).isNotEmpty();
            }
            for (String accept : List.of("text/html", "text/*, application/json;q=0.9", "text/html, */*;q=0.8")) {
                Answer list = node.get(address, "Accept", accept);
                assertThat(list.header("Content-Type").orElseThrow()).startsWith("text/html");
                assertThat(list.body()).startsWith("<!doctype html>");
            }
        }
        assertThat(node.get("/v1").json().path("entries"))
                .hasSize((int) Stream.of(ApiRoute.values())
                        .filter(route -> route.template().startsWith("/v1/"))
                        .count())
                .allSatisfy(entry -> assertThat(entry.path("title").asText()).isNotBlank());
        assertThat(node.get("/errors").json().path("entries")).hasSize(ProblemCode.values().length);
        assertThat(node.get("/errors/SOLD_OUT", "Accept", "text/html").body()).contains("<strong id=\"sold_out\">");
    }

    static Stream<Arguments> pathParameters() {
        List<Arguments> all = new ArrayList<>();
        for (Operation operation : API.operations()) {
            for (JsonNode listed : operation.node().path("parameters")) {
                JsonNode parameter = API.resolved(listed);
                if (parameter.get("in").asText().equals("path")) {
                    all.add(Arguments.of(operation, parameter));
                }
            }
        }
        return all.stream();
    }

    /** What can be none of those there is an address for is told so by name; what could be one, that there is no such thing. */
    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("pathParameters")
    void a_part_of_an_address_that_can_be_nothing_is_a_problem_of_its_own(Operation operation, JsonNode parameter) {
        Example example = Example.of(operation, Map.of(parameter.get("name").asText(), "~"))
                .getFirst();
        boolean typed = !API.faults(
                        parameter.get("schema"), JSON.getNodeFactory().textNode("~"))
                .isEmpty();
        boolean elsewhere = operation.node().at("/tags/0").asText().equals(WITH_KAFKA);
        if (elsewhere && !typed) {
            return; // it-tests ask for those
        }
        Answer answer = (elsewhere ? withEvents : node).send(example, "Authorization", "Bearer admin");
        String code = answer.code();
        if (typed) {
            assertThat(code).as(answer.body()).isEqualTo("INVALID_REQUEST");
            assertThat(answer.faults()).singleElement().asString().matches("path /[a-z_]+ bad_syntax");
        } else {
            assertThat(answer.status()).as(answer.body()).isEqualTo(404);
            assertThat(code.equals("NO_SUCH_ROUTE"))
                    .isEqualTo(operation.node().at("/tags/0").asText().equals("node"));
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
