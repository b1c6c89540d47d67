package io.holdfast.order.statement;

import io.holdfast.order.port.PaymentRecords.OnRecord;
import io.holdfast.order.port.PaymentStatements.Line;
import io.holdfast.order.statement.PaymentFinding.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Holds the two sides against each other. Pure. */
final class StatementComparison {

    private StatementComparison() {}

    /** What differs, payments of the provider first. */
    static List<PaymentFinding> compare(List<Line> statement, List<OnRecord> records) {
        Map<String, OnRecord> byTransaction = new LinkedHashMap<>();
        records.forEach(one -> byTransaction.put(one.payment().transaction(), one));
        List<PaymentFinding> findings = new ArrayList<>();
        for (Line line : statement) {
            Optional.ofNullable(byTransaction.remove(line.payment().transaction()))
                    .map(ours -> difference(line, ours))
                    .orElseGet(() -> Optional.of(new PaymentFinding(
                            Type.NOT_ON_RECORD, line.orderId(), line.payment(), said(line), "nothing")))
                    .ifPresent(findings::add);
        }
        byTransaction
                .values()
                .forEach(ours -> findings.add(new PaymentFinding(
                        Type.NOT_AT_PROVIDER, ours.orderId(), ours.payment(), "nothing", said(ours))));
        return findings;
    }

    private static Optional<PaymentFinding> difference(Line line, OnRecord ours) {
        if (!line.payment().equals(ours.payment()) || !line.orderId().equals(ours.orderId())) {
            return Optional.of(finding(Type.OTHER_CONTENT, line, ours));
        }
        if (line.returned() == ours.returned()) {
            return Optional.empty();
        }
        return Optional.of(finding(ours.going() ? Type.RETURN_UNDER_WAY : Type.OTHER_RETURN, line, ours));
    }

    private static PaymentFinding finding(Type type, Line line, OnRecord ours) {
        return new PaymentFinding(type, line.orderId(), line.payment(), said(line), said(ours));
    }

    private static String said(Line line) {
        return line.payment() + " for " + line.orderId() + ", of which " + line.returned() + " went back";
    }

    private static String said(OnRecord ours) {
        return ours.payment() + " for " + ours.orderId() + ", of which " + ours.returned() + " went back"
                + (ours.going() ? ", and the rest is to" : "");
    }
}
