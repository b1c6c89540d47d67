package io.holdfast.engine.entity;

import io.holdfast.engine.effect.Backoff;
import io.holdfast.engine.effect.Effect;
import io.holdfast.engine.effect.RetryPolicy;
import io.holdfast.engine.effect.RetryPolicy.AfterLimit;
import io.holdfast.engine.machine.Refusal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A machine for tests that uses everything the engine offers: a parcel is packed, shipped by somebody else, and asked after. */
public final class Parcel {

    private Parcel() {}

    public sealed interface State {
        record Empty() implements State {}

        /** Owes the shipping. */
        record Packing(String item, Optional<Instant> askAfter, boolean careful, List<String> notes) implements State {}

        /** Asks after the parcel at a time, if any. */
        record Shipped(String tracking, Optional<Instant> askAfter, int asked) implements State {}

        record Rejected(String why) implements State {}

        /** Under review: owes nothing. */
        record Marked(String causeId) implements State {}
    }

    public sealed interface Command {
        /**
         * Packs the parcel.
         *
         * @param careful parks instead of trying on when the carrier keeps failing
         */
        record Pack(String item, Optional<Instant> askAfter, boolean careful) implements Command {}

        record Note(String text) implements Command {}

        record Cancel() implements Command {}

        /** The carrier has it. */
        record Taken(String tracking) implements Command {}

        record NotTaken(String why) implements Command {}

        /** An answer of the carrier that settles nothing. */
        record Noise() implements Command {}

        record AskAfter() implements Command {}

        record Contradicted(String causeId) implements Command {}

        record Explode() implements Command {}
    }

    public sealed interface Event {
        record Packed(String item, Optional<Instant> askAfter, boolean careful) implements Event {}

        record Noted(String text) implements Event {}

        record CancelDenied(int state) implements Event {}

        record ShippedOut(String tracking) implements Event {}

        record ShippingRejected(String why) implements Event {}

        record Asked(Optional<Instant> again) implements Event {}

        record MarkedForReview(String causeId) implements Event {}
    }

    public enum No implements Refusal {
        TOO_LATE("It is packed already.", false),
        NOTHING_PACKED("There is nothing to cancel.", true),
        NO_CARRIER("No carrier takes it.", false);

        private final String explanation;
        private final boolean retryable;

        No(String explanation, boolean retryable) {
            this.explanation = explanation;
            this.retryable = retryable;
        }

        @Override
        public String code() {
            return name();
        }

        @Override
        public String explanation() {
            return explanation;
        }

        @Override
        public boolean retryable() {
            return retryable;
        }
    }

    public record Ship(String operationId, String item, boolean careful) implements Effect {
        public static final Backoff BACKOFF = new Backoff(Duration.ofMillis(100), Duration.ofMillis(1000), 2, 0);

        @Override
        public String name() {
            return "ship";
        }

        @Override
        public RetryPolicy retry() {
            return new RetryPolicy(
                    Duration.ofMillis(500),
                    BACKOFF,
                    3,
                    careful ? AfterLimit.RECORD_AND_PARK : AfterLimit.RECORD_AND_KEEP_TRYING);
        }
    }
}
