package io.holdfast.reservation.domain;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** One hold of one pool for one order line: its states. */
public sealed interface Reservation {

    /** Reservation id. */
    String id();

    /** The status as shown: the state's name, or that a person must look. */
    Status status();

    /** What everybody calls the states. */
    enum Status {
        NONE,
        PREPARING,
        RESERVED,
        CREATED_RESERVED,
        CONFIRMING,
        CONFIRMED,
        CANCELING,
        CANCELED,
        REFUNDING,
        REFUNDED,
        REJECTED,
        MANUAL_REVIEW
    }

    /** A state without the review mark. */
    sealed interface Unmarked extends Reservation {}

    /** A state that knows what was asked for. */
    sealed interface Claimed extends Unmarked {
        /** What was asked for. */
        Claim claim();

        @Override
        default String id() {
            return claim().id();
        }
    }

    /** A state in which units are, or were, held. */
    sealed interface Accounted extends Claimed {
        /** Where the units went. */
        Account account();
    }

    /**
     * Never asked for.
     *
     * @param noted facts that came before the request: first an OrderCreated, then what is of other orders. The request will say which
     *     order it is of; an end of the first one's order ends it without a request.
     * @param refused facts that moved nothing
     * @param attentionAt when a request that has not come is reported, once an order is known
     * @param overdue whether it has been
     */
    record None(String id, List<Fact> noted, List<RefusedFact> refused, Optional<Instant> attentionAt, boolean overdue)
            implements Unmarked {
        public None {
            noted = List.copyOf(noted);
            refused = List.copyOf(refused);
        }

        @Override
        public Status status() {
            return Status.NONE;
        }
    }

    /**
     * Asked for; owes the Try.
     *
     * @param noted facts that wait for its outcome
     * @param refused facts that moved nothing
     */
    record Preparing(Claim claim, List<Fact> noted, List<RefusedFact> refused) implements Claimed {
        public Preparing {
            noted = List.copyOf(noted);
            refused = List.copyOf(refused);
        }

        @Override
        public Status status() {
            return Status.PREPARING;
        }
    }

    /**
     * Held; the fate of the order is open.
     *
     * @param overdue whether it has been reported that the fate is unknown for too long
     * @param inquiry how far the order domain has been asked for it since
     */
    record Reserved(Claim claim, Account account, boolean overdue, Optional<Inquiry> inquiry) implements Accounted {
        static Reserved fresh(Claim claim, Account account) {
            return new Reserved(claim, account, false, Optional.empty());
        }

        Reserved overdue(Inquiry now) {
            return new Reserved(claim, account, true, Optional.of(now));
        }

        @Override
        public Status status() {
            return Status.RESERVED;
        }
    }

    /** The scheduled order exists; held until its processing time. */
    record CreatedReserved(Claim claim, Account account, Instant processingTime) implements Accounted {
        @Override
        public Status status() {
            return Status.CREATED_RESERVED;
        }
    }

    /** The order exists and takes its units; owes the Confirm of {@link Account#remaining()}. */
    record Confirming(Claim claim, Account account, List<Fact> noted) implements Accounted {
        public Confirming {
            noted = List.copyOf(noted);
        }

        @Override
        public Status status() {
            return Status.CONFIRMING;
        }
    }

    /**
     * Sold.
     *
     * @param confirmed units that became sold when it was confirmed
     */
    record Confirmed(Claim claim, Account account, long confirmed) implements Accounted {
        @Override
        public Status status() {
            return Status.CONFIRMED;
        }
    }

    /** The order will never exist; owes the release. */
    record Canceling(Claim claim, Account account, Cancellation cancellation, List<Fact> noted) implements Accounted {
        public Canceling {
            noted = List.copyOf(noted);
        }

        @Override
        public Status status() {
            return Status.CANCELING;
        }
    }

    /**
     * Ended without an order, or before it was asked for.
     *
     * @param claim empty for a tombstone: the end came before the request
     * @param account empty when nothing was ever held
     * @param refused facts that moved nothing
     * @param lateAdmission of a tombstone: an admission that goes back; of any other it is with the claim
     */
    record Canceled(
            String id,
            Optional<Claim> claim,
            Optional<Account> account,
            Cancellation cancellation,
            List<RefusedFact> refused,
            Optional<LateAdmission> lateAdmission)
            implements Unmarked {
        public Canceled {
            refused = List.copyOf(refused);
        }

        /** Where nothing came late. */
        public Canceled(
                String id,
                Optional<Claim> claim,
                Optional<Account> account,
                Cancellation cancellation,
                List<RefusedFact> refused) {
            this(id, claim, account, cancellation, refused, Optional.empty());
        }

        @Override
        public Status status() {
            return Status.CANCELED;
        }
    }

    /**
     * Units of the order go back; owes the refund.
     *
     * @param refund the one being carried out
     * @param origin where it came from, hence where it goes while units remain
     * @param confirmed units that became sold, if it had been confirmed
     */
    record Refunding(
            Claim claim, Account account, Refund refund, Origin origin, OptionalLong confirmed, List<Fact> noted)
            implements Accounted {
        public Refunding {
            noted = List.copyOf(noted);
        }

        @Override
        public Status status() {
            return Status.REFUNDING;
        }
    }

