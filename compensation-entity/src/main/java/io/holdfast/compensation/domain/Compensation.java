package io.holdfast.compensation.domain;

import io.holdfast.reservation.domain.Resolution.Ending;
import java.util.Optional;

/** Where a compensation stands. */
public sealed interface Compensation {

    /** Its key. */
    String id();

    /** Its name to the outside. */
    Status status();

    /** Names of the states, stable. */
    enum Status {
        PENDING,
        APPLYING,
        APPLIED,
        VERIFIED,
        MANUAL,
        RESOLVED,
        WITHDRAWN
    }

    /** A compensation that was asked for. */
    sealed interface Known extends Compensation {
        /** What goes back. */
        Content content();

        /** Where the reservation's journal stood when it asked last. */
        Asked asked();

        @Override
        default String id() {
            return content().key();
        }
    }

    /** Nobody asked for it yet. */
    record Pending(String id) implements Compensation {
        @Override
        public Status status() {
            return Status.PENDING;
        }
    }

    /** Owes the script. */
    record Applying(Content content, Asked asked) implements Known {
        @Override
        public Status status() {
            return Status.APPLYING;
        }
    }

    /** The script did it; owes a look at the fence. */
    record Applied(Content content, Asked asked, Result result) implements Known {
        @Override
        public Status status() {
            return Status.APPLIED;
        }
    }

    /** Done, and the fence shows it. */
    record Verified(Content content, Asked asked, Result result) implements Known {
        @Override
        public Status status() {
            return Status.VERIFIED;
        }
    }

    /** Waits for a person; owes nothing meanwhile. */
    record Manual(Content content, Asked asked, Evidence evidence, Optional<Proposal> proposal) implements Known {
        @Override
        public Status status() {
            return Status.MANUAL;
        }
    }

    /**
     * A person decided that nothing moves.
     *
     * @param ending how the reservation has ended
     * @param by who decided
     * @param approvedBy the second person, where one was needed
     */
    record Resolved(Content content, Asked asked, Ending ending, Statement by, Optional<Statement> approvedBy)
            implements Known {
        @Override
        public Status status() {
            return Status.RESOLVED;
        }
    }

    /**
     * The reservation went another way before the script was called.
     *
     * @param standing how the reservation stood
     */
    record Withdrawn(Content content, Asked asked, String standing) implements Known {
        @Override
        public Status status() {
            return Status.WITHDRAWN;
        }
    }
}
