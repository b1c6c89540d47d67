package io.holdfast.http.route;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.holdfast.compensation.domain.Asked;
import io.holdfast.compensation.domain.CompensationCommand;
import io.holdfast.compensation.domain.Content;
import io.holdfast.engine.machine.Cause;
import io.holdfast.http.access.ApiRoute;
import io.holdfast.http.access.ApiRoute.Proof;
import io.holdfast.http.access.Caller;
import io.holdfast.http.access.Role;
import io.holdfast.http.access.Scope;
import io.holdfast.http.openapi.OpenApi;
import io.holdfast.http.route.HttpSettings.TokenHolder;
import io.holdfast.http.route.TestNode.Answer;
import io.holdfast.messaging.webhook.WebhookFilter;
import io.holdfast.messaging.webhook.Webhooks;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.ReservationIds;
import io.holdfast.reservation.ledger.Anomaly;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Who may do what, route by route and role by role, and that nobody meets what is another merchant's or another user's. */
@DisplayNameGeneration(ReplaceUnderscores.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AccessTest {

    /** What is asked for, and by whom it may be: c client, u user, o operator, a auditor; an admin may ask for all of it. */
    private static final String MAY_CALL = """
        POST   /v1/pools                                      o
        PUT    /v1/pools/{pool}                               o
        GET    /v1/pools/{pool}                             c o a
        POST   /v1/pools/{pool}/adjustments                   o
        POST   /v1/pools/{pool}/pause                         o
        POST   /v1/pools/{pool}/resume                        o
        POST   /v1/pools/{pool}/close                         o
        POST   /v1/pools/{pool}/archive                       o
        POST   /v1/pools/{pool}/verify                        o
        POST   /v1/pools/{pool}/rebuild                       o
        GET    /v1/pools/{pool}/diff                        c o a
        GET    /v1/pools/{pool}/ledger                        o a
        GET    /v1/pools/{pool}/snapshot                      o a
        PUT    /v1/baselines/{merchant}/{dish}                o
        GET    /v1/baselines/{merchant}/{dish}              c o a
        DELETE /v1/baselines/{merchant}/{dish}                o
        POST   /v1/reservations                             c
        POST   /v1/orders/{id}/reservations                 c
        GET    /v1/reservations                             c u o a
        GET    /v1/reservations/{id}                        c u o a
        GET    /v1/reservations/{id}/diff                   c u o a
        GET    /v1/reservations/{id}/events                 c u o a
        GET    /v1/events                                   c u o a
        GET    /v1/webhooks                                 c o a
        POST   /v1/webhooks                                 c o
        GET    /v1/webhooks/{id}                            c o a
        DELETE /v1/webhooks/{id}                            c o
        POST   /v1/webhooks/{id}/enable                     c o
        POST   /v1/webhooks/{id}/disable                    c o
        POST   /v1/webhooks/{id}/secrets                    c o
        DELETE /v1/webhooks/{id}/secrets/{version}          c o
        GET    /v1/webhooks/{id}/deliveries                 c o a
        GET    /v1/webhooks/{id}/deliveries/{delivery}      c o a
        POST   /v1/webhooks/{id}/deliveries/{delivery}/replay c o
        POST   /v1/webhooks/{id}/replay                     c o
        GET    /v1/reservations/{id}/journal                  o a
        GET    /v1/reservations/{id}/evidence                 o a
        POST   /v1/reservations/{id}/confirm                c
        POST   /v1/reservations/{id}/cancel                 c
        POST   /v1/reservations/{id}/refunds                c
        POST   /v1/reservations/{id}/freeze                   o
        POST   /v1/reservations/{id}/resolve                  o
        POST   /v1/sales/{activity}/skus/{sku}/reservations c u
        GET    /v1/orders/{id}                              c u o a
        POST   /v1/orders/{id}/payments                     c u
        POST   /v1/orders/{id}/cancel                       c u o
        POST   /v1/orders/{id}/refunds                      c o
        POST   /v1/orders/{id}/freeze                         o
        POST   /v1/orders/{id}/resolve                        o
        POST   /v1/payment-reconciliations                    o
        GET    /v1/anomalies                                  o a
        GET    /v1/anomalies/{id}                             o a
        GET    /v1/repairs                                    o a
        GET    /v1/compensations                              o a
        GET    /v1/compensations/{key}                        o a
        POST   /v1/compensations/{key}/freeze                 o
        POST   /v1/compensations/{key}/resolve                o
        POST   /v1/compensations/{key}/approve                o
        POST   /v1/compensations/{key}/decline                o
        POST   /v1/reconciliations                            o
        GET    /v1/reconciliations                            o a
        GET    /v1/reconciliations/{run}                      o a
        GET    /v1/machines                                 c u o a
        GET    /v1/machines/{name}                          c u o a
        GET    /v1/dead-letters                               o a
        POST   /v1/dead-letters/replay                        o
        GET    /v1/parked-events                              o a
        POST   /v1/parked-events/retry                        o
        POST   /v1/parked-events/{id}/discard                 o
        POST   /v1/event-replays                              o
        GET    /v1/event-replays/{id}                         o a
        """;

    private static final Set<ApiRoute> WITHOUT_TOKEN = EnumSet.of(
            ApiRoute.PAYMENT_NOTICE,
            ApiRoute.LIVE,
            ApiRoute.READY,
            ApiRoute.METRICS,
            ApiRoute.INDEX,
            ApiRoute.ROUTES,
            ApiRoute.PROBLEMS,
            ApiRoute.PROBLEM,
            ApiRoute.OPENAPI_YAML,
            ApiRoute.OPENAPI_JSON,
            ApiRoute.PAGES,
            ApiRoute.PAGE,
            ApiRoute.FOLDER_PAGE);

    private static final String ORDER = "8ced73660b864d5b8352084950e45ef7";
    private static final String HOLD = ReservationIds.journalFirst("m1", "noodles", "i1");
    private static final String COMPENSATION = "RELEASE:" + HOLD;
    private static final String ANOMALY = "0123456789abcdef0123456789abcdef";
    private static final String UNKNOWN = "ffffffffffffffffffffffffffffffff";

    private final TestNode node = TestNode.guarded(Stream.concat(
                    Stream.of(Role.values()).map(role -> holder(role.word(), Set.of(role), "*")),
                    Stream.of(
                            holder("shop-1", EnumSet.complementOf(EnumSet.of(Role.ADMIN)), "m1", "spring"),
                            holder("shop-2", EnumSet.complementOf(EnumSet.of(Role.ADMIN)), "m2", "autumn"),
                            holder("clerk-2", Set.of(Role.CLIENT), "m2"),
                            holder("ann", Set.of(Role.USER), "*"),
                            holder("bob", Set.of(Role.USER), "*")))
            .toList());

    private static TokenHolder holder(String name, Set<Role> roles, String... merchants) {
        return new TokenHolder(new Caller(name, roles, Scope.of(List.of(merchants))), sha256(name));
    }

    private static String sha256(String token) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @BeforeAll
    void something_of_everything() {
        made(node.put("/v1/pools/" + TestNode.POOL, "{\"total\":10}", as("admin")));
        made(node.post(
                "/v1/reservations",
                "{\"pool\":\"" + TestNode.POOL
                        + "\",\"order_id\":\"o1\",\"order_item_id\":\"i1\",\"user_id\":\"ann\",\"quantity\":2}",
                as("admin")));
        TestTill.order(node.orders, ORDER, "ann");
        node.compensations
                .ask(
                        COMPENSATION,
                        new Cause("compensate", "", Cause.Kind.TIMER, "reservation", Optional.empty()),
                        new CompensationCommand.Compensate(
                                new Content.Release(HOLD, PoolId.parse(TestNode.POOL), 5, true, false),
                                new Asked(0, 1)),
                        Duration.ofSeconds(5))
                .toCompletableFuture()
                .join();
        node.webhooks.make(new Webhooks.Wish(
                HOLD,
                URI.create("https://noodles.example"),
                new WebhookFilter(Set.of(), Optional.of(TestNode.POOL), Optional.of(Set.of("m1", "spring"))),
                "",
                "shop-1",
                "made before",
                "",
                new byte[32]));
        node.ledger.anomalies.add(new Anomaly(
                ANOMALY,
                "test",
                "TEST",
                Optional.of(TestNode.POOL),
                Optional.of(HOLD),
                "something is wrong",
                "{}",
                Instant.EPOCH));
    }

    private static void made(Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(201);
    }

    @AfterAll
    void stop() {
        node.close();
    }

    private static String[] as(String name, String... more) {
        return Stream.concat(Stream.of("Authorization", "Bearer " + name), Stream.of(more))
                .toArray(String[]::new);
    }

    // ---- roles

    private static Map<String, String> mayCall() {
        return MAY_CALL.lines()
                .map(String::strip)
                .collect(Collectors.toMap(
                        line -> line.replaceAll(" +[cuoa]( [cuoa])*$", "").replaceAll(" +", " "),
                        line -> line.replaceAll("^\\S+ +\\S+ +", ""),
                        (one, _) -> one,
                        TreeMap::new));
    }

    @Test
    void the_table_has_every_route_that_asks_for_a_token_and_no_other() {
        assertThat(mayCall().keySet())
                .containsExactlyInAnyOrderElementsOf(withToken()
                        .map(route -> route.method() + " " + route.template())
                        .toList());
        assertThat(Stream.of(ApiRoute.values()).filter(route -> route.proof() != Proof.TOKEN))
                .containsExactlyInAnyOrderElementsOf(WITHOUT_TOKEN);
        for (ApiRoute route : ApiRoute.values()) {
            assertThat(route.permission().isPresent()).as(route.name()).isEqualTo(route.proof() == Proof.TOKEN);
        }
    }

    static Stream<ApiRoute> withToken() {
        return Stream.of(ApiRoute.values()).filter(route -> route.proof() == Proof.TOKEN);
    }

    /** Whoever is let through is refused for the representation that is asked for, before anything is done. */
    @ParameterizedTest
    @MethodSource("withToken")
    void a_route_lets_through_exactly_the_roles_it_names(ApiRoute route) {
        String may = mayCall().get(route.method() + " " + route.template());
        String path = route.template()
                .replace("{pool}", "m1:noodles")
                .replace("{merchant}", "m1")
                .replace("{activity}", "spring")
                .replace("{id}", route.template().startsWith("/v1/parked") ? "7" : HOLD)
                .replaceAll("\\{[a-z]+}", "x");
        for (Role role : Role.values()) {
            Answer answer = node.method(route.method(), path, as(role.word(), "Accept", "text/html"));
            boolean let = role == Role.ADMIN
                    || List.of(may.split(" ")).contains(role.word().substring(0, 1));
            assertThat(answer.status()).as(role + " " + answer.body()).isEqualTo(let ? 406 : 403);
            if (!let) {
                assertThat(answer.code()).isEqualTo("FORBIDDEN");
            }
        }
        Answer nobody = node.method(route.method(), path);
        assertThat(nobody.status()).isEqualTo(401);
        assertThat(nobody.code()).isEqualTo("UNAUTHENTICATED");
        assertThat(nobody.header("WWW-Authenticate")).contains("Bearer");
        Answer stranger = node.method(route.method(), path, as("stranger"));
        assertThat(stranger.status()).isEqualTo(401);
        assertThat(stranger.header("WWW-Authenticate")).contains("Bearer error=\"invalid_token\"");
    }

    // ---- what no route may pass on

    /** PostgreSQL can't be asked for a text with a NUL in it. */
    @ParameterizedTest
    @MethodSource("withToken")
    void no_route_looks_for_what_has_control_characters(ApiRoute route) {
        List<String> parameters = Pattern.compile("\\{[a-z_]+}")
                .matcher(route.template())
                .results()
                .map(MatchResult::group)
                .toList();
        for (String parameter : parameters) {
            for (String odd : List.of("%00", "MSAx%00", "a%00b", "%0A", "a%7Fb", "%C2%85")) {
                Answer answer = node.method(
                        route.method(),
                        filled(route.template().replace(parameter, odd)),
                        as("admin", "Idempotency-Key", "odd"));
                assertThat(answer.code()).as("%s %s", route, answer.body()).isEqualTo("INVALID_REQUEST");
                assertThat(answer.faults())
                        .singleElement()
                        .asString()
                        .startsWith("path /")
                        .endsWith(" bad_syntax");
            }
        }
        for (JsonNode listed : documented(route).node().path("parameters")) {
            JsonNode parameter = OpenApi.get().resolved(listed);
            String name = parameter.path("name").asText();
            if (parameter.path("in").asText().equals("query")) {
                for (String odd : List.of("%00", "m1:noodles%00", "a%0D%0Ab")) {
                    Answer answer =
                            node.method(route.method(), filled(route.template()) + "?" + name + "=" + odd, as("admin"));
                    assertThat(answer.code()).as("%s %s", route, answer.body()).isEqualTo("INVALID_REQUEST");
                    assertThat(answer.faults()).contains("query /" + name + " bad_syntax");
                }
            }
        }
    }

    private static OpenApi.Operation documented(ApiRoute route) {
        String shape = route.template().replaceAll("\\{[a-z_]+}", "{}");
        return OpenApi.get().operations().stream()
                .filter(one -> one.method().equals(route.method())
                        && one.template().replaceAll("\\{[a-z_]+}", "{}").equals(shape))
                .findFirst()
                .orElseThrow();
    }

    private static String filled(String template) {
        return template.replace("{pool}", TestNode.POOL)
                .replace("{merchant}", "m1")
                .replace("{activity}", "spring")
                .replace("{id}", template.startsWith("/v1/parked") ? "7" : HOLD)
                .replace("{key}", COMPENSATION)
                .replace("{version}", "1")
                .replace("{delivery}", "1")
                .replaceAll("\\{[a-z]+}", "x");
    }

    static Stream<ApiRoute> withBody() {
        return withToken()
                .filter(route -> Set.of("POST", "PUT").contains(route.method()) && route != ApiRoute.POOLS_PUT);
    }

    @ParameterizedTest
    @MethodSource("withBody")
    void every_body_is_looked_at_for_fields_that_nobody_knows_and_for_texts_that_nobody_can_keep(ApiRoute route) {
        String path = filled(route.template());
        Answer unknown = sent(route, path, "{\"no_such_field\":1}");
        assertThat(unknown.status()).as("%s %s", route, unknown.body()).isEqualTo(400);
        assertThat(unknown.faults()).contains("body /no_such_field unknown");
        for (String field : texts(route)) {
            Answer answer = sent(route, path, "{\"" + field + "\":\"x\\u0000y\",\"no_such_field\":1}");
            assertThat(answer.status()).as("%s %s", route, answer.body()).isEqualTo(400);
            if (!MADE_FIT.contains(route.name() + " " + field)) {
                assertThat(answer.faults())
                        .as("%s %s", route, answer.body())
                        .anyMatch(fault -> fault.startsWith("body /" + field + " "));
            }
        }
    }

    /** Texts of people that are taken whatever they hold, and made fit for where they go. */
    private static final Set<String> MADE_FIT = Set.of("RESERVATION_CANCEL reason");

    private Answer sent(ApiRoute route, String path, String body) {
        String[] headers = as("admin", "Idempotency-Key", "odd");
        return route.method().equals("PUT") ? node.put(path, body, headers) : node.post(path, body, headers);
    }

    /** The fields of a body that are strings, by the document. */
    private static List<String> texts(ApiRoute route) {
        JsonNode schema = OpenApi.get()
                .bodySchema(documented(route))
                .map(OpenApi.get()::resolved)
                .orElseGet(MissingNode::getInstance);
        return schema.path("properties").properties().stream()
                .filter(field -> OpenApi.get()
                        .resolved(field.getValue())
                        .path("type")
                        .asText()
                        .equals("string"))
                .map(Map.Entry::getKey)
                .toList();
    }

    @Test
    void an_address_that_is_none_says_so_to_everybody() {
        assertThat(node.get("/v1/nothing").status()).isEqualTo(404);
        assertThat(node.get("/health/live").status()).isEqualTo(200);
        assertThat(node.get("/openapi.json").status()).isEqualTo(200);
        assertThat(node.get("/errors/FORBIDDEN").status()).isEqualTo(200);
    }

    // ---- merchants

    /** A request about what is of merchant m1 and activity spring. */
    private record Ask(String path, String body) {}

    private static Ask about(ApiRoute route) {
        String wish =
                "{\"pool\":\"" + TestNode.POOL + "\",\"order_id\":\"o9\",\"order_item_id\":\"i9\",\"quantity\":1}";
        String line = "{\"lines\":[{\"pool\":\"m2:tea\",\"order_item_id\":\"i8\",\"quantity\":1}," + "{\"pool\":\""
                + TestNode.POOL + "\",\"order_item_id\":\"i9\",\"quantity\":1}]}";
        String path = route.template()
                .replace("{pool}", TestNode.POOL)
                .replace("{merchant}", "m1")
                .replace("{dish}", "noodles")
                .replace("{activity}", "spring")
                .replace("{sku}", "phone")
                .replace("{key}", COMPENSATION)
                .replace("{run}", UNKNOWN)
                .replace("{name}", "reservation")
                .replace("{version}", "1")
                .replace("{delivery}", "7")
                .replace(
                        "{id}",
                        route.template().startsWith("/v1/orders")
                                ? ORDER
                                : route.template().startsWith("/v1/anomalies")
                                        ? ANOMALY
                                        : route.template().startsWith("/v1/parked") ? "7" : HOLD);
        if (route == ApiRoute.POOL_DIFF || route == ApiRoute.RESERVATION_DIFF) {
            path += "?from=2001-01-01T00:00:00Z&to=2199-01-01T00:00:00Z";
        }
        String body = switch (route) {
            case POOLS_PUT -> "pool,total\n" + TestNode.POOL + ",10";
            case POOL_PUT, POOL_ADJUST -> "{\"total\":10}";
            case BASELINE_PUT -> "{\"every_day\":10}";
            case RESERVE -> wish;
            case RESERVE_LINES -> line;
            case RESERVATION_CONFIRM, RESERVATION_CANCEL -> "{\"order_id\":\"o1\"}";
            case RESERVATION_REFUND -> "{\"refund_id\":\"r1\",\"quantity\":1}";
            case RESERVATION_FREEZE, ORDER_FREEZE, COMPENSATION_FREEZE, COMPENSATION_DECLINE ->
                "{\"reason\":\"because\"}";
            case RESERVATION_RESOLVE, ORDER_RESOLVE -> "{\"resolution\":\"CONTINUE\",\"reason\":\"because\"}";
            case COMPENSATION_RESOLVE -> "{\"resolution\":\"CONFIRMED\",\"reason\":\"because\",\"incident\":\"INC-7\"}";
            case COMPENSATION_APPROVE -> "{\"resolution\":\"CONFIRMED\",\"reason\":\"because\"}";
            case ADMIT -> "{\"user_id\":\"ann\",\"request_id\":\"q1\"}";
            case ORDER_PAY -> "{\"payment_id\":\"p1\"}";
            case ORDER_REFUND -> "{\"refund_id\":\"r1\",\"quantity\":1,\"amount\":250,\"currency\":\"EUR\"}";
            case WEBHOOK_CREATE -> "{\"url\":\"https://x.example\",\"pool\":\"" + TestNode.POOL + "\"}";
            case WEBHOOK_DISABLE -> "{\"reason\":\"because\"}";
            case WEBHOOK_REPLAY -> "{\"from\":\"0-0\"}";
            case RECONCILE -> "{\"pool\":\"" + TestNode.POOL + "\"}";
            default -> "";
        };
        return new Ask(path, body);
    }

    private Answer send(ApiRoute route, Ask ask, String... headers) {
        String[] keyed = Stream.concat(Stream.of(headers), Stream.of("Idempotency-Key", "k-" + route.name()))
                .toArray(String[]::new);
        if (route == ApiRoute.POOLS_PUT) {
            return node.post(
                    ask.path(),
                    ask.body().getBytes(StandardCharsets.UTF_8),
                    Stream.concat(Stream.of(keyed), Stream.of("Content-Type", "text/csv"))
                            .toArray(String[]::new));
        }
        return switch (route.method()) {
            case "GET" -> node.get(ask.path(), keyed);
            case "PUT" -> node.put(ask.path(), ask.body(), keyed);
            case "POST" -> node.post(ask.path(), ask.body(), keyed);
            case "DELETE" -> node.method("DELETE", ask.path(), keyed);
            default -> throw new IllegalArgumentException(route.method());
        };
    }

    @ParameterizedTest
    @MethodSource("withToken")
    void what_is_of_one_merchant_is_not_there_for_another(ApiRoute route) {
        String holds = journals();
        Ask ask = about(route);
        Answer answer = send(route, ask, as("shop-2"));
        switch (route.whose()) {
            case ADDRESS, BODY, FLEET -> {
                if (route == ApiRoute.POOLS_PUT) { // line by line
                    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
                    assertThat(answer.body()).contains("\"status\":403").contains("\"code\":\"FORBIDDEN\"");
                    break;
                }
                assertThat(answer.status()).as(answer.body()).isEqualTo(403);
                assertThat(answer.code()).isEqualTo("FORBIDDEN");
            }
            case ENTITY -> {
                String unknown = UNKNOWN;
                Ask nowhere = new Ask(
                        ask.path()
                                .replace(ORDER, unknown)
                                .replace(HOLD, unknown)
                                .replace(ANOMALY, unknown),
                        ask.body());
                Answer none = send(route, nowhere, as("shop-2"));
                assertThat(answer.status()).as(answer.body()).isEqualTo(404);
                assertThat(answer.body()
                                .replace(ORDER, unknown)
                                .replace(HOLD, unknown)
                                .replace(ANOMALY, unknown))
                        .as("told as what is not there")
                        .isEqualTo(none.body());
            }
            case LIST -> {
                assertThat(answer.status()).as(answer.body()).isEqualTo(200);
                assertThat(answer.body()).doesNotContain(HOLD).doesNotContain("noodles");
                assertThat(send(route, new Ask(ask.path() + "?pool=" + TestNode.POOL, ""), as("shop-2"))
                                .status())
                        .isEqualTo(403);
            }
            case NOBODY -> assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        }
        assertThat(journals()).as("nothing was journaled").isEqualTo(holds);
    }

    private String journals() {
        return node.reservations.journaled().stream()
                        .map(id -> id + node.reservations.journal(id).size())
                        .sorted()
                        .toList()
                + " "
                + node.pools.journaled().stream()
                        .map(id -> id + node.pools.journal(id).size())
                        .sorted()
                        .toList()
                + " "
                + node.orders.journaled().stream()
                        .map(id -> id + node.orders.journal(id).size())
                        .sorted()
                        .toList()
                + " "
                + node.compensations.journaled().stream()
                        .map(id -> id + node.compensations.journal(id).size())
                        .sorted()
                        .toList();
    }

    @ParameterizedTest
    @EnumSource(
            names = {
                "POOL_GET",
                "RESERVATIONS",
                "RESERVATION_GET",
                "RESERVATION_JOURNAL",
                "RESERVATION_EVIDENCE",
                "ORDER_GET",
                "ANOMALIES",
                "ANOMALY_GET",
                "COMPENSATIONS",
                "COMPENSATION_GET",
                "RESERVATION_DIFF",
                "WEBHOOKS",
                "WEBHOOK_GET"
            })
    void whoever_is_of_the_merchant_sees_it(ApiRoute route) {
        Answer answer = send(route, about(route), as("shop-1"));
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.body()).containsAnyOf("noodles", "spring", HOLD);
        assertThat(send(route, about(route), as("auditor")).status()).isEqualTo(200);
    }

    @Test
    void news_of_an_order_before_its_hold_needs_the_line_from_whoever_is_kept_to_merchants() {
        String id = ReservationIds.journalFirst("m2", "tea", "i-7");
        String at = "/v1/reservations/" + id + "/cancel";
        String line = "\"line\":{\"merchant\":\"m2\",\"dish\":\"tea\",\"order_item_id\":\"i-7\"}";

        assertThat(node.post(at, "{\"order_id\":\"o7\"}", as("clerk-2")).status())
                .isEqualTo(404);
        Answer other = node.post(
                at,
                "{\"order_id\":\"o7\",\"line\":{\"merchant\":\"m2\",\"dish\":\"tea\",\"order_item_id\":\"i-8\"}}",
                as("clerk-2"));
        assertThat(other.status()).isEqualTo(400);
        assertThat(other.faults()).containsExactly("body /line conflicting");

        Answer told = node.post(at, "{\"order_id\":\"o7\"," + line + "}", as("clerk-2"));
        assertThat(told.status()).as(told.body()).isEqualTo(200);
        assertThat(told.text("status")).isEqualTo("CANCELED");
        assertThat(node.post(at, "{\"order_id\":\"o7\"}", as("client")).header("Idempotency-Replayed"))
                .as("the line is no part of what is said")
                .contains("true");

        String foreign = ReservationIds.journalFirst("m1", "tea", "i-7");
        Answer refused = node.post(
                "/v1/reservations/" + foreign + "/cancel",
                "{\"order_id\":\"o7\",\"line\":{\"merchant\":\"m1\",\"dish\":\"tea\",\"order_item_id\":\"i-7\"}}",
                as("clerk-2"));
        assertThat(refused.status()).isEqualTo(404);
        assertThat(node.reservations.journal(foreign)).isEmpty();
    }

    // ---- users

    @Test
    void an_end_user_asks_under_its_own_name_alone_and_meets_only_what_is_its_own() {
        List<String> wrong = new ArrayList<>();
        for (ApiRoute route : List.of(ApiRoute.RESERVATION_GET, ApiRoute.ORDER_GET, ApiRoute.ORDER_PAY)) {
            int hers = send(route, about(route), as("ann")).status();
            int his = send(route, about(route), as("bob")).status();
            if (hers != 200 || his != 404) {
                wrong.add(route + " " + hers + " " + his);
            }
        }
        assertThat(wrong).isEmpty();

        Ask admission = about(ApiRoute.ADMIT);
        assertThat(send(ApiRoute.ADMIT, admission, as("ann")).code()).isEqualTo("CLOSED");
        assertThat(send(ApiRoute.ADMIT, admission, as("bob")).code()).isEqualTo("FORBIDDEN");

        assertThat(node.get("/v1/reservations?user_id=ann", as("ann")).body()).contains(HOLD);
        assertThat(node.get("/v1/reservations?user_id=ann", as("bob")).status()).isEqualTo(403);
        assertThat(node.get("/v1/reservations", as("bob")).status()).isEqualTo(403);

        Answer inAuthority = node.post("/v1/orders/" + ORDER + "/cancel", "{\"by\":\"OPERATOR\"}", as("ann"));
        assertThat(inAuthority.code()).isEqualTo("FORBIDDEN");
    }

    @Test
    void denied_calls_are_counted_by_reason() {
        node.get("/v1/machines");
        node.get("/v1/machines", as("stranger"));
        node.get("/v1/anomalies", as("client"));
        node.get("/v1/pools/m1:noodles", as("clerk-2"));
        node.get("/v1/orders/" + ORDER, as("bob"));
        String page = node.get("/metrics").body();
        for (String reason : List.of("no_token", "unknown_token", "role", "merchant", "user")) {
            assertThat(page).containsPattern("holdfast_http_denied_total\\{reason=\"" + reason + "\"} [1-9]");
        }
        assertThat(page).doesNotContain("stranger".toUpperCase(Locale.ROOT)).doesNotContain("clerk-2");
    }
}