    /** Where a refund came from. */
    enum Origin {
        RESERVED,
        CREATED_RESERVED,
        CONFIRMED
    }

    /** Everything the order had went back. */
    record Refunded(Claim claim, Account account, OptionalLong confirmed) implements Accounted {
        @Override
        public Status status() {
            return Status.REFUNDED;
        }
    }

    /**
     * Nothing was held.
     *
     * @param books the pool's numbers when the hold was denied
     * @param refused facts that moved nothing
     */
    record Rejected(Claim claim, DenialReason reason, Books books, List<RefusedFact> refused) implements Claimed {
        public Rejected {
            refused = List.copyOf(refused);
        }

        @Override
        public Status status() {
            return Status.REJECTED;
        }
    }

    /**
     * The review mark beside a state: it owes nothing until a person lifts the mark, except to ask its compensation where that is what waits
     * for a person.
     *
     * @param state the kept state; its own noted facts come before {@code noted}
     * @param noted facts that came since
     */
    record UnderReview(Unmarked state, Review review, List<Fact> noted) implements Reservation {
        public UnderReview {
            noted = List.copyOf(noted);
        }

        @Override
        public String id() {
            return state.id();
        }

        @Override
        public Status status() {
            return Status.MANUAL_REVIEW;
        }

        /** Whether it is its compensation that waits for a person. */
        public boolean awaitsCompensation() {
            return review.trigger() == Review.Trigger.COMPENSATION;
        }

        /** What a person may decide here; anything else contradicts the state that is kept, or is decided at the compensation. */
        public List<Resolution> resolutions() {
            return awaitsCompensation() ? List.of() : allowed();
        }

        private List<Resolution> allowed() {
            return Stream.concat(
                            Stream.<Resolution>of(new Resolution.Continue()),
                            Stream.of(Resolution.Ending.values())
                                    .filter(ending -> ReservationFold.canStandAs(state, ending))
                                    .map(Resolution.StandAs::new))
                    .toList();
        }
    }

    /** The state without its mark. */
    default Unmarked unmarked() {
        return switch (this) {
            case UnderReview marked -> marked.state();
            case Unmarked state -> state;
        };
    }

    /** What was asked for, once it has been. */
    default Optional<Claim> asked() {
        return switch (unmarked()) {
            case None _ -> Optional.empty();
            case Canceled canceled -> canceled.claim();
            case Claimed claimed -> Optional.of(claimed.claim());
        };
    }

    /** An admission besides what it holds, which goes back, or went. */
    default Optional<LateAdmission> late() {
        return switch (unmarked()) {
            case None _ -> Optional.empty();
            case Canceled canceled -> canceled.claim().flatMap(Claim::late).or(canceled::lateAdmission);
            case Claimed claimed -> claimed.claim().late();
        };
    }

    /**
     * Whether it is a hold that a gate let in and that was never handed off: nobody has confirmed since it was journaled that Redis has its
     * fence, and its order was not asked for.
     */
    default boolean isProvisional() {
        return unmarked() instanceof Reserved reserved
                && reserved.claim()
                        .admission()
                        .filter(admission -> admission.stage() == Admission.Stage.LISTED)
                        .isPresent();
    }

    /** The order it is known to be of: by what was asked for, else by what ended it, else by the first news of it. */
    default Optional<String> order() {
        return switch (unmarked()) {
            case None none -> none.noted().stream().findFirst().flatMap(Fact::order);
            case Canceled canceled ->
                canceled.claim().map(claim -> claim.terms().line().orderId()).or(canceled.cancellation()::orderId);
            case Claimed claimed -> Optional.of(claimed.claim().terms().line().orderId());
        };
    }

    /** Where the units went, once some were held. */
    default Optional<Account> units() {
        return switch (unmarked()) {
            case None _, Preparing _, Rejected _ -> Optional.empty();
            case Canceled canceled -> canceled.account();
            case Accounted accounted -> Optional.of(accounted.account());
        };
    }

    /** Numbers of the pool after its latest operation, as far as that is known. */
    default Optional<Books> latestBooks() {
        return switch (unmarked()) {
            case None _, Preparing _ -> Optional.empty();
            case Rejected rejected -> Optional.of(rejected.books());
            case Canceled canceled -> canceled.account().map(Account::latest);
            case Accounted accounted -> Optional.of(accounted.account().latest());
        };
    }

    /** Facts that moved nothing, in order of arrival. */
    default List<RefusedFact> refusedFacts() {
        return switch (unmarked()) {
            case None none -> none.refused();
            case Preparing preparing -> preparing.refused();
            case Rejected rejected -> rejected.refused();
            case Canceled canceled -> canceled.refused();
            case Accounted accounted -> accounted.account().refused();
        };
    }

    /** The review it is under, if any. */
    default Optional<Review> underReview() {
        return this instanceof UnderReview marked ? Optional.of(marked.review()) : Optional.empty();
    }
}
