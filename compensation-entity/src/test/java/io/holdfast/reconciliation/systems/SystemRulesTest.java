package io.holdfast.reconciliation.systems;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.reconciliation.FindingClass;
import io.holdfast.reconciliation.systems.OrderAndHold.HoldSide;
import io.holdfast.reconciliation.systems.OrderAndHold.OrderSide;
import io.holdfast.reconciliation.systems.SystemRepair.RefundTold;
import io.holdfast.reservation.domain.Reservation.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an order and its hold mean together: the whole table. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SystemRulesTest {

    private static final String ID = "5f0c1d2e3b4a59687786958473625140";

    private static Optional<SystemFinding> judge(OrderSide order, Optional<String> hold) {
        return SystemRules.judge(new OrderAndHold(
                ID, ID, order, hold.map(status -> new HoldSide(status, Optional.of("sale:phone"), 0, 4))));
    }

    private static String word(Optional<SystemFinding> finding) {
        return finding.map(found -> found.kind() + " " + found.type()
                        + found.repair().map(repair -> " by " + repair.news()).orElse(""))
                .orElse("agrees");
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
        NONE,             WAIT UNDER_WAY,                                        WAIT UNDER_WAY,                              WAIT UNDER_WAY
        PREPARING,        WAIT UNDER_WAY,                                        WAIT UNDER_WAY,                              WAIT UNDER_WAY
        RESERVED,         REPAIR ORDER_UNKNOWN_TO_HOLD by ORDER_CREATED,         REPAIR ENDED_ORDER_HELD by ORDER_CANCELED,   REPAIR REJECTED_ORDER_HELD by ORDER_CREATED_FAILED
        CREATED_RESERVED, WAIT UNDER_WAY,                                        REPAIR ENDED_ORDER_HELD by ORDER_CANCELED,   MANUAL REJECTED_ORDER_SOLD
        CONFIRMING,       WAIT UNDER_WAY,                                        WAIT UNDER_WAY,                              MANUAL REJECTED_ORDER_SOLD
        CONFIRMED,        agrees,                                                REPAIR ENDED_ORDER_HELD by ORDER_CANCELED,   MANUAL REJECTED_ORDER_SOLD
        CANCELING,        MANUAL PAID_ORDER_GIVEN_BACK by FREEZE,                WAIT UNDER_WAY,                              WAIT UNDER_WAY
        CANCELED,         MANUAL PAID_ORDER_GIVEN_BACK by FREEZE,                agrees,                                      agrees
        REFUNDING,        WAIT UNDER_WAY,                                        WAIT UNDER_WAY,                              WAIT UNDER_WAY
        REFUNDED,         MANUAL PAID_ORDER_GIVEN_BACK by FREEZE,                agrees,                                      agrees
        REJECTED,         MANUAL PAID_ORDER_GIVEN_BACK by FREEZE,                agrees,                                      agrees
        MANUAL_REVIEW,    WAIT UNDER_WAY,                                        WAIT UNDER_WAY,                              WAIT UNDER_WAY
        """)
    void every_pair_means_one_thing(String hold, String paid, String cancelled, String rejected) {
        assertThat(word(judge(order("PAID", 0, 3), Optional.of(hold)))).isEqualTo(paid);
        assertThat(word(judge(order("CREATED", 0, 1), Optional.of(hold))))
                .isEqualTo(paid.replace("PAID_ORDER", "LIVE_ORDER").replace(" by FREEZE", ""));
        assertThat(word(judge(order("CANCELLED", 0, 2), Optional.of(hold)))).isEqualTo(cancelled);
        assertThat(word(judge(new OrderSide.Rejected("OUT_OF_FINAL_STOCK"), Optional.of(hold))))
                .isEqualTo(rejected);
    }

    @Test
    void the_table_has_every_status() {
        assertThat(Status.values()).hasSize(12);
    }

    @Test
    void a_missing_hold_proves_nothing_and_is_for_a_person_where_there_is_an_order() {
        for (String status : List.of("CREATED", "CANCEL_PENDING", "PAID", "CANCELLED", "REFUNDED")) {
            assertThat(word(judge(order(status, 0, 1), Optional.empty()))).isEqualTo("MANUAL ORDER_WITHOUT_HOLD");
        }
        assertThat(judge(new OrderSide.Rejected("BUSINESS_DEADLINE_EXCEEDED"), Optional.empty()))
                .isEmpty();
    }

    private static final RefundTold BACK = new RefundTold("f-1", 1, true);

    private static OrderSide.Order order(String status, long refunded, long version, RefundTold... refunds) {
        return new OrderSide.Order(status, refunded, version, List.of(refunds));
    }

    private static Optional<SystemFinding> judge(OrderSide order, String hold, long refunded) {
        return SystemRules.judge(new OrderAndHold(
                ID, ID, order, Optional.of(new HoldSide(hold, Optional.of("sale:phone"), refunded, 4))));
    }

    @Test
    void refunds_on_record_that_the_hold_has_not_heard_of_are_told_and_others_are_for_a_person() {
        for (String status : List.of("PAID", "REFUNDED")) {
            Optional<SystemFinding> unheard = judge(order(status, 1, 3, BACK), "CONFIRMED", 0);
            assertThat(word(unheard)).isEqualTo("REPAIR REFUNDS_DIFFER by REFUND_REQUESTED");
            assertThat(unheard.orElseThrow().repair().orElseThrow().refunds()).containsExactly(BACK);
            assertThat(word(judge(order(status, 1, 3), "CONFIRMED", 0)))
                    .as("nothing is on record that could be told")
                    .isEqualTo("MANUAL REFUNDS_DIFFER");
        }
        assertThat(word(judge(order("PAID", 0, 3), "CONFIRMED", 1))).isEqualTo("MANUAL REFUNDS_DIFFER");
        assertThat(word(judge(order("PAID", 1, 3, BACK), "CONFIRMED", 2))).isEqualTo("MANUAL REFUNDS_DIFFER");
    }

    @Test
    void what_was_refused_is_for_a_person() {
        SystemFinding found =
                judge(order("PAID", 1, 3, BACK), "CONFIRMED", 0).orElseThrow().refused();
        assertThat(word(Optional.of(found))).isEqualTo("MANUAL REFUNDS_DIFFER");
    }

    @Test
    void money_that_is_to_go_back_waits_for_an_hour() {
        List<FindingClass> classes = new ArrayList<>();
        for (long minutes : List.of(1, 59, 60, 600)) {
            classes.add(SystemRules.surplus("p-1", ID, "ORDER_CANCELLED", Duration.ofMinutes(minutes))
                    .kind());
        }
        assertThat(classes)
                .containsExactly(FindingClass.WAIT, FindingClass.WAIT, FindingClass.MANUAL, FindingClass.MANUAL);
    }

    @Test
    void the_same_difference_at_the_same_version_has_one_repair() {
        SystemRepair first = judge(order("CANCELLED", 0, 2), Optional.of("CONFIRMED"))
                .orElseThrow()
                .repair()
                .orElseThrow();
        SystemRepair again = judge(order("CANCELLED", 0, 2), Optional.of("CONFIRMED"))
                .orElseThrow()
                .repair()
                .orElseThrow();
        SystemRepair later = judge(order("CANCELLED", 0, 3), Optional.of("CONFIRMED"))
                .orElseThrow()
                .repair()
                .orElseThrow();
        assertThat(again.id()).isEqualTo(first.id()).matches("[0-9a-f]{64}");
        assertThat(later.id()).isNotEqualTo(first.id());
    }
}
