package io.holdfast.http.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.holdfast.order.statement.StatementRun;
import java.time.Instant;
import java.util.List;

/**
 * The provider's statement held against the payments on record.
 *
 * @param compared payments the provider has
 * @param open differences that stand
 */
public record StatementView(
        Instant from,
        Instant to,
        int compared,
        long open,
        @JsonInclude(JsonInclude.Include.ALWAYS) List<FindingView> findings) {

    /**
     * A difference.
     *
     * @param remedy what may be done about it
     * @param state TOLD when its order has the payment now, else OPEN
     */
    public record FindingView(
            String type,
            @JsonProperty("class") String remedy,
            String state,
            String orderId,
            String paymentId,
            String providerTransaction,
            String atProvider,
            String onRecord) {
        static FindingView of(StatementRun.Settled settled) {
            var finding = settled.finding();
            return new FindingView(
                    finding.type().name(),
                    finding.type().remedy().name(),
                    settled.state().name(),
                    finding.orderId(),
                    finding.payment().paymentId(),
                    finding.payment().transaction(),
                    finding.atProvider(),
                    finding.onRecord());
        }
    }

    /** The wire form. */
    public static StatementView of(Instant from, Instant to, StatementRun.Report report) {
        return new StatementView(
                from,
                to,
                report.compared(),
                report.findings().stream()
                        .filter(one -> one.state() == StatementRun.State.OPEN)
                        .count(),
                report.findings().stream().map(FindingView::of).toList());
    }
}
