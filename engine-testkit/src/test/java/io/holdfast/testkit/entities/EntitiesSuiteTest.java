package io.holdfast.testkit.entities;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.engine.runtime.EffectPerformer;
import io.holdfast.engine.runtime.Entities;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.testkit.sample.Ticket;
import io.holdfast.testkit.sample.Ticket.Call;
import io.holdfast.testkit.sample.Ticket.Command;
import io.holdfast.testkit.suite.SuiteFailsOnNothing;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class EntitiesSuiteTest {

    @Test
    void every_test_fails_over_entities_that_never_answer() {
        SuiteFailsOnNothing.check(NeverAnswering.class);
    }

    @Test
    void every_test_fails_over_entities_that_say_yes_and_do_nothing() {
        SuiteFailsOnNothing.check(SayingYes.class);
    }

    abstract static class DoingNothing extends EntitiesConformance {

        private final Function<String, Outcome<Reply<Ticket>>> answer;

        DoingNothing(Function<String, Outcome<Reply<Ticket>>> answer) {
            this.answer = answer;
        }

        @Override
        protected Entities<Ticket, Command> over(EffectPerformer<Call, Command> outside) {
            return new Entities<>() {
                @Override
                public CompletionStage<Outcome<Reply<Ticket>>> ask(
                        String entityId, Cause cause, Command command, Duration patience) {
                    return CompletableFuture.completedFuture(answer.apply(entityId));
                }

                @Override
                public CompletionStage<Outcome<Reply<Ticket>>> look(String entityId) {
                    return CompletableFuture.completedFuture(answer.apply(entityId));
                }
            };
        }

        @Override
        protected <T> T when(CompletionStage<T> stage) {
            return stage.toCompletableFuture().join();
        }

        @Override
        protected void until(BooleanSupplier so) {
            if (!so.getAsBoolean()) {
                throw new AssertionError("it will never be so");
            }
        }

        @Override
        protected Instant now() {
            return Instant.EPOCH;
        }

        @Override
        protected void lose(String entityId) {}
    }

    static class NeverAnswering extends DoingNothing {
        NeverAnswering() {
            super(_ -> Outcome.unknown("no answer"));
        }
    }

    static class SayingYes extends DoingNothing {
        SayingYes() {
            super(id ->
                    Outcome.known(new Reply<>(id, 7, Verdict.done(), false, new Ticket.SoldOut("none", 1), List.of())));
        }
    }
}
