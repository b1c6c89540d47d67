package io.holdfast.order.statement;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.order.domain.Money;
import io.holdfast.order.domain.Payment;
import io.holdfast.order.port.PaymentRecords.OnRecord;
import io.holdfast.order.port.PaymentStatements.Line;
import io.holdfast.order.statement.PaymentFinding.Type;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** What differs between the provider's books and ours. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class StatementComparisonTest {

    private static final Payment ONE = payment("p-1", 500);
    private static final Payment TWO = payment("p-2", 700);

    private static Payment payment(String id, long amount) {
        return new Payment(id, "provider", "tx-" + id, new Money(amount, "EUR"), Instant.parse("2026-11-29T10:00:00Z"));
    }

    private static List<Type> found(List<Line> statement, List<OnRecord> records) {
        return StatementComparison.compare(statement, records).stream()
                .map(PaymentFinding::type)
                .toList();
    }

    private static Line line(Payment payment, long returned) {
        return new Line("o-1", payment, returned);
    }

    private static OnRecord record(Payment payment, long returned, boolean going) {
        return new OnRecord("o-1", payment, returned, going);
    }

    @Test
    void what_both_have_alike_is_no_difference() {
        assertThat(found(
                        List.of(line(ONE, 0), line(TWO, 200)), List.of(record(TWO, 200, false), record(ONE, 0, false))))
                .isEmpty();
        assertThat(found(List.of(line(ONE, 0)), List.of(record(ONE, 0, true)))).isEmpty();
        assertThat(found(List.of(), List.of())).isEmpty();
    }

    @Test
    void what_one_has_alone_is_a_difference() {
        assertThat(found(List.of(line(ONE, 0)), List.of())).containsExactly(Type.NOT_ON_RECORD);
        assertThat(found(List.of(), List.of(record(ONE, 0, false)))).containsExactly(Type.NOT_AT_PROVIDER);
        assertThat(found(List.of(line(ONE, 0)), List.of(record(TWO, 0, false))))
                .containsExactly(Type.NOT_ON_RECORD, Type.NOT_AT_PROVIDER);
    }

    @Test
    void another_amount_or_order_is_for_a_person() {
        assertThat(found(List.of(line(payment("p-1", 501), 0)), List.of(record(ONE, 0, false))))
                .containsExactly(Type.OTHER_CONTENT);
        assertThat(found(List.of(new Line("o-2", ONE, 0)), List.of(record(ONE, 0, false))))
                .containsExactly(Type.OTHER_CONTENT);
    }

    @Test
    void another_return_is_for_a_person_unless_it_is_under_way() {
        assertThat(found(List.of(line(ONE, 500)), List.of(record(ONE, 0, true))))
                .containsExactly(Type.RETURN_UNDER_WAY);
        assertThat(found(List.of(line(ONE, 0)), List.of(record(ONE, 500, false))))
                .containsExactly(Type.OTHER_RETURN);
        assertThat(found(List.of(line(ONE, 500)), List.of(record(ONE, 0, false))))
                .containsExactly(Type.OTHER_RETURN);
    }
}
