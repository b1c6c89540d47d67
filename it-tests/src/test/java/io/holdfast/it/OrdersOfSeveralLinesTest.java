package io.holdfast.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.it.Client.Answer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** Several lines of one order in one request, on two nodes over one Redis: each on its own, or all or nothing. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class OrdersOfSeveralLinesTest {

    private static Site site;

    @BeforeAll
    static void open() {
        site = Site.open("orders", Map.of("HOLDFAST_RESERVATION_SHARED_TAG_MERCHANTS", Client.MERCHANT));
        site.startNode();
        site.startNode();
    }

    @AfterAll
    static void close() {
        site.close();
    }

    private static Map<String, Object> line(String dish, String item, long quantity) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("pool", dish.contains(":") ? dish : Client.pool(dish));
        line.put("order_item_id", item);
        line.put("quantity", quantity);
        return line;
    }

    /** Asks until it is settled, as a client does: entities move to a node that joins, and meanwhile they may not answer. */
    private static Answer order(Client client, String order, boolean together, List<Map<String, Object>> lines) {
        Answer answer;
        int asked = 0;
        do {
            answer = client.post(
                    "/v1/orders/" + order + "/reservations",
                    Map.of("lines", lines, "all_or_nothing", together),
                    Map.of("Idempotency-Key", "key-of-" + order, "Prefer", "wait=20"));
            asked++;
        } while ((answer.status() == 202 || answer.status() == 503) && asked < 10);
        return answer;
    }

    private static List<String> each(Answer answer, String pointer) {
        List<String> values = new ArrayList<>();
        answer.body().path("lines").forEach(line -> values.add(line.at(pointer).asText()));
        return values;
    }

    private static List<Long> numbers(String dish) {
        Answer pool = site.client().lookAtPool(dish);
        return List.of(
                pool.number("/redis/books/available"),
                pool.number("/redis/books/reserved"),
                pool.number("/redis/books/sold"));
    }

    @Test
    void lines_on_their_own_are_held_where_there_is_stock_and_the_order_decides() {
        Client client = site.client();
        client.createPool("a1", 5);
        client.createPool("a2", 1);

        Answer answer = order(client, "o-a", false, List.of(line("a1", "a-1", 2), line("a2", "a-2", 2)));

        assertThat(answer.status()).isEqualTo(207);
        assertThat(each(answer, "/status")).containsExactly("201", "409");
        assertThat(numbers("a1")).containsExactly(3L, 2L, 0L);
        client.post(Client.reservation("a1", "a-1") + "/cancel", Map.of("order_id", "o-a"), Map.of());
        assertThat(numbers("a1")).containsExactly(5L, 0L, 0L);
    }

    @Test
    void all_or_nothing_holds_all_where_there_is_enough_of_all() {
        Client client = site.client();
        client.createPool("b1", 5);
        client.createPool("b2", 5);
        List<Map<String, Object>> lines = List.of(line("b1", "b-1", 2), line("b2", "b-2", 3), line("b2", "b-3", 2));

        Answer answer = order(client, "o-b", true, lines);
        Answer again = order(site.client(1), "o-b", true, lines);

        assertThat(answer.status()).as("%s", answer.body()).isEqualTo(201);
        assertThat(answer.text("/result")).isEqualTo("HELD");
        assertThat(answer.replayed()).as("nobody asked before").isEmpty();
        assertThat(numbers("b1")).containsExactly(3L, 2L, 0L);
        assertThat(numbers("b2")).containsExactly(0L, 5L, 0L);
        assertThat(again.status()).isEqualTo(201);
        assertThat(again.replayed()).contains("true");
        assertThat(numbers("b2")).containsExactly(0L, 5L, 0L);

        for (String item : List.of("b-2", "b-3")) {
            client.post(Client.reservation("b2", item) + "/confirm", Map.of("order_id", "o-b"), Map.of());
        }
        assertThat(numbers("b2")).containsExactly(0L, 0L, 5L);
    }

    @Test
    void all_or_nothing_holds_nothing_where_one_line_is_short() {
        Client client = site.client();
        client.createPool("c1", 5);
        client.createPool("c2", 1);

        Answer answer = order(client, "o-c", true, List.of(line("c1", "c-1", 2), line("c2", "c-2", 2)));

        assertThat(answer.status()).as("%s", answer.body()).isEqualTo(207);
        assertThat(answer.text("/result")).isEqualTo("NONE_HELD");
        assertThat(each(answer, "/problem/code")).containsExactly("OTHER_LINE_NOT_HELD", "SOLD_OUT");
        assertThat(numbers("c1")).containsExactly(5L, 0L, 0L);
        assertThat(numbers("c2")).containsExactly(1L, 0L, 0L);
    }

    @Test
    void pools_of_a_merchant_and_day_share_a_tag_and_others_are_refused_together() {
        Client client = site.client();
        client.createPool("d1", 5);
        client.put("/v1/pools/m2:d1:" + Client.DAY, Map.of("total", 5));

        Answer answer =
                order(client, "o-d", true, List.of(line("d1", "d-1", 1), line("m2:d1:" + Client.DAY, "d-2", 1)));

        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.code()).isEqualTo("POOLS_APART");
        assertThat(client.look("d1", "d-1").status()).isEqualTo(404);
        Set<String> keys = Set.copyOf(Site.askRedis(site.redis.uri(), redis -> redis.keys("hf:*d1:*:stock")));
        assertThat(keys)
                .containsExactlyInAnyOrder(
                        "hf:{" + Client.MERCHANT + ":" + Client.DAY + "}@" + Client.pool("d1") + ":stock",
                        "hf:{m2:d1:" + Client.DAY + "}:stock");
    }

    @Test
    void many_groups_on_two_nodes_are_each_whole_and_never_too_many() {
        Client client = site.client();
        client.createPool("e1", 10);
        client.createPool("e2", 7);

        List<CompletableFuture<Answer>> asked = IntStream.range(0, 30)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> order(
                        site.client(i % 2),
                        "o-e" + i,
                        true,
                        List.of(line("e1", "e-1-" + i, 1), line("e2", "e-2-" + i, 1)))))
                .toList();
        List<Answer> answers = asked.stream().map(CompletableFuture::join).toList();

        assertThat(answers).filteredOn(answer -> answer.status() == 201).hasSize(7);
        assertThat(answers)
                .filteredOn(answer -> answer.status() != 201)
                .allSatisfy(answer -> assertThat(answer.text("/result"))
                        .as("%s", answer.body())
                        .isEqualTo("NONE_HELD"));
        assertThat(numbers("e1")).containsExactly(3L, 7L, 0L);
        assertThat(numbers("e2")).containsExactly(0L, 7L, 0L);
        assertThat(Stream.of("e1", "e2").map(dish -> client.lookAtPool(dish).text("/status")))
                .containsOnly("OPEN");
    }
}
