package io.holdfast.http.route;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.compensation.domain.Asked;
import io.holdfast.compensation.domain.Compensation;
import io.holdfast.compensation.domain.CompensationCommand;
import io.holdfast.compensation.domain.Content;
import io.holdfast.engine.machine.Cause;
import io.holdfast.http.route.HttpSettings.Access;
import io.holdfast.http.route.HttpSettings.TokenHolder;
import io.holdfast.http.route.TestNode.Answer;
import io.holdfast.reservation.domain.PoolId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** What persons see of stock that could not go back, and how they decide; here two must. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CompensationRoutesTest {

    private static final String RESERVATION = "5f0c1d2e3b4a59687786958473625140";
    private static final String KEY = "RELEASE:" + RESERVATION;
    private static final String AT = "/v1/compensations/" + KEY;
    private static final String SOLD =
            "{\"resolution\":\"CONFIRMED\",\"reason\":\"the goods went out\",\"incident\":\"INC-7\"}";

    private final TestNode node = TestNode.start(settings -> new HttpSettings(
            settings.host(),
            settings.port(),
            settings.limits(),
            settings.patience(),
            new Access.Tokens(
                    List.of(new TokenHolder("ada", sha256("ada")), new TokenHolder("grace", sha256("grace"))))));

    private static String sha256(String token) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @BeforeEach
    void the_reservation_asks_and_redis_contradicts() {
        Content content = new Content.Release(RESERVATION, PoolId.parse(TestNode.POOL), 5, true, false);
        node.compensations
                .ask(
                        KEY,
                        new Cause("compensate", "", Cause.Kind.TIMER, "reservation", Optional.empty()),
                        new CompensationCommand.Compensate(content, new Asked(0, 1)),
                        Duration.ofSeconds(5))
                .toCompletableFuture()
                .join();
        assertThat(node.compensations.state(KEY)).isInstanceOf(Compensation.Manual.class);
    }

    @AfterEach
    void stop() {
        node.close();
    }

    private Answer get(String path) {
        return node.get(path, "Authorization", "Bearer ada");
    }

    private Answer post(String who, String action, String body, String key) {
        return node.post(AT + action, body, "Authorization", "Bearer " + who, "Idempotency-Key", key);
    }

    @Test
    void it_says_what_contradicts_it_and_what_may_be_decided() {
        JsonNode seen = get(AT).json();
        assertThat(seen.path("status").asText()).isEqualTo("MANUAL");
        assertThat(seen.path("reservation_url").asText()).isEqualTo("/v1/reservations/" + RESERVATION);
        assertThat(seen.path("quantity").asLong()).isEqualTo(5);
        assertThat(seen.at("/manual/trigger").asText()).isEqualTo("CONTRADICTION");
        assertThat(seen.at("/manual/answer").asText()).isEqualTo("CONFIRMED_ALREADY");
        assertThat(seen.at("/manual/evidence/phase").asText()).isEqualTo("CONFIRMED");
        assertThat(seen.at("/manual/resolutions").toString())
                .isEqualTo("[\"AGAIN\",\"CONFIRMED\",\"CANCELED\",\"REFUNDED\"]");
        JsonNode list = get("/v1/compensations?status=MANUAL").json();
        assertThat(list.at("/compensations/0/compensation").asText()).isEqualTo(KEY);
        assertThat(list.has("next")).isFalse();
        assertThat(get("/v1/compensations?status=VERIFIED").json().path("compensations"))
                .isEmpty();
    }

    @Test
    void one_person_proposes_another_approves_and_the_journal_has_both() {
        Answer proposed = post("ada", "/resolve", SOLD, "k1");
        assertThat(proposed.status()).as(proposed.body()).isEqualTo(200);
        assertThat(proposed.json().at("/manual/proposal/by").asText()).isEqualTo("ada");
        Answer alone = post("ada", "/approve", "{\"resolution\":\"CONFIRMED\",\"reason\":\"sure\"}", "k2");
        assertThat(alone.status()).isEqualTo(409);
        assertThat(alone.text("code")).isEqualTo("SAME_PERSON");
        Answer other = post("grace", "/approve", "{\"resolution\":\"AGAIN\",\"reason\":\"sure\"}", "k3");
        assertThat(other.text("code")).isEqualTo("OTHER_PROPOSAL");
        Answer approved = post("grace", "/approve", "{\"resolution\":\"CONFIRMED\",\"reason\":\"seen it\"}", "k4");
        assertThat(approved.status()).as(approved.body()).isEqualTo(200);
        assertThat(approved.text("status")).isEqualTo("RESOLVED");
        assertThat(approved.json().at("/resolved/by").asText()).isEqualTo("ada");
        assertThat(approved.json().at("/resolved/incident").asText()).isEqualTo("INC-7");
        assertThat(approved.json().at("/resolved/approved_by").asText()).isEqualTo("grace");
        assertThat(post("grace", "/approve", "{\"resolution\":\"CONFIRMED\",\"reason\":\"seen it\"}", "k4")
                        .header("Idempotency-Replayed"))
                .contains("true");
        assertThat(post("ada", "/resolve", SOLD, "k5").text("code")).isEqualTo("NOT_MANUAL");
        assertThat(post("ada", "/freeze", "{\"reason\":\"wait\"}", "k6").text("code"))
                .isEqualTo("COMPENSATION_ENDED");
    }

    @Test
    void asked_again_once_redis_agrees_it_is_verified() {
        node.agreeing.add(KEY);
        String again = "{\"resolution\":\"AGAIN\",\"reason\":\"the pool was rebuilt\",\"incident\":\"INC-8\"}";
        assertThat(post("ada", "/resolve", again, "k1").status()).isEqualTo(200);
        post("grace", "/approve", "{\"resolution\":\"AGAIN\",\"reason\":\"yes\"}", "k2");
        JsonNode done = get(AT).json();
        assertThat(done.path("status").asText()).isEqualTo("VERIFIED");
        assertThat(done.path("result").asText()).isEqualTo("RELEASED");
        assertThat(done.at("/books/available").asLong()).isEqualTo(10);
    }

    @Test
    void a_proposal_may_be_declined() {
        post("ada", "/resolve", SOLD, "k1");
        Answer declined = post("grace", "/decline", "{\"reason\":\"it did not go out\"}", "k2");
        assertThat(declined.json().at("/manual").has("proposal")).isFalse();
        assertThat(post("grace", "/decline", "{\"reason\":\"it did not go out\"}", "k3")
                        .text("code"))
                .isEqualTo("NOTHING_PROPOSED");
    }

    @Test
    void what_is_wrong_with_a_request_is_said_and_changes_nothing() {
        Answer bare = post("ada", "/resolve", "{\"resolution\":\"CONFIRMED\",\"reason\":\"r\"}", "k1");
        assertThat(bare.status()).isEqualTo(400);
        assertThat(bare.body()).contains("incident");
        assertThat(post("ada", "/resolve", "{}", "k1").body()).contains("resolution", "reason", "incident");
        assertThat(node.post(AT + "/freeze", "{\"reason\":\"r\"}", "Authorization", "Bearer ada")
                        .body())
                .contains("Idempotency-Key");
        assertThat(get("/v1/compensations/RELEASE").status()).isEqualTo(400);
        assertThat(get("/v1/compensations/RELEASE:unknown").text("code")).isEqualTo("UNKNOWN_COMPENSATION");
        assertThat(get("/v1/compensations?status=OPEN").status()).isEqualTo(400);
        assertThat(post("ada", "/freeze", "{\"reason\":\"r\"}", "k2").status())
                .as("it stands already")
                .isEqualTo(200);
        assertThat(node.compensations.state(KEY)).isInstanceOf(Compensation.Manual.class);
    }
}
