package io.holdfast.http.route;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdfast.engine.effect.Outcome;
import io.holdfast.http.route.TestNode.Answer;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.ReservationIds;
import io.holdfast.reservation.port.PoolStanding;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class OrderRoutesTest {

    private static final String ORDER = "/v1/orders/o1/reservations";

    private TestNode node;

    @BeforeEach
    void start() {
        node = TestNode.withPool(10);
    }

    @AfterEach
    void stop() {
        node.close();
    }

    private static String line(String item, long quantity) {
        return line(TestNode.POOL, item, quantity);
    }

    private static String line(String pool, String item, long quantity) {
        return """
            {"pool":"%s","order_item_id":"%s","user_id":"u1","quantity":%s}\
            """.formatted(pool, item, quantity);
    }

    private static String lines(String... lines) {
        return Stream.of(lines).collect(Collectors.joining(",", "{\"lines\":[", "]}"));
    }

    private static String id(String item) {
        return ReservationIds.journalFirst("m1", "noodles", item);
    }

    private Answer order(String body, String... headers) {
        return node.post(ORDER, body, headers);
    }

    private static List<Integer> statuses(Answer answer) {
        List<Integer> statuses = new ArrayList<>();
        answer.json()
                .path("lines")
                .forEach(line -> statuses.add(line.path("status").asInt()));
        return statuses;
    }

    private static JsonNode line(Answer answer, int index) {
        return answer.json().path("lines").path(index);
    }

    private long reserved() {
        return ((PoolNumbers.Seen) node.stock.seen(PoolId.parse(TestNode.POOL)))
                .books()
                .reserved();
    }

    private String status(String item) {
        return node.get("/v1/reservations/" + id(item)).text("status");
    }

    @Nested
    class Together {

        @Test
        void lines_that_are_all_held_are_answered_201_each_with_its_reservation() {
            Answer answer = order(lines(line("i1", 3), line("i2", 2)));

            assertThat(answer.status()).isEqualTo(201);
            assertThat(answer.header("Location")).contains("/v1/reservations?order_id=o1");
            assertThat(answer.header("Idempotency-Replayed")).isEmpty();
            assertThat(answer.header("Retry-After")).isEmpty();
            assertThat(answer.text("order_id")).isEqualTo("o1");
            assertThat(answer.text("result")).isEqualTo("HELD");
            assertThat(statuses(answer)).containsExactly(201, 201);
            assertThat(line(answer, 0).path("order_item_id").asText()).isEqualTo("i1");
            assertThat(line(answer, 0).path("reservation_id").asText()).isEqualTo(id("i1"));
            assertThat(line(answer, 0).has("problem")).isFalse();
            assertThat(line(answer, 0).at("/reservation/terms/order_id").asText())
                    .isEqualTo("o1");
            assertThat(line(answer, 1).at("/reservation/units/held").asLong()).isEqualTo(2);
        }

        @Test
        void a_line_is_answered_as_it_would_be_alone() {
            Answer answer = order(lines(line("i1", 3)));
            Answer alone = node.post(
                    "/v1/reservations",
                    line("i1", 3).replace("\"order_item_id\"", "\"order_id\":\"o1\",\"order_item_id\""));

            assertThat(alone.header("Idempotency-Replayed")).contains("true");
            assertThat(line(answer, 0).path("reservation")).isEqualTo(alone.json());
        }

        @Test
        void with_one_short_line_it_is_207_and_the_other_stays_held() {
            Answer answer = order(lines(line("i1", 3), line("i2", 11)));

            assertThat(answer.status()).isEqualTo(207);
            assertThat(answer.text("result")).isEqualTo("NOT_ALL_HELD");
            assertThat(statuses(answer)).containsExactly(201, 409);
            assertThat(line(answer, 1).at("/problem/code").asText()).isEqualTo("SOLD_OUT");
            assertThat(line(answer, 1).has("reservation")).isFalse();
            assertThat(answer.header("Retry-After")).isEmpty();
            assertThat(status("i1")).isEqualTo("RESERVED");
            assertThat(status("i2")).isEqualTo("REJECTED");
        }

        @Test
        void the_failure_of_the_order_releases_what_was_held() {
            order(lines(line("i1", 3), line("i2", 11)));

            for (String item : List.of("i1", "i2")) {
                node.post("/v1/reservations/" + id(item) + "/cancel", "{\"order_id\":\"o1\"}");
            }

            assertThat(status("i1")).isEqualTo("CANCELED");
            assertThat(status("i2")).isEqualTo("REJECTED");
        }

        @Test
        void lines_still_being_tried_make_it_202_with_where_to_look() {
            node.stock.fallSilent();
            Answer answer = order(lines(line("i1", 3), line("i2", 2)), "Prefer", "respond-async");

            assertThat(answer.status()).isEqualTo(202);
            assertThat(answer.text("result")).isEqualTo("UNSETTLED");
            assertThat(statuses(answer)).containsExactly(202, 202);
            assertThat(line(answer, 0).at("/reservation/status").asText()).isEqualTo("PREPARING");
            assertThat(answer.header("Retry-After")).contains("1");
            assertThat(answer.header("Preference-Applied")).contains("respond-async");
            assertThat(answer.json().at("/links/reservations").asText()).isEqualTo("/v1/reservations?order_id=o1");
        }

        @Test
        void a_line_without_an_answer_makes_it_202_for_it_may_have_been_recorded() {
            node.fault = _ -> CompletableFuture.completedFuture(Outcome.unknown("lost"));
            Answer answer = order(lines(line("i1", 3)));

            assertThat(answer.status()).isEqualTo(202);
            assertThat(answer.text("result")).isEqualTo("UNSETTLED");
            assertThat(line(answer, 0).at("/problem/code").asText()).isEqualTo("OUTCOME_UNKNOWN");
        }

        @Test
        void a_line_that_was_turned_away_says_that_nothing_was_recorded() {
            node.standing = Optional.of(Outcome.known(new PoolStanding.Suspect("a test says so")));
            Answer answer = order(lines(line("i1", 3)));

            assertThat(answer.status()).isEqualTo(207);
            assertThat(line(answer, 0).path("status").asInt()).isEqualTo(503);
            assertThat(line(answer, 0).at("/problem/code").asText()).isEqualTo("POOL_SUSPECT");
            assertThat(line(answer, 0).at("/problem/recorded").asBoolean(true)).isFalse();
            assertThat(answer.header("Retry-After")).contains("1");
        }

        @Test
        void the_reservations_of_the_order_are_listed_where_it_says() {
            Answer answer = order(lines(line("i1", 3), line("i2", 2)));

            Answer listed = node.get(answer.json().at("/links/reservations").asText());
            assertThat(listed.json().path("reservations")).hasSize(2);
        }
    }

    @Nested
    class Again {

        @Test
        void the_same_request_is_answered_as_the_first_time_and_says_so() {
            Answer first = order(lines(line("i1", 3), line("i2", 11)), "Idempotency-Key", "k1");
            Answer again = order(lines(line("i1", 3), line("i2", 11)), "Idempotency-Key", "k1");

            assertThat(again.status()).isEqualTo(207);
            assertThat(again.header("Idempotency-Replayed")).contains("true");
            assertThat(line(again, 0).path("replayed").asBoolean()).isTrue();
            assertThat(line(again, 0).path("reservation"))
                    .isEqualTo(line(first, 0).path("reservation"));
            assertThat(line(again, 1).path("problem")).isEqualTo(line(first, 1).path("problem"));
            assertThat(reserved()).isEqualTo(3);
        }

        @Test
        void without_a_key_a_plain_retry_is_a_repeat_too() {
            order(lines(line("i1", 3)));

            assertThat(order(lines(line("i1", 3))).header("Idempotency-Replayed"))
                    .contains("true");
        }

        @Test
        void a_line_with_other_content_under_the_key_is_refused_and_the_others_are_repeats() {
            order(lines(line("i1", 3), line("i2", 2)), "Idempotency-Key", "k1");
            Answer other = order(lines(line("i1", 3), line("i2", 1)), "Idempotency-Key", "k1");

            assertThat(other.status()).isEqualTo(207);
            assertThat(statuses(other)).containsExactly(201, 422);
            assertThat(line(other, 1).at("/problem/code").asText()).isEqualTo("KEY_REUSED");
            assertThat(other.header("Idempotency-Replayed")).isEmpty();
        }

        @Test
        void many_at_once_hold_each_line_once() {
            List<CompletableFuture<Answer>> asked = IntStream.range(0, 20)
                    .mapToObj(_ -> node.postLater(ORDER, lines(line("i1", 3), line("i2", 2)), "Idempotency-Key", "k1"))
                    .toList();

            assertThat(asked).allSatisfy(one -> assertThat(one.join().status()).isEqualTo(201));
            assertThat(reserved()).isEqualTo(5);
        }
    }

    @Nested
    class All_or_nothing {

        private static final String RICE = "m1:rice:2026-11-29";

        private static String together(String... lines) {
            return lines(lines).replaceFirst("\\{", "{\"all_or_nothing\":true,");
        }

        @BeforeEach
        void another_pool_of_the_same_day() {
            node.put("/v1/pools/" + RICE, "{\"total\":5}");
        }

        @Test
        void lines_that_all_fit_are_all_held() {
            Answer answer = order(together(line("i1", 3), line(RICE, "i2", 2)));

            assertThat(answer.status()).as(answer.body()).isEqualTo(201);
            assertThat(answer.text("result")).isEqualTo("HELD");
            assertThat(statuses(answer)).containsExactly(201, 201);
            assertThat(answer.header("Idempotency-Replayed"))
                    .as("nobody asked before")
                    .isEmpty();
            assertThat(line(answer, 0).has("replayed")).isFalse();
            assertThat(line(answer, 1).has("replayed")).isFalse();
            assertThat(line(answer, 0).path("order_item_id").asText())
                    .as("in the order of the request")
                    .isEqualTo("i1");
            assertThat(line(answer, 0).at("/reservation/terms/held_with/0").asText())
                    .isEqualTo(ReservationIds.journalFirst("m1", "rice", "i2"));
        }

        @Test
        void one_short_line_keeps_all_from_being_held() {
            Answer answer = order(together(line("i1", 3), line(RICE, "i2", 6)));

            assertThat(answer.status()).isEqualTo(207);
            assertThat(answer.header("Idempotency-Replayed")).isEmpty();
            assertThat(answer.text("result")).isEqualTo("NONE_HELD");
            assertThat(line(answer, 0).at("/problem/code").asText()).isEqualTo("OTHER_LINE_NOT_HELD");
            assertThat(line(answer, 0).at("/problem/recorded").asBoolean()).isTrue();
            assertThat(line(answer, 1).at("/problem/code").asText()).isEqualTo("SOLD_OUT");
            assertThat(reserved()).isZero();
        }

        @Test
        void lines_of_one_pool_are_counted_together_and_where_each_would_fit_alone_all_say_so() {
            Answer answer = order(together(line("i1", 6), line("i2", 5)));

            assertThat(answer.text("result")).isEqualTo("NONE_HELD");
            for (int i : List.of(0, 1)) {
                assertThat(line(answer, i).at("/problem/code").asText()).isEqualTo("SOLD_OUT");
                assertThat(line(answer, i).at("/problem/detail").asText())
                        .endsWith("It had 10, and the lines of this request that take from it ask for 11 together.");
            }
            assertThat(reserved()).isZero();
        }

        @Test
        void a_line_that_was_not_held_because_of_others_names_them_and_they_say_why() {
            Answer answer = order(together(line("i1", 1), line("i2", 11), line(RICE, "i3", 6), line(RICE, "i4", 5)));

            assertThat(answer.text("result")).isEqualTo("NONE_HELD");
            for (int i : List.of(0, 3)) {
                JsonNode problem = line(answer, i).path("problem");
                assertThat(problem.path("code").asText()).isEqualTo("OTHER_LINE_NOT_HELD");
                assertThat(problem.path("because_of"))
                        .extracting(JsonNode::asText)
                        .containsExactly("i2", "i3");
                assertThat(problem.path("detail").asText())
                        .isEqualTo("i2 (SOLD_OUT), i3 (SOLD_OUT) could not be held, so this line was not; this"
                                + " reservation ended.");
            }
            assertThat(line(answer, 1).at("/problem/detail").asText()).endsWith("It had 10.");
            assertThat(line(answer, 2).at("/problem/detail").asText()).endsWith("It had 5.");
            Answer again = order(together(line("i1", 1), line("i2", 11), line(RICE, "i3", 6), line(RICE, "i4", 5)));
            assertThat(again.json().path("lines"))
                    .isEqualTo(replayed(answer.json().path("lines")));
            assertThat(reserved()).isZero();
        }

        private static JsonNode replayed(JsonNode lines) {
            JsonNode all = lines.deepCopy();
            all.forEach(line -> ((ObjectNode) line).put("replayed", true));
            return all;
        }

        @Test
        void the_same_request_is_a_repeat_whatever_the_order_of_its_lines() {
            String[] lines = {line("i1", 3), line(RICE, "i2", 2)};
            order(together(lines[0], lines[1]), "Idempotency-Key", "k1");
            Answer again = order(together(lines[1], lines[0]), "Idempotency-Key", "k1");

            assertThat(again.status()).isEqualTo(201);
            assertThat(again.header("Idempotency-Replayed")).contains("true");
            assertThat(line(again, 0).path("replayed").asBoolean()).isTrue();
            assertThat(line(again, 1).path("replayed").asBoolean()).isTrue();
            assertThat(line(again, 0).path("order_item_id").asText()).isEqualTo("i2");
            assertThat(reserved()).isEqualTo(3);
        }

        @Test
        void other_content_under_the_key_or_under_another_is_422_and_changes_nothing() {
            order(together(line("i1", 3), line(RICE, "i2", 2)), "Idempotency-Key", "k1");
            Answer sameKey = order(together(line("i1", 3), line(RICE, "i2", 1)), "Idempotency-Key", "k1");
            Answer otherKey = order(together(line("i1", 3), line(RICE, "i2", 1)), "Idempotency-Key", "k2");
            Answer alone = order(lines(line("i1", 3)), "Idempotency-Key", "k3");

            assertThat(sameKey.status()).isEqualTo(422);
            assertThat(sameKey.code()).isEqualTo("KEY_REUSED");
            assertThat(otherKey.status()).isEqualTo(422);
            assertThat(otherKey.code()).isEqualTo("OTHER_CONTENT");
            assertThat(line(alone, 0).at("/problem/code").asText()).isEqualTo("OTHER_CONTENT");
            assertThat(reserved()).isEqualTo(3);
        }

        @Test
        void pools_that_share_no_tag_are_refused_and_nothing_is_recorded() {
            String elsewhere = "m2:soup:2026-11-29";
            node.put("/v1/pools/" + elsewhere, "{\"total\":5}");
            Answer answer = order(together(line("i1", 3), line(elsewhere, "i2", 2)));

            assertThat(answer.status()).isEqualTo(409);
            assertThat(answer.code()).isEqualTo("POOLS_APART");
            assertThat(answer.json().path("recorded").asBoolean(true)).isFalse();
            assertThat(node.get("/v1/reservations/" + id("i1")).status()).isEqualTo(404);
        }

        @Test
        void lines_of_one_pool_need_no_shared_tag() {
            String elsewhere = "m2:soup:2026-11-29";
            node.put("/v1/pools/" + elsewhere, "{\"total\":5}");

            assertThat(order(together(line(elsewhere, "i1", 3), line(elsewhere, "i2", 2)))
                            .status())
                    .isEqualTo(201);
        }

        @Test
        void a_pool_that_is_unknown_turns_the_group_away_and_nothing_is_recorded() {
            Answer answer = order(together(line("i1", 3), line("m1:nothing:2026-11-29", "i2", 2)));

            assertThat(answer.status()).isEqualTo(404);
            assertThat(answer.code()).isEqualTo("POOL_UNKNOWN");
            assertThat(answer.text("pool")).isEqualTo("m1:nothing:2026-11-29");
            assertThat(node.get("/v1/reservations/" + id("i1")).status()).isEqualTo(404);
        }

        @Test
        void a_single_line_is_held_as_on_its_own() {
            Answer answer = order(together(line("i1", 3)));

            assertThat(answer.status()).isEqualTo(201);
            assertThat(line(answer, 0).at("/reservation/terms").has("held_with"))
                    .isFalse();
        }

        @Test
        void more_lines_than_one_script_may_move_are_refused() {
            String[] many =
                    IntStream.range(0, 21).mapToObj(i -> line("i" + i, 1)).toArray(String[]::new);

            assertThat(order(together(many)).faults()).containsExactly("body /lines out_of_range");
        }

        @Test
        void lines_still_being_tried_make_it_202() {
            node.stock.fallSilent();
            Answer answer = order(together(line("i1", 3), line(RICE, "i2", 2)), "Prefer", "respond-async");

            assertThat(answer.status()).isEqualTo(202);
            assertThat(answer.text("result")).isEqualTo("UNSETTLED");
        }
    }

    @Nested
    class Refused {

        @Test
        void two_lines_of_one_reservation() {
            Answer answer = order(lines(line("i1", 3), line("i2", 3), line("i1", 2)));

            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.faults()).containsExactly("body /lines/2/order_item_id duplicate");
            assertThat(node.get("/v1/reservations/" + id("i1")).status()).isEqualTo(404);
        }

        @Test
        void one_order_item_of_two_dishes_is_two_reservations() {
            node.put("/v1/pools/m1:rice:2026-11-29", "{\"total\":5}");
            Answer answer = order(lines(line("i1", 3), line("m1:rice:2026-11-29", "i1", 1)));

            assertThat(answer.status()).isEqualTo(201);
        }

        @Test
        void no_line_or_too_many_or_none_of_the_right_kind() {
            assertThat(order("{}").faults()).containsExactly("body /lines missing");
            assertThat(order("{\"lines\":[]}").faults()).containsExactly("body /lines out_of_range");
            assertThat(order("{\"lines\":{}}").faults()).containsExactly("body /lines wrong_type");
            assertThat(order("{\"lines\":[1]}").faults()).containsExactly("body /lines/0 wrong_type");
            String[] many =
                    IntStream.range(0, 51).mapToObj(i -> line("i" + i, 1)).toArray(String[]::new);
            assertThat(order(lines(many)).faults()).containsExactly("body /lines out_of_range");
        }

        @Test
        void every_fault_of_every_line_is_named_with_its_place() {
            Answer answer = order("""
                {"lines":[{"pool":"m1:noodles:2026-11-29","order_item_id":"i1","quantity":0},
                          {"order_id":"o2","order_item_id":"i 2","merchant":"m1","quantity":1}]}\
                """);

            assertThat(answer.faults())
                    .containsExactlyInAnyOrder(
                            "body /lines/0/quantity out_of_range",
                            "body /lines/1/order_id unknown",
                            "body /lines/1/order_item_id bad_syntax",
                            "body /lines/1/dish missing");
            assertThat(answer.code()).isEqualTo("INVALID_REQUEST");
        }

        @Test
        void an_order_id_that_is_none() {
            Answer answer = node.post("/v1/orders/o%3A1/reservations", lines(line("i1", 1)));

            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.faults()).containsExactly("path /order_id bad_syntax");
        }

        @Test
        void another_method() {
            assertThat(node.get(ORDER).status()).isEqualTo(405);
            assertThat(node.get(ORDER).header("Allow")).contains("POST");
        }
    }
}
