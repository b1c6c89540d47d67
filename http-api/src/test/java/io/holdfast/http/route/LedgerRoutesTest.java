package io.holdfast.http.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.http.route.TestNode.Answer;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.StockMove;
import io.holdfast.reservation.ledger.Anomaly;
import io.holdfast.reservation.ledger.LedgerAction;
import io.holdfast.reservation.ledger.LedgerChange;
import io.holdfast.reservation.ledger.LedgerRow;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class LedgerRoutesTest {

    private static final String POOL = "m1:noodles:2026-11-29";
    private static final String ID = "00112233445566778899aabbccddeeff";
    private static final Instant AT = Instant.parse("2026-11-29T12:00:00.123456Z");

    private final TestNode node = TestNode.start();

    @BeforeEach
    void rows() {
        node.ledger.rows.add(new LedgerRow(
                new LedgerChange(
                        POOL,
                        LedgerAction.INIT,
                        "init",
                        Optional.empty(),
                        Optional.empty(),
                        10,
                        new StockMove(10, 0, 10, 0, 0),
                        new Books(1, 1, 10, 0, 10, 0, 0),
                        false),
                Optional.empty(),
                AT,
                2,
                700,
                1));
        node.ledger.rows.add(new LedgerRow(
                new LedgerChange(
                        POOL,
                        LedgerAction.TRY,
                        "TRY:" + ID,
                        Optional.of(ID),
                        Optional.of("o-1"),
                        3,
                        StockMove.held(3),
                        new Books(1, 2, 10, 0, 7, 3, 0),
                        false),
                Optional.of("key-1"),
                AT.plusSeconds(1),
                2,
                701,
                2));
    }

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void a_page_has_what_changed_and_the_numbers_after() {
        Answer answer = node.get("/v1/pools/" + POOL + "/ledger");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().path("pool").asText()).isEqualTo(POOL);
        assertThat(answer.json().at("/entries/0/action").asText()).isEqualTo("INIT");
        assertThat(answer.json().at("/entries/0").has("reservation_id")).isFalse();
        assertThat(answer.json().at("/entries/1").toString())
                .isEqualTo("{\"operation_id\":\"TRY:" + ID + "\",\"action\":\"TRY\",\"reservation_id\":\"" + ID
                        + "\",\"order_id\":\"o-1\",\"quantity\":3,\"change\":{\"total\":0,\"deficit\":0,\"available\":-3,"
                        + "\"reserved\":3,\"sold\":0},\"after\":{\"epoch\":1,\"version\":2,\"total\":10,\"deficit\":0,"
                        + "\"available\":7,\"reserved\":3,\"sold\":0},\"cause_id\":\"key-1\","
                        + "\"at\":\"2026-11-29T12:00:01.123456Z\",\"sequence_number\":2}");
        assertThat(answer.json().has("next")).isFalse();
    }

    @Test
    void a_pool_of_which_nothing_is_known_has_neither_ledger_nor_snapshot() {
        for (String what : new String[] {"/ledger", "/ledger?limit=1&from=2026-11-29T12:00:00Z", "/snapshot"}) {
            Answer answer = node.get("/v1/pools/m1:rice:2026-11-29" + what);
            assertThat(answer.status()).as(what).isEqualTo(404);
            assertThat(answer.code()).as(what).isEqualTo("POOL_UNKNOWN");
            assertThat(answer.text("pool")).isEqualTo("m1:rice:2026-11-29");
        }
    }

    @Test
    void a_page_beyond_the_last_entry_of_a_pool_is_empty() {
        Answer answer = node.get("/v1/pools/" + POOL + "/ledger?cursor=9");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().path("entries")).isEmpty();
    }

    @Test
    void pages_follow_each_other_by_the_address_given_and_keep_the_filter() {
        Answer first =
                node.get("/v1/pools/" + POOL + "/ledger?limit=1&from=2026-11-29T20:00:00%2B08:00&reservation_id=" + ID);
        String next = first.json().path("next").asText();
        assertThat(next)
                .isEqualTo("/v1/pools/" + POOL + "/ledger?from=2026-11-29T12:00:00Z&reservation_id=" + ID
                        + "&limit=1&cursor=1");
        Answer second = node.get(next);
        assertThat(second.json().at("/entries/0/action").asText()).isEqualTo("TRY");
        assertThat(second.json().has("next")).isFalse();
        assertThat(node.ledger.asked.orElseThrow().from()).contains(Instant.parse("2026-11-29T12:00:00Z"));
        assertThat(node.ledger.asked.orElseThrow().reservationId()).contains(ID);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "from=yesterday",
                "to=2026-11-29",
                "reservation_id=x",
                "cursor=%20",
                "cursor=abc",
                "limit=0",
                "limit=501",
                "colour=red"
            })
    void a_query_that_is_none_is_refused(String query) {
        Answer answer = node.get("/v1/pools/" + POOL + "/ledger?" + query);
        assertThat(answer.status()).as(query).isEqualTo(400);
        assertThat(answer.json().at("/errors/0/in").asText()).isEqualTo("query");
    }

    @Test
    void a_pool_that_is_none_is_refused_and_one_that_is_not_known_has_an_empty_ledger_and_no_snapshot() {
        assertThat(node.get("/v1/pools/a,b/ledger").status()).isEqualTo(400);
        assertThat(node.get("/v1/pools/a,b/snapshot").status()).isEqualTo(400);
        assertThat(node.get("/v1/pools/m1:rice/ledger").json().path("entries")).isEmpty();
        Answer absent = node.get("/v1/pools/m1:rice/snapshot");
        assertThat(absent.status()).isEqualTo(404);
        assertThat(absent.json().path("code").asText()).isEqualTo("POOL_UNKNOWN");
    }

    @Test
    void a_snapshot_says_how_the_pool_stands_and_whether_its_book_is_complete() {
        Answer answer = node.get("/v1/pools/" + POOL + "/snapshot");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().at("/books/available").asLong()).isEqualTo(7);
        assertThat(answer.json().path("complete").asBoolean()).isTrue();
        assertThat(answer.json().path("changed_at").asText()).isEqualTo("2026-11-29T12:00:01.123456Z");
    }

    @Test
    void anomalies_come_with_their_evidence_as_json() {
        node.ledger.anomalies.add(new Anomaly(
                "a1",
                "reservation_view",
                "LEDGER_VERSION_TAKEN",
                Optional.of(POOL),
                Optional.of(ID),
                "both made version 2",
                "{\"row\":{\"n\":1}}",
                AT));
        Answer answer = node.get("/v1/anomalies?type=LEDGER_VERSION_TAKEN&pool=" + POOL);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().at("/anomalies/0/evidence/row/n").asInt()).isEqualTo(1);
        assertThat(answer.json().at("/anomalies/0/reservation_id").asText()).isEqualTo(ID);
        assertThat(answer.json().has("next_cursor")).isFalse();
        assertThat(node.get("/v1/anomalies?cursor=abc").status()).isEqualTo(400);
        assertThat(node.get("/v1/anomalies?type=a%20b").status()).isEqualTo(400);
        assertThat(node.post("/v1/anomalies", "{}").status()).isEqualTo(405);
    }
}
