package io.holdfast.http.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.http.route.TestNode.Answer;
import io.holdfast.reconciliation.Finding;
import io.holdfast.reconciliation.FindingClass;
import io.holdfast.reconciliation.FindingType;
import io.holdfast.reconciliation.RecordedFinding;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class ReconciliationRoutesTest {

    private static final String RUNS = "/v1/reconciliations";
    private static final Instant NOW = Instant.parse("2026-11-29T12:00:00Z");

    private final TestNode node = TestNode.start();

    @AfterEach
    void stop() {
        node.close();
    }

    private void found(String run, long id, String object) {
        node.runs.findings.add(new RecordedFinding(
                id,
                run,
                TestNode.POOL,
                new Finding(
                        object,
                        FindingType.FENCE_MISSING,
                        FindingClass.REPAIR,
                        new Finding.Evidence("RESERVED, quantity 2", "no fence", 2, 1, 7, 99)),
                RecordedFinding.State.OPEN,
                NOW,
                NOW,
                Optional.empty(),
                Optional.empty(),
                Optional.empty()));
    }

    @Test
    void a_run_says_what_it_found_with_both_sides_a_page_at_a_time() {
        Answer asked = node.post(RUNS, "{\"all\": true}");
        String run = asked.json().at("/run").asText();
        assertThat(asked.json().at("/mode").asText()).isEqualTo("dry-run");
        for (int i = 1; i <= 3; i++) {
            found(run, i, "r-" + i);
        }
        Answer first = node.get(RUNS + "/" + run + "?limit=2");
        assertThat(first.json().at("/findings/0/reservation_id").asText()).isEqualTo("r-1");
        assertThat(first.json().at("/findings/0/class").asText()).isEqualTo("REPAIR");
        assertThat(first.json().at("/findings/0/journal").asText()).isEqualTo("RESERVED, quantity 2");
        assertThat(first.json().at("/findings/0/redis").asText()).isEqualTo("no fence");
        assertThat(first.json().at("/findings/0/meaning").asText()).isEqualTo(FindingType.FENCE_MISSING.explanation());
        Answer second = node.get(first.json().at("/next").asText());
        assertThat(second.json().at("/findings/0/reservation_id").asText()).isEqualTo("r-3");
        assertThat(second.json().has("next")).isFalse();
    }

    @Test
    void runs_are_listed_latest_first() {
        for (int i = 0; i < 3; i++) {
            node.post(RUNS, "{\"prefix\": \"m" + i + ":\"}");
        }
        Answer first = node.get(RUNS + "?limit=2");
        assertThat(first.json().at("/runs/0/prefix").asText()).isEqualTo("m2:");
        assertThat(first.json().at("/runs/0/all").asText()).isEqualTo("false");
        assertThat(node.get(first.json().at("/next").asText())
                        .json()
                        .at("/runs/0/prefix")
                        .asText())
                .isEqualTo("m0:");
    }

    @Test
    void a_pool_that_was_never_made_is_not_taken_for_one_in_which_nothing_differs() {
        String wish = "{\"pool\": \"" + TestNode.POOL + "\"}";
        Answer unknown = node.post(RUNS, wish);
        assertThat(unknown.status()).isEqualTo(404);
        assertThat(unknown.code()).isEqualTo("POOL_UNKNOWN");
        assertThat(unknown.text("pool_url")).isEqualTo("/v1/pools/" + TestNode.POOL);
        assertThat(node.get(RUNS).json().at("/runs")).isEmpty();

        node.put("/v1/pools/" + TestNode.POOL, "{\"total\": 1}");
        assertThat(node.post(RUNS, wish).status()).isEqualTo(202);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"all\": false}",
                "{\"pool\": \"m1:noodles\", \"prefix\": \"m1\"}",
                "{\"pool\": \"not a pool\"}",
                "{\"prefix\": \"m1%\"}",
                "{\"all\": true, \"mode\": \"destroy\"}",
                "{\"all\": true, \"full\": \"yes\"}",
                "{\"all\": true, \"more\": 1}"
            })
    void a_wish_that_is_not_clear_begins_nothing(String body) {
        assertThat(node.post(RUNS, body).status()).isEqualTo(400);
        assertThat(node.get(RUNS).json().at("/runs")).isEmpty();
    }
}
