package io.holdfast.engine.machine;

/** What someone who gave a command is told about it. */
public sealed interface Verdict {

    /** Accepted, and not settled: the machine still owes or waits for what decides it. */
    record Pending() implements Verdict {}

    /** It took effect; the state says how. */
    record Done() implements Verdict {}

    /** It did not, and will not. */
    record Refused(Refusal reason) implements Verdict {}

    /** Accepted, not settled. */
    static Verdict pending() {
        return new Pending();
    }

    /** Took effect. */
    static Verdict done() {
        return new Done();
    }

    /** Did not take effect, for this reason. */
    static Verdict refused(Refusal reason) {
        return new Refused(reason);
    }
}
