package io.holdfast.testkit.sample;

import io.holdfast.engine.effect.Backoff;
import io.holdfast.engine.effect.Effect;
import io.holdfast.engine.effect.RetryPolicy;
import io.holdfast.engine.machine.Refusal;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/** States, commands, events, effects and refusals of the sample machine. */
public sealed interface Ticket {

    String id();

    record Free(String id) implements Ticket {}

    /** Owes the shop a purchase; a return asked for meanwhile is noted. */
    record Buying(String id, int quantity, Instant returnBy, boolean returnNoted) implements Ticket {}

    /** Held, until {@code returnBy} at the latest. */
    record Held(String id, int quantity, Instant returnBy) implements Ticket {}

    record SoldOut(String id, int quantity) implements Ticket {}

    record Returning(String id, int quantity) implements Ticket {}

    record Returned(String id, int quantity) implements Ticket {}

    sealed interface Command {
        record Buy(int quantity, Instant returnBy) implements Command {}

        record GiveBack() implements Command {}

        record BuyAnswered(boolean sold) implements Command {}

        record ReturnAnswered() implements Command {}

        record Wake() implements Command {}

        record Contradicted(String causeId) implements Command {}
    }

    sealed interface Event {
        record BuyStarted(int quantity, Instant returnBy) implements Event {}

        record ReturnNoted() implements Event {}

        record Bought() implements Event {}

        record WasSoldOut() implements Event {}

        record ReturnStarted() implements Event {}

        record ReturnDone() implements Event {}

        record ContradictionRecorded(String causeId) implements Event {}
    }

    sealed interface Call extends Effect {
        record BuyCall(String ticket, int quantity) implements Call {
            @Override
            public String operationId() {
                return "BUY:" + ticket;
            }

            @Override
            public String name() {
                return "buy";
            }
        }

        record ReturnCall(String ticket, int quantity) implements Call {
            @Override
            public String operationId() {
                return "RETURN:" + ticket;
            }

            @Override
            public String name() {
                return "return";
            }
        }

        @Override
        default RetryPolicy retry() {
            return new RetryPolicy(
                    Duration.ofSeconds(1),
                    new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5), 2, 0.2),
                    5,
                    RetryPolicy.AfterLimit.RECORD_AND_KEEP_TRYING);
        }
    }

    enum No implements Refusal {
        SOLD_OUT,
        NEVER_BOUGHT,
        RETURNED;

        @Override
        public String code() {
            return name();
        }

        @Override
        public String explanation() {
            return "The ticket is " + name().toLowerCase(Locale.ROOT).replace('_', ' ') + ".";
        }

        @Override
        public boolean retryable() {
            return this == NEVER_BOUGHT;
        }
    }
}
