package io.holdfast.messaging.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class WebhookSignatureTest {

    /** The example that libraries of Standard Webhooks are tested with. */
    @Test
    void the_published_example_is_signed_as_published() {
        byte[] secret = WebhookSignature.secret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
                .orElseThrow();
        assertThat(WebhookSignature.of(
                        List.of(secret),
                        "msg_p5jXN8AQM9LWM0D4loKWxJek",
                        Instant.ofEpochSecond(1614265330),
                        "{\"test\": 2432232314}".getBytes(StandardCharsets.UTF_8)))
                .isEqualTo("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    @Test
    void every_secret_signs_newest_first() {
        byte[] older = new byte[32];
        byte[] newer = "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.UTF_8);
        byte[] body = "{}".getBytes(StandardCharsets.UTF_8);
        Instant at = Instant.ofEpochSecond(1);
        assertThat(WebhookSignature.of(List.of(newer, older), "msg_1", at, body))
                .isEqualTo(WebhookSignature.of(List.of(newer), "msg_1", at, body) + " "
                        + WebhookSignature.of(List.of(older), "msg_1", at, body));
    }

    @Test
    void a_secret_is_24_to_64_bytes_of_base64() {
        for (int length : new int[] {24, 32, 64}) {
            byte[] bytes = new byte[length];
            assertThat(WebhookSignature.secret(WebhookSignature.shown(bytes)).orElseThrow())
                    .isEqualTo(bytes);
            assertThat(WebhookSignature.secret(Base64.getEncoder().encodeToString(bytes)))
                    .isPresent();
        }
        for (String none :
                List.of("", "whsec_", "whsec_c2hvcnQ=", "not base64!", WebhookSignature.shown(new byte[65]))) {
            assertThat(WebhookSignature.secret(none)).as(none).isEmpty();
        }
    }

    @Test
    void the_id_of_a_message_follows_from_the_event_and_has_no_dot_in_it() {
        String id = WebhookSignature.messageId("stock-pool|m.1:soup:2026-07-25#3/stock");
        assertThat(id)
                .matches("msg_[0-9a-f]{32}")
                .isEqualTo(WebhookSignature.messageId("stock-pool|m.1:soup:2026-07-25#3/stock"));
        assertThat(id).isNotEqualTo(WebhookSignature.messageId("stock-pool|m.1:soup:2026-07-25#3"));
    }
}
