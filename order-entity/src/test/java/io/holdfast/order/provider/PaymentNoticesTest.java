package io.holdfast.order.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.holdfast.order.domain.Money;
import io.holdfast.order.domain.Payment;
import io.holdfast.order.provider.PaymentNotices.Notice;
import io.holdfast.order.provider.PaymentNotices.Reason;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class PaymentNoticesTest {

    private static final Instant NOW = Instant.parse("2026-06-25T09:00:00Z");
    private static final String SECRET = "first secret";
    private static final String NEXT = "next secret";
    private static final String BODY =
            "{\"notice_id\":\"n-1\",\"type\":\"payment.succeeded\",\"order_id\":\"r-1\",\"payment_id\":\"p-1\","
                    + "\"provider_transaction\":\"t-1\",\"amount\":1990,\"currency\":\"EUR\","
                    + "\"paid_at\":\"2026-06-25T08:59:00Z\",\"card\":\"***\"}";

    private final PaymentNotices notices =
            new PaymentNotices("sandbox", List.of(bytes(SECRET), bytes(NEXT)), Duration.ofMinutes(5));

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String signed(String secret, Instant at, String body) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(bytes(secret), "HmacSHA256"));
            String time = Long.toString(at.getEpochSecond());
            return "t=" + time + ",v1=" + HexFormat.of().formatHex(mac.doFinal(bytes(time + "." + body)));
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private Notice read(String signature, String body) {
        return notices.read(signature, bytes(body), NOW);
    }

    private Reason refusal(String signature, String body) {
        if (read(signature, body) instanceof Notice.Refused(Reason reason, String detail)) {
            assertThat(detail).isNotBlank();
            return reason;
        }
        throw new AssertionError("believed: " + read(signature, body));
    }

    @Test
    void a_signed_notice_says_which_order_was_paid_by_what() {
        Notice notice = read(signed(SECRET, NOW, BODY), BODY);
        assertThat(notice).isInstanceOf(Notice.Succeeded.class);
        Notice.Succeeded succeeded = (Notice.Succeeded) notice;
        assertThat(succeeded.id()).isEqualTo("n-1");
        assertThat(succeeded.orderId()).isEqualTo("r-1");
        assertThat(succeeded.payment())
                .isEqualTo(new Payment(
                        "p-1", "sandbox", "t-1", new Money(1990, "EUR"), Instant.parse("2026-06-25T08:59:00Z")));
    }

    @Test
    void either_secret_counts_while_one_follows_the_other() {
        assertThat(read(signed(NEXT, NOW, BODY), BODY)).isInstanceOf(Notice.Succeeded.class);
        assertThat(refusal(signed("another", NOW, BODY), BODY)).isEqualTo(Reason.WRONG_SIGNATURE);
    }

    @Test
    void a_body_or_a_time_that_was_changed_is_not_believed() {
        String signature = signed(SECRET, NOW, BODY);
        assertThat(refusal(signature, BODY.replace("1990", "19"))).isEqualTo(Reason.WRONG_SIGNATURE);
        assertThat(refusal(signature.replace("t=" + NOW.getEpochSecond(), "t=" + (NOW.getEpochSecond() + 1)), BODY))
                .isEqualTo(Reason.WRONG_SIGNATURE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "t=1", "v1=00", "t=1,v1=00", "t=x,v1=", "t=-1,v1=", "t=1,v2=", "t=1 ,v1="})
    void what_is_not_signed_is_not_believed(String signature) {
        String hex = signature.endsWith("=") ? signature + "0".repeat(64) : signature;
        assertThat(refusal(hex, BODY)).isEqualTo(Reason.NOT_SIGNED);
    }

    @Test
    void a_notice_of_long_ago_or_to_come_is_not_believed_again() {
        Duration edge = Duration.ofMinutes(5);
        assertThat(read(signed(SECRET, NOW.minus(edge), BODY), BODY)).isInstanceOf(Notice.Succeeded.class);
        assertThat(read(signed(SECRET, NOW.plus(edge), BODY), BODY)).isInstanceOf(Notice.Succeeded.class);
        for (Duration beyond : List.of(edge.plusSeconds(1), edge.plusSeconds(1).negated())) {
            assertThat(refusal(signed(SECRET, NOW.plus(beyond), BODY), BODY)).isEqualTo(Reason.OTHER_TIME);
        }
    }

    @Test
    void the_hash_is_of_what_it_means_not_of_how_it_is_written() {
        String reordered =
                BODY.replace("{\"notice_id\":\"n-1\",", "{ ").replace(",\"card\":\"***\"}", ",\"notice_id\":\"n-1\"}");
        String other = BODY.replace("1990", "1991");
        assertThat(hash(reordered)).isEqualTo(hash(BODY));
        assertThat(hash(other)).isNotEqualTo(hash(BODY));
    }

    private String hash(String body) {
        if (read(signed(SECRET, NOW, body), body) instanceof Notice.Succeeded succeeded) {
            return succeeded.hash();
        }
        throw new AssertionError("not understood: " + body);
    }

    @Test
    void other_types_mean_nothing_here() {
        String body = "{\"type\":\"payment.disputed\",\"what\":[1,2]}";
        assertThat(read(signed(SECRET, NOW, body), body)).isEqualTo(new Notice.Ignored("payment.disputed"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "amount\":1990->amount\":0",
                "amount\":1990->amount\":19.9",
                "\"currency\":\"EUR\",->",
                "EUR->eur",
                "\"paid_at\":\"2026-06-25T08:59:00Z\",->",
                "2026-06-25T08:59:00Z->yesterday",
                "\"p-1\"->\"p:1\"",
                "\"order_id\":\"r-1\",->",
                "\"notice_id\":\"n-1\",->",
                "{->[",
                "payment.succeeded->"
            })
    void what_is_signed_and_can_not_be_understood_is_refused(String change) {
        String[] parts = change.split("->", -1);
        String body = BODY.replace(parts[0], parts[1]);
        assertThat(body).isNotEqualTo(BODY);
        assertThat(refusal(signed(SECRET, NOW, body), body)).isEqualTo(Reason.NOT_UNDERSTOOD);
    }

    @Test
    void there_is_no_reading_without_a_secret() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PaymentNotices("sandbox", List.of(), Duration.ofMinutes(5)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PaymentNotices("sandbox", List.of(new byte[0]), Duration.ofMinutes(5)));
    }
}
