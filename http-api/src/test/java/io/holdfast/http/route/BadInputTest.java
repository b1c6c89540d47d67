package io.holdfast.http.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.http.route.TestNode.Answer;
import io.holdfast.reservation.domain.ReservationIds;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class BadInputTest {

    private static final String RESERVATION = "/v1/reservations/" + ReservationIds.journalFirst("m1", "noodles", "i1");

    private static TestNode node;

    @BeforeAll
    static void start() {
        node = TestNode.withPool(10);
    }

    @AfterAll
    static void stop() {
        assertThat(node.reservations.journaled())
                .as("no bad input left a trace")
                .isEmpty();
        assertThat(node.get("/v1/pools/" + TestNode.POOL)
                        .json()
                        .path("sequence_number")
                        .asLong())
                .as("nor in the pool: its journal holds its start alone")
                .isEqualTo(2);
        node.close();
    }

    private static Answer reserve(String quantity) {
        return node.post(
                "/v1/reservations",
                "{\"pool\":\"" + TestNode.POOL + "\",\"order_id\":\"o1\",\"order_item_id\":\"i1\",\"quantity\":"
                        + quantity + "}");
    }

    private static void refused(Answer answer, String... faults) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(400);
        assertThat(answer.code()).isEqualTo("INVALID_REQUEST");
        assertThat(answer.header("Content-Type")).contains("application/problem+json");
        assertThat(answer.faults()).containsExactlyInAnyOrder(faults);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "-5 | out_of_range",
                "0 | out_of_range",
                "-0 | out_of_range",
                "9007199254740992 | out_of_range",
                "9223372036854775807 | out_of_range",
                "9223372036854775808 | out_of_range",
                "99999999999999999999 | over_limit",
                "2.5 | wrong_type",
                "0.5 | wrong_type",
                "1e0 | wrong_type",
                "1e400 | wrong_type",
                "1e1000000000 | wrong_type",
                "1e-1000000000 | wrong_type",
                "\"3\" | wrong_type",
                "null | wrong_type",
                "true | wrong_type",
                "[3] | wrong_type",
                "{} | wrong_type",
            })
    void a_quantity_that_is_no_plain_whole_number_in_range_is_refused_by_name(String quantity, String code) {
        refused(reserve(quantity), "body /quantity " + code);
    }

    @ParameterizedTest
    @ValueSource(strings = {"01", "+1", "NaN", "Infinity", "-", "1.", ".5", "0x10", "1_000", "1e", "'1'"})
    void a_quantity_that_is_not_json_is_refused(String quantity) {
        Answer answer = reserve(quantity);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.faults()).singleElement().asString().endsWith(" not_json");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-1-5",
                "2026-11-5",
                "20261130",
                "2026-11-31",
                "2026-13-01",
                "26-11-30",
                "2026-11-30T00",
                "tomorrow",
                "b",
                "b-1",
                "bx",
                "B1",
                "1",
                "lunch"
            })
    void a_third_part_that_is_neither_a_day_nor_a_bucket_makes_no_pool_and_holds_nothing(String third) {
        refused(node.put("/v1/pools/m1:ramen:" + third, "{\"total\":1}"), "path /pool bad_syntax");
        refused(
                node.post(
                        "/v1/reservations",
                        "{\"pool\":\"m1:ramen:" + third
                                + "\",\"order_id\":\"o1\",\"order_item_id\":\"i1\",\"quantity\":1}"),
                "body /pool bad_syntax");
        // One that is in a journal from before can be read; this one is in none.
        for (String read : List.of("", "/ledger", "/snapshot")) {
            refused(node.get("/v1/pools/m1:ramen:" + third + read), "path /pool bad_syntax");
        }
        refused(
                node.post("/v1/pools/m1:ramen:" + third + "/pause", "", "Idempotency-Key", "p1"),
                "path /pool bad_syntax");
    }

    @ParameterizedTest
    @ValueSource(strings = {"m1:ramen:2028-02-29", "sale:phone", "sale:phone:b0", "sale:phone:b17"})
    void days_and_buckets_are_pools(String pool) {
        assertThat(node.put("/v1/pools/" + pool, "{\"total\":1}").status()).isEqualTo(201);
    }

    @Test
    void one_fault_is_told_with_its_name_and_what_to_send() {
        assertThat(reserve("0").text("detail")).startsWith("quantity: ");
        assertThat(node.post("/v1/pools/" + TestNode.POOL + "/pause", "{}").text("detail"))
                .contains("Send an Idempotency-Key header");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "2.5", "2.0e0", "1e3", "\"5\"", "null", "9007199254740992", "-0", "true"})
    void a_total_is_held_to_the_same_rule(String total) {
        Answer put = node.put("/v1/pools/m1:rice:2026-11-29", "{\"total\":" + total + "}");
        assertThat(put.status()).isEqualTo(400);
        assertThat(put.faults()).singleElement().asString().startsWith("body /total ");
        Answer adjust = node.post(
                "/v1/pools/" + TestNode.POOL + "/adjustments", "{\"total\":" + total + "}", "Idempotency-Key", "a1");
        assertThat(adjust.status()).isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " o1",
                "o1 ",
                "o 1",
                "o:1",
                "o|1",
                "o/1",
                "o%3A1",
                "o*1",
                "o{1}",
                "o\\n1",
                "ab‑1",
                "é",
                "é",
                "ı",
                "订单",
                "\\ud800",
                "\\u0000",
                "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
            })
    void an_id_outside_the_one_syntax_is_refused(String id) {
        refused(
                node.post(
                        "/v1/reservations",
                        "{\"pool\":\"" + TestNode.POOL + "\",\"order_id\":\"" + id
                                + "\",\"order_item_id\":\"i1\",\"quantity\":1}"),
                "body /order_id bad_syntax");
    }

    @ParameterizedTest
    @ValueSource(strings = {"9007199254740993", "1", "1.5", "true", "null", "[\"o1\"]"})
    void an_id_that_is_no_string_is_refused(String id) {
        refused(
                node.post(
                        "/v1/reservations",
                        "{\"pool\":\"" + TestNode.POOL + "\",\"order_id\":" + id
                                + ",\"order_item_id\":\"i1\",\"quantity\":1}"),
                "body /order_id wrong_type");
    }

    @Test
    void every_fault_is_told_at_once() {
        refused(
                node.post("/v1/reservations", "{\"order_id\":1,\"quantity\":0,\"color\":\"red\"}"),
                "body /order_id wrong_type",
                "body /order_item_id missing",
                "body /quantity out_of_range",
                "body /merchant missing",
                "body /dish missing",
                "body /color unknown");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-11-29T18:30:00",
                "2026-11-29",
                "2026-11-29 18:30:00Z",
                "2026-02-30T10:00:00Z",
                "2026-11-29T25:00:00Z",
                "2026-11-29T10:00:00+25:00",
                "2026-11-29T10:00:60Z",
                "2026-11-29T10:00:00.1234567Z",
                "9999-11-29T10:00:00Z",
                "1764412200",
                "+12026-11-29T10:00:00Z",
                "2026-11-29T10:00:00Z[Europe/Berlin]"
            })
    void a_time_that_is_no_rfc_3339_timestamp_with_offset_is_refused(String time) {
        refused(
                node.post(
                        "/v1/reservations",
                        "{\"pool\":\"" + TestNode.POOL
                                + "\",\"order_id\":\"o1\",\"order_item_id\":\"i1\",\"quantity\":1,"
                                + "\"processing_time\":\"" + time + "\"}"),
                "body /processing_time bad_syntax");
    }

    @Test
    void fields_that_exclude_or_need_each_other_are_refused() {
        String base = "\"order_id\":\"o1\",\"order_item_id\":\"i1\",\"quantity\":1";
        String pool = "\"pool\":\"" + TestNode.POOL + "\",";
        refused(
                node.post("/v1/reservations", "{" + pool + "\"merchant\":\"m1\"," + base + "}"),
                "body /merchant conflicting");
        refused(node.post("/v1/reservations", "{\"dish\":\"d\"," + base + "}"), "body /merchant missing");
        refused(
                node.post("/v1/reservations", "{" + pool + base + ",\"order_type\":\"SCHEDULED\"}"),
                "body /processing_time missing");
        refused(
                node.post(
                        "/v1/reservations",
                        "{" + pool + base
                                + ",\"order_type\":\"INSTANT\",\"processing_time\":\"2026-11-29T10:00:00Z\"}"),
                "body /processing_time conflicting");
        refused(
                node.post("/v1/reservations", "{" + pool + base + ",\"order_type\":\"instant\"}"),
                "body /order_type bad_syntax");
        refused(
                node.post(RESERVATION + "/refunds", "{\"refund_id\":\"r1\",\"restock\":false}"),
                "body /restock conflicting");
        refused(
                node.post(RESERVATION + "/refunds", "{\"refund_id\":\"order-canceled\",\"quantity\":1}"),
                "body /refund_id bad_syntax");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "m1",
                "m1:",
                ":d",
                "m1::2026-11-29",
                "m1:d:2026-02-30",
                "a:b:c:d",
                "m 1:d",
                "m1:d:2026-11-29 ",
                "m1:{d}"
            })
    void a_pool_that_is_no_pool_id_is_refused_in_body_and_path(String pool) {
        refused(
                node.post(
                        "/v1/reservations",
                        "{\"pool\":\"" + pool + "\",\"order_id\":\"o1\",\"order_item_id\":\"i1\",\"quantity\":1}"),
                "body /pool bad_syntax");
        String escaped = pool.replace(" ", "%20").replace("{", "%7B").replace("}", "%7D");
        refused(node.get("/v1/pools/" + escaped), "path /pool bad_syntax");
        refused(node.put("/v1/pools/" + escaped, "{\"total\":1}"), "path /pool bad_syntax");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x",
                "ABCDEF0123456789ABCDEF0123456789",
                "0123456789abcdef",
                "a%2Fb",
                "..%2F..",
                "%00",
                "idx",
                "%E8%AE%A2"
            })
    void a_reservation_id_in_a_path_is_checked(String id) {
        refused(node.get("/v1/reservations/" + id), "path /reservation_id bad_syntax");
        refused(
                node.post("/v1/reservations/" + id + "/confirm", "{\"order_id\":\"o1\"}"),
                "path /reservation_id bad_syntax");
        refused(node.get("/v1/reservations/" + id + "/journal"), "path /reservation_id bad_syntax");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"quantity\":1,\"quantity\":9} | body /quantity duplicate",
                "{\"quantity\":1,\"quant\\u0069ty\":9} | body /quantity duplicate",
                "{\"a\":{\"b\":1,\"b\":2}} | body /a/b duplicate",
                "{} {} | body  not_json",
                "{}x | body  not_json",
                "{}] | body  not_json",
                "{\"quantity\":1 | body /quantity not_json",
                "[] | body  wrong_type",
                "null | body  wrong_type",
                "\"x\" | body  wrong_type",
                "3 | body  wrong_type",
                "{'quantity':1} | body  not_json",
                "{quantity:1} | body  not_json",
                "{\"quantity\":1,} | body /quantity not_json",
                "{/* one */\"quantity\":1} | body  not_json",
            })
    void a_body_that_is_not_one_strict_json_object_is_refused(String body, String fault) {
        Answer answer = node.post("/v1/reservations", body);
        assertThat(answer.status()).as(answer.body()).isEqualTo(400);
        assertThat(answer.faults()).containsExactly(fault);
    }

    @Test
    void an_empty_body_is_refused() {
        Answer answer = node.post("/v1/reservations", "");
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.code()).isEqualTo("INVALID_REQUEST");
    }

    @Test
    void a_body_that_is_no_utf_8_is_refused() {
        byte[] latin1 = "{\"order_id\":\"\u00e9\"}".getBytes(StandardCharsets.ISO_8859_1);
        byte[] utf16 = "{\"order_id\":\"o1\"}".getBytes(StandardCharsets.UTF_16);
        byte[] overlong = {'{', '"', 'a', '"', ':', '"', (byte) 0xC0, (byte) 0xAF, '"', '}'};
        byte[] surrogate = {'{', '"', 'a', '"', ':', '"', (byte) 0xED, (byte) 0xA0, (byte) 0x80, '"', '}'};
        for (byte[] body : List.of(latin1, utf16, overlong, surrogate)) {
            Answer answer = node.post("/v1/reservations", body, "Content-Type", "application/json");
            refused(answer, "body  not_json");
        }
    }

    @Test
    void a_reason_with_control_characters_or_half_a_pair_is_refused() {
        for (String reason : List.of("a\\u0000b", "a\\nb", "\\ud800", " ", "x".repeat(257))) {
            refused(
                    node.post(RESERVATION + "/cancel", "{\"order_id\":\"o1\",\"reason\":\"" + reason + "\"}"),
                    "body /reason bad_syntax");
        }
    }

    @Test
    void nesting_beyond_the_limit_is_refused_wherever_it_stands() {
        Answer answer = node.post("/v1/reservations", "{\"a\":" + "[".repeat(7000) + "]".repeat(7000) + "}");
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.faults()).singleElement().asString().endsWith("over_limit");
    }

    @Test
    void names_and_strings_beyond_their_length_are_refused() {
        assertThat(node.post("/v1/reservations", "{\"" + "n".repeat(65) + "\":1}")
                        .faults())
                .singleElement()
                .asString()
                .endsWith("over_limit");
        assertThat(node.post("/v1/reservations", "{\"order_id\":\"" + "n".repeat(1025) + "\"}")
                        .faults())
                .singleElement()
                .asString()
                .endsWith("over_limit");
    }

    @Test
    void eight_huge_numbers_at_once_are_refused_while_others_are_served() {
        String nines = "9".repeat(15_000);
        List<CompletableFuture<Answer>> huge = IntStream.range(0, 8)
                .mapToObj(n -> node.postLater(
                        "/v1/reservations",
                        "{\"pool\":\"" + TestNode.POOL + "\",\"order_id\":\"o1\",\"order_item_id\":\"i1\",\"quantity\":"
                                + (n % 2 == 0 ? "1e1000000000" : nines) + "}"))
                .toList();
        assertThat(node.get("/health/live").status()).isEqualTo(200);
        assertThat(huge.stream().map(CompletableFuture::join))
                .allMatch(answer -> answer.status() == 400)
                .allMatch(answer -> answer.faults().getFirst().startsWith("body /quantity"));
    }

    @Test
    void a_body_beyond_the_limit_is_413_also_when_its_length_is_not_told() {
        String chunk = "400\r\n" + "9".repeat(1024) + "\r\n";
        assertThat(RawHttp.send(
                        node.port(),
                        "POST /v1/reservations HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                                + "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n" + chunk.repeat(20)
                                + "0\r\n\r\n"))
                .startsWith("HTTP/1.1 413 ")
                .contains("BODY_TOO_LARGE");
    }

    @Test
    void a_body_beyond_the_limit_is_413() {
        Answer answer = node.post("/v1/reservations", "{\"quantity\":" + "9".repeat(1_000_000) + "}");
        assertThat(answer.status()).isEqualTo(413);
        assertThat(answer.code()).isEqualTo("BODY_TOO_LARGE");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "text/plain",
                "application/x-www-form-urlencoded",
                "application/json+x",
                "application/problem+json",
                "text/json",
                "multipart/form-data; boundary=x",
                "application/octet-stream"
            })
    void a_body_of_another_media_type_is_415(String type) {
        Answer answer = node.post("/v1/reservations", "{}".getBytes(StandardCharsets.UTF_8), "Content-Type", type);
        assertThat(answer.status()).isEqualTo(415);
        assertThat(answer.code()).isEqualTo("UNSUPPORTED_MEDIA_TYPE");
    }

    @Test
    void a_body_without_media_type_or_compressed_is_415() {
        byte[] body = "{}".getBytes(StandardCharsets.UTF_8);
        assertThat(node.post("/v1/reservations", body).status()).isEqualTo(415);
        assertThat(node.post("/v1/reservations", body, "Content-Type", "application/json", "Content-Encoding", "gzip")
                        .status())
                .isEqualTo(415);
    }

    @Test
    void identity_is_no_compression_and_whatever_else_is_named_is_one() {
        byte[] body = "{}".getBytes(StandardCharsets.UTF_8);
        byte[] csv = "pool,total\n".getBytes(StandardCharsets.UTF_8);
        for (String encoding : List.of("identity", "Identity", "identity, identity")) {
            assertThat(node.post(
                                    "/v1/reservations",
                                    body,
                                    "Content-Type",
                                    "application/json",
                                    "Content-Encoding",
                                    encoding)
                            .code())
                    .as(encoding)
                    .isEqualTo("INVALID_REQUEST");
            assertThat(node.post("/v1/pools", csv, "Content-Type", "text/csv", "Content-Encoding", encoding)
                            .status())
                    .as(encoding)
                    .isEqualTo(200);
        }
        for (String encoding : List.of("identity, gzip", "br", "x-own")) {
            assertThat(node.post(
                                    "/v1/reservations",
                                    body,
                                    "Content-Type",
                                    "application/json",
                                    "Content-Encoding",
                                    encoding)
                            .status())
                    .as(encoding)
                    .isEqualTo(415);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json; charset=ISO-8859-1",
                "application/json;charset=utf-16",
                "application/json; charset=\"latin1\"",
                "application/json; charset=none",
                "APPLICATION/JSON; CHARSET=us-ascii"
            })
    void a_body_in_another_charset_than_utf_8_is_415_and_is_not_read_as_if_it_were(String type) {
        byte[] body = ("{\"pool\":\"" + TestNode.POOL
                        + "\",\"order_id\":\"o1\",\"order_item_id\":\"i1\",\"quantity\":1}")
                .getBytes(StandardCharsets.UTF_8);
        Answer answer = node.post("/v1/reservations", body, "Content-Type", type);
        assertThat(answer.status()).as(type).isEqualTo(415);
        assertThat(answer.code()).isEqualTo("UNSUPPORTED_MEDIA_TYPE");
        assertThat(answer.text("detail")).contains("UTF-8");
        String other = type.replaceFirst("(?i)application/json", "text/csv");
        assertThat(node.post("/v1/pools", "pool,total\n".getBytes(StandardCharsets.UTF_8), "Content-Type", other)
                        .code())
                .isEqualTo("UNSUPPORTED_MEDIA_TYPE");
    }

    @Test
    void one_pool_in_json_sent_where_many_are_taken_is_told_what_is_taken() {
        Answer answer = node.post("/v1/pools", "{\"pool\":\"m1:rice\",\"total\":1}");
        assertThat(answer.status()).isEqualTo(415);
        assertThat(answer.text("title")).isEqualTo("The body is of a type that this address does not take");
        assertThat(answer.text("detail")).startsWith("The body must be application/jsonl or text/csv, ");
    }

    @Test
    void json_with_its_charset_spelled_out_is_json() {
        byte[] body = "{}".getBytes(StandardCharsets.UTF_8);
        assertThat(node.post("/v1/reservations", body, "Content-Type", "application/json; charset=utf-8")
                        .status())
                .isEqualTo(400);
        assertThat(node.post("/v1/reservations", body, "Content-Type", "application/json;charset=\"UTF-8\"")
                        .status())
                .isEqualTo(400);
        assertThat(node.post("/v1/reservations", body, "Content-Type", "APPLICATION/JSON")
                        .status())
                .isEqualTo(400);
    }

    @Test
    void unknown_and_doubled_query_parameters_are_refused() {
        refused(node.get(RESERVATION + "?verbose=1"), "query /verbose unknown");
        refused(node.get(RESERVATION + "/journal?limit=1&limit=2"), "query /limit duplicate");
        refused(node.get(RESERVATION + "/journal?limit=0"), "query /limit bad_syntax");
        refused(node.get(RESERVATION + "/journal?limit=1001"), "query /limit bad_syntax");
        refused(node.get(RESERVATION + "/journal?after=-1"), "query /after bad_syntax");
        refused(node.get(RESERVATION + "/journal?after=1e3"), "query /after bad_syntax");
        refused(node.get("/v1/pools/" + TestNode.POOL + "?at=now"), "query /at bad_syntax");
        refused(node.post("/v1/reservations?dry=1", "{}"), "query /dry unknown");
        refused(node.get("/v1/reservations?state=RESERVED"), "query /state unknown");
        refused(node.get("/v1/reservations?status=reserved"), "query /status bad_syntax");
        refused(node.get("/v1/reservations?pool=m1"), "query /pool bad_syntax");
        refused(
                node.get("/v1/reservations?order_id=a%20b&user_id="),
                "query /order_id bad_syntax",
                "query /user_id bad_syntax");
        refused(node.get("/v1/reservations?limit=501"), "query /limit bad_syntax");
        refused(node.get("/v1/reservations?cursor=%2F"), "query /cursor bad_syntax");
        refused(node.get("/v1/reservations?cursor=made-up"), "query /cursor bad_syntax");
    }

    @ParameterizedTest
    @ValueSource(strings = {"two words", "k\u00e9y", "tab\tkey"})
    void a_key_that_is_no_visible_ascii_is_refused(String key) {
        assertThat(RawHttp.send(
                        node.port(),
                        "POST /v1/reservations HTTP/1.1\r\n"
                                + "Host: x\r\n"
                                + "Content-Type: application/json\r\n"
                                + "Idempotency-Key: "
                                + key + "\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}"))
                .startsWith("HTTP/1.1 400 ")
                .contains("\"pointer\":\"/Idempotency-Key\"");
    }

    /** One of them may have been what somebody in between looked at. */
    @ParameterizedTest
    @ValueSource(strings = {"Authorization", "Idempotency-Key", "If-Match", "Last-Event-ID", "Payment-Signature"})
    void a_header_that_means_one_thing_is_taken_once_whatever_the_two_say(String name) {
        for (String second : List.of("\"1\"", "\"2\"")) {
            String[] twice = {name, "\"1\"", name, second};
            for (Answer answer : List.of(
                    node.post("/v1/reservations", "{}", twice),
                    node.post("/v1/pools/" + TestNode.POOL + "/adjustments", "{\"total\":1}", twice),
                    node.post("/v1/pools", "pool,total\n".getBytes(StandardCharsets.UTF_8), twice),
                    node.post("/v1/payment-notices", "{}", twice),
                    node.get("/v1/events", twice),
                    node.get(RESERVATION, twice))) {
                refused(answer, "header /" + name + " duplicate");
            }
        }
    }

    @Test
    void an_empty_a_long_and_a_doubled_key_are_refused() {
        refused(
                node.post("/v1/reservations", "{}", "Idempotency-Key", "k".repeat(201)),
                "header /Idempotency-Key bad_syntax");
        refused(
                node.post("/v1/reservations", "{}", "Idempotency-Key", "k1", "Idempotency-Key", "k2"),
                "header /Idempotency-Key duplicate");
        refused(node.post("/v1/reservations", "{}", "Idempotency-Key", ""), "header /Idempotency-Key bad_syntax");
    }

    @Test
    void what_may_be_wanted_twice_needs_a_key_to_tell_it_from_a_retry() {
        String pool = "/v1/pools/" + TestNode.POOL;
        for (Answer answer : List.of(
                node.post(pool + "/pause", "{}"),
                node.post(pool + "/resume", ""),
                node.post(pool + "/adjustments", "{\"total\":5}"))) {
            refused(answer, "header /Idempotency-Key missing");
        }
    }
}
