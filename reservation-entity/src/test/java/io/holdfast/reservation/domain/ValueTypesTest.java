package io.holdfast.reservation.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.reservation.domain.Fact.OrderCreated;
import io.holdfast.reservation.domain.Fact.RefundRequested;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ValueTypesTest {

    @ParameterizedTest
    @ValueSource(strings = {"m:d", "m-1:soup:2026-07-25", "a.b_C-9:x:b0", "m:d:2024-02-29", "M:D"})
    void a_pool_id_is_two_or_three_ids(String text) {
        assertThat(PoolId.parse(text).value()).isEqualTo(text);
        assertThat(PoolId.parse(text)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "m",
                ":",
                "m:",
                ":d",
                "m::d",
                "m:d:",
                "m:d:e:f",
                "m d:e",
                "{m}:d",
                "m:d\n",
                "m:d:2026-02-30",
                "m:d:2026-13-01",
                "m:dé",
                "m:d/e",
                "m:d*",
                " m:d",
                "m‑1:d"
            })
    void anything_else_is_no_pool_id(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> PoolId.parse(text));
    }

    @Test
    void a_part_has_at_most_64_characters() {
        assertThat(PoolId.parse("m:" + "d".repeat(64)).dish()).hasSize(64);
        assertThatIllegalArgumentException().isThrownBy(() -> PoolId.parse("m:" + "d".repeat(65)));
    }

    @Test
    void the_parts_of_a_pool_id_can_be_read() {
        PoolId pool = PoolId.parse("m-1:soup:2026-07-25");
        assertThat(pool.merchant()).isEqualTo("m-1");
        assertThat(pool.dish()).isEqualTo("soup");
        assertThat(pool.third()).contains("2026-07-25");
        assertThat(PoolId.parse("sale:sku").third()).isEmpty();
    }

    @Test
    void two_spellings_are_two_pools() {
        assertThat(PoolId.parse("AB:d")).isNotEqualTo(PoolId.parse("ab:d"));
    }

    @Test
    void a_reservation_id_is_the_truncated_digest_of_its_parts() throws Exception {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest("m-1|soup|item-1".getBytes(StandardCharsets.UTF_8));
        assertThat(ReservationIds.journalFirst("m-1", "soup", "item-1"))
                .isEqualTo(HexFormat.of().formatHex(digest).substring(0, 32));
    }

    @Test
    void parts_that_join_to_the_same_text_elsewhere_give_different_reservations() {
        assertThat(ReservationIds.journalFirst("a", "b.c", "d"))
                .isNotEqualTo(ReservationIds.journalFirst("a.b", "c", "d"));
        assertThatIllegalArgumentException().isThrownBy(() -> ReservationIds.journalFirst("a|b", "c", "d"));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, -5, Long.MIN_VALUE, 1L << 53, Long.MAX_VALUE})
    void a_quantity_is_1_to_2_to_the_53rd_minus_1(long quantity) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Terms(A.LINE, quantity, new OrderType.InstantOrder()));
        assertThatIllegalArgumentException().isThrownBy(() -> new OrderCreated("o", OptionalLong.of(quantity)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RefundRequested(Optional.empty(), "r", quantity, true));
        assertThat(new Terms(A.LINE, (1L << 53) - 1, new OrderType.InstantOrder()).quantity())
                .isPositive();
    }

    @ParameterizedTest
    @ValueSource(strings = {"order-canceled", "order-created-surplus", "declared-refunded", "", "a:b", "a b"})
    void a_caller_can_not_take_one_of_our_refund_ids_or_a_malformed_one(String id) {
        assertThatIllegalArgumentException().isThrownBy(() -> new RefundRequested(Optional.empty(), id, 1, true));
    }

    @Test
    void ids_of_a_line_follow_the_rule() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Line("m", "d", "o", "i:1", Optional.empty()));
        assertThatIllegalArgumentException().isThrownBy(() -> new Line("m", "d", "o", "i", Optional.of("u|1")));
    }

    @Test
    void books_follow_from_the_total_and_what_is_promised() {
        assertThat(Books.expected(1, 9, 10, 3, 4)).isEqualTo(new Books(1, 9, 10, 0, 3, 3, 4));
        assertThat(Books.expected(1, 9, 5, 3, 4)).isEqualTo(new Books(1, 9, 5, 2, 0, 3, 4));
        assertThat(Books.expected(1, 9, 5, 3, 4).balanced()).isTrue();
        assertThat(new Books(1, 9, 10, 0, 10, 1, 0).balanced()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"k-1", "a:b:c", "A.b_C-9", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"})
    void a_key_of_up_to_three_parts_gives_an_operation_id_that_redis_takes(String key) {
        assertThat(Ids.isOperationKey(key)).isTrue();
        assertThat(new StockPoolEffect.AdjustPool(A.POOL, 1, key, 5, 2, 0, A.POLICIES.script()).operationId())
                .isEqualTo("ADJUST:" + key)
                .matches("[A-Za-z0-9._-]{1,64}(:[A-Za-z0-9._-]{1,64}){0,3}")
                .hasSizeLessThanOrEqualTo(259);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "a b",
                "a:b:c:d",
                "a::b",
                ":a",
                "a:",
                "a\n",
                "é",
                "a/b",
                "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
            })
    void any_other_key_is_none(String key) {
        assertThat(Ids.isOperationKey(key)).isFalse();
    }

    @Test
    void an_order_is_asked_for_with_ids_that_are_ids_and_a_deadline_that_is_to_come() {
        assertThat(asking("r-1", 1, A.LATER).businessDeadline()).isEqualTo(A.LATER);
        assertThatIllegalArgumentException().isThrownBy(() -> asking("r:1", 1, A.LATER));
        assertThatIllegalArgumentException().isThrownBy(() -> asking("r-1", 0, A.LATER));
        assertThatIllegalArgumentException().isThrownBy(() -> asking("r-1", 1, A.NOW));
    }

    private static OrderCreateRequested asking(String reservationId, long quantity, Instant deadline) {
        return new OrderCreateRequested(
                "message-1", reservationId, "request-1", "sale", "sku", "user-1", quantity, A.NOW, deadline);
    }

    @Test
    void a_sale_is_refused_that_nobody_could_buy_at() {
        Instant now = Instant.parse("2026-11-29T10:00:00.123Z");
        assertThatThrownBy(() -> new Sale(0, now, now.plusMillis(1), 1)).hasMessageStartingWith("limit");
        assertThatThrownBy(() -> new Sale(1, now, now.plusMillis(1), 0)).hasMessageStartingWith("key_version");
        assertThatThrownBy(() -> new Sale(1, now, now, 1)).hasMessageStartingWith("closes_at");
        assertThatThrownBy(() -> new Sale(1, now.plusNanos(1), now.plusMillis(1), 1))
                .hasMessageStartingWith("opens_at");
        assertThatThrownBy(() -> new Sale(1, Instant.EPOCH.minusMillis(1), now, 1))
                .hasMessageStartingWith("opens_at");
        assertThatThrownBy(() -> new Sale(1, now, now.plusNanos(5), 1)).hasMessageStartingWith("closes_at");
    }
}
