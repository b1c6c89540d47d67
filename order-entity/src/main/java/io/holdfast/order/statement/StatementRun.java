package io.holdfast.order.statement;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.engine.runtime.Entities;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.order.domain.Order;
import io.holdfast.order.domain.OrderCommand;
import io.holdfast.order.domain.OrderFact;
import io.holdfast.order.port.PaymentRecords;
import io.holdfast.order.port.PaymentStatements;
import io.holdfast.order.statement.PaymentFinding.Remedy;
import io.holdfast.reservation.entity.Outcomes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Compares a stretch of the provider's statement with the payments on record, and has orders told of payments that nobody told them of. The
 * order decides what such a payment is, as of any; told twice it knows it already. Nothing else is ever put right here.
 */
public final class StatementRun {

    private final String provider;
    private final PaymentStatements statements;
    private final PaymentRecords records;
    private final Entities<Order, OrderCommand> orders;

    /** @param provider as payments name it */
    public StatementRun(
            String provider,
            PaymentStatements statements,
            PaymentRecords records,
            Entities<Order, OrderCommand> orders) {
        this.provider = provider;
        this.statements = statements;
        this.records = records;
        this.orders = orders;
    }

    /** What became of a difference. */
    public enum State {
        /** Its order has the payment in its journal now. */
        TOLD,
        /** It stands. */
        OPEN
    }

    /** A difference, and what became of it. */
    public record Settled(PaymentFinding finding, State state) {}

    /**
     * What a run came to.
     *
     * @param compared payments the provider has
     */
    public record Report(int compared, List<Settled> findings) {
        public Report {
            findings = List.copyOf(findings);
        }
    }

    /**
     * Compares.
     *
     * @param repair whether orders are told of payments they do not know
     * @return Unavailable where one side can't be read now
     */
    public CompletionStage<Outcome<Report>> between(Instant from, Instant to, boolean repair, String caller) {
        // The provider first: what is put on record meanwhile is then on record.
        return Outcomes.then(
                statements.between(from, to),
                statement -> Outcomes.then(records.between(provider, from, to), ours -> {
                    List<PaymentFinding> findings = StatementComparison.compare(statement, ours);
                    return settle(findings, repair, caller)
                            .thenApply(settled -> Outcome.known(new Report(statement.size(), settled)));
                }));
    }

    /** One after the other: there are few, and orders have other work. */
    private CompletionStage<List<Settled>> settle(List<PaymentFinding> findings, boolean repair, String caller) {
        CompletionStage<List<Settled>> all = CompletableFuture.completedFuture(new ArrayList<>());
        for (PaymentFinding finding : findings) {
            all = all.thenCompose(settled -> unlessUnderWay(finding)
                    .thenCompose(found -> settle(found, repair, caller).thenApply(state -> {
                        settled.add(new Settled(found, state));
                        return settled;
                    })));
        }
        return all;
    }

    /** A refund that its order is carrying out is at the provider first, and on record when it is done. */
    private CompletionStage<PaymentFinding> unlessUnderWay(PaymentFinding finding) {
        if (finding.type() != PaymentFinding.Type.OTHER_RETURN) {
            return CompletableFuture.completedFuture(finding);
        }
        return orders.look(finding.orderId())
                .thenApply(outcome -> outcome instanceof Outcome.Known<Reply<Order>>(Reply<Order> reply)
                                && reply.state() instanceof Order.Refunding refunding
                                && refunding
                                        .purchase()
                                        .paymentId()
                                        .equals(finding.payment().paymentId())
                        ? finding.underWay()
                        : finding);
    }

    private CompletionStage<State> settle(PaymentFinding finding, boolean repair, String caller) {
        if (!repair || finding.type().remedy() != Remedy.REPAIR) {
            return CompletableFuture.completedFuture(State.OPEN);
        }
        var cause = new Cause(
                "statement " + provider + " " + finding.payment().transaction(),
                "",
                Cause.Kind.OPERATOR,
                caller,
                java.util.Optional.empty());
        return orders.ask(finding.orderId(), cause, new OrderFact.PaymentSucceeded(finding.payment()), Duration.ZERO)
                .thenApply(outcome -> outcome instanceof Outcome.Known<Reply<Order>>(Reply<Order> reply)
                                && !(reply.verdict() instanceof Verdict.Refused)
                        ? State.TOLD
                        : State.OPEN);
    }
}
