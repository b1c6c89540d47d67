package io.holdfast.node;

import io.holdfast.engine.audit.AuditLine;
import io.holdfast.engine.audit.AuditTrail;
import io.holdfast.engine.machine.Cause;
import java.io.PrintStream;

/** An audit as text for people. */
final class AuditText {

    private AuditText() {}

    static void print(AuditTrail<?> trail, PrintStream out) {
        out.println(trail.persistenceId());
        for (AuditLine line : trail.lines()) {
            switch (line) {
                case AuditLine.Step step -> {
                    out.printf("%4d  %s  %s%n", step.sequenceNumber(), step.at(), step.type());
                    out.println("      because  " + because(step.cause()));
                    if (!step.data().isEmpty()) {
                        out.println("      event    " + step.data());
                    }
                    step.after()
                            .ifPresent(after -> out.println("      state    " + after.name() + " " + after.content()));
                    step.wakeAt().ifPresent(at -> out.println("      look at  " + at));
                }
                case AuditLine.Missing missing ->
                    out.printf(
                            "%4d  MISSING up to %d: the state after it can't be known%n",
                            missing.sequenceNumber(), missing.last());
                case AuditLine.Broken broken ->
                    out.printf(
                            "%4d  BROKEN: %s%n      stored   %s%n",
                            broken.sequenceNumber(), broken.why(), broken.stored());
            }
        }
        trail.end()
                .ifPresent(end -> out.println("ends as  "
                        + end.state().getClass().getSimpleName() + " after " + end.sequenceNumber() + " entries"));
    }

    private static String because(Cause cause) {
        return cause.kind() + " " + cause.id() + " by " + cause.actor()
                + cause.traceId().map(trace -> ", trace " + trace).orElse("");
    }
}
