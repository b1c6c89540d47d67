package io.holdfast.compensation.domain;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.compensation.domain.CompensationCommand.Approve;
import io.holdfast.compensation.domain.CompensationCommand.Compensate;
import io.holdfast.compensation.domain.CompensationCommand.Decline;
import io.holdfast.compensation.domain.CompensationCommand.FenceRead;
import io.holdfast.compensation.domain.CompensationCommand.Freeze;
import io.holdfast.compensation.domain.CompensationCommand.Resolve;
import io.holdfast.compensation.domain.CompensationCommand.ScriptAnswer;
import io.holdfast.compensation.domain.CompensationCommand.ScriptAnswered;
import io.holdfast.compensation.domain.CompensationCommand.WakeUp;
import io.holdfast.engine.machine.Decision;
import io.holdfast.engine.machine.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Lives of one compensation over a Redis that loses answers, forgets, and contradicts. A failure names its seed. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CompensationPropertyTest {

    private static final int LIVES = 20_000;
    private static final int STEPS = 16;

    @Test
    void every_random_life_keeps_the_rules() {
        for (long seed = 0; seed < LIVES; seed++) {
            try {
                new Life(new Random(seed)).live();
            } catch (AssertionError | RuntimeException broken) {
                throw new AssertionError("seed " + seed + ": " + broken.getMessage(), broken);
            }
        }
    }

    private static final class Life {
        private final Random random;
        private final CompensationMachine machine;
        private final List<CompensationEvent> journal = new ArrayList<>();
        private Compensation state;
        /** How often the units moved, and how often Redis forgot that they did. */
        private int moved;

        private int forgotten;
        private boolean applied;
        private boolean sold;
        private Asked asked = A.ASKED;

        private Life(Random random) {
            this.random = random;
            machine = new CompensationMachine(random.nextBoolean() ? A.ONE : A.TWO);
            state = machine.initial(A.KEY);
        }

        private void live() {
            for (int i = 0; i < STEPS; i++) {
                Compensation before = state;
                Decision<CompensationEvent> decision = give(command());
                check(before, decision);
            }
            theEnd();
        }

        private CompensationCommand command() {
            return switch (random.nextInt(14)) {
                case 0, 1, 2 -> new Compensate(A.CONTENT, asked);
                case 3 ->
                    journal.isEmpty()
                            ? new WakeUp()
                            : new Compensate(new Content.Release("r-1", A.POOL, 4, true, false), asked);
                // The pool is frozen: the reservation will ask from further on, and Redis may have lost what it did.
                case 4 -> {
                    asked = new Asked(random.nextInt(1_000), asked.epoch() + random.nextInt(2));
                    if (applied && random.nextBoolean()) {
                        applied = false;
                        forgotten++;
                    }
                    yield new WakeUp();
                }
                case 5 -> {
                    sold = !sold && !applied;
                    yield new WakeUp();
                }
                case 6, 7, 8, 9 -> perform().filter(_ -> random.nextInt(4) > 0).orElseGet(WakeUp::new);
                case 10 -> new Freeze(A.ADA);
                case 11 -> new Resolve(random.nextInt(3) == 0 ? A.SOLD : A.AGAIN, A.ADA);
                case 12 -> new Approve(random.nextBoolean() ? A.SOLD : A.AGAIN, random.nextBoolean() ? A.ADA : A.GRACE);
                default -> new Decline(A.GRACE);
            };
        }

        /** Does what is owed; whether anybody hears the answer is another question. */
        private Optional<CompensationCommand> perform() {
            return machine.owe(state).effects().stream().findFirst().map(effect -> switch (effect) {
                case CompensationEffect.Apply(var _, Asked from, var _) -> {
                    if (!from.equals(asked)) {
                        yield new WakeUp();
                    }
                    if (sold) {
                        yield new ScriptAnswered(from, new ScriptAnswer.Contradicts("CONFIRMED_ALREADY", Map.of()));
                    }
                    if (!applied) {
                        applied = true;
                        moved++;
                    }
                    yield new ScriptAnswered(from, new ScriptAnswer.Done(A.RELEASED));
                }
                case CompensationEffect.ReadBack(var _, Asked from, var _) ->
                    from.equals(asked) ? new FenceRead(from, applied, "read") : new WakeUp();
            });
        }

        private Decision<CompensationEvent> give(CompensationCommand command) {
            Decision<CompensationEvent> decision = machine.decide(state, command, A.NOW);
            for (CompensationEvent event : decision.events()) {
                state = machine.evolve(state, event);
                journal.add(event);
            }
            return decision;
        }

        private void check(Compensation before, Decision<CompensationEvent> decision) {
            assertThat(moved)
                    .as("moved once, and once more each time Redis forgot")
                    .isLessThanOrEqualTo(forgotten + 1);
            if (!(decision instanceof Decision.Accept<?>)) {
                assertThat(state).isEqualTo(before);
            }
            if (before instanceof Compensation.Resolved) {
                assertThat(state).as("what a person decided stands").isEqualTo(before);
            }
            if (state instanceof Compensation.Manual) {
                assertThat(machine.owe(state).isNothing()).isTrue();
            }
            if (state instanceof Compensation.Resolved(var _, var _, var _, Statement by, var approved)) {
                approved.ifPresent(second -> assertThat(second.operator()).isNotEqualTo(by.operator()));
            }
            if (state instanceof Compensation.Verified verified
                    && verified.asked().equals(asked)) {
                assertThat(applied).as("what is verified is in Redis").isTrue();
            }
            Compensation replayed = machine.initial(A.KEY);
            for (CompensationEvent event : journal) {
                replayed = machine.evolve(replayed, event);
            }
            assertThat(replayed).as("the journal adds up to the state").isEqualTo(state);
        }

        /** Redis contradicts nothing any more, and persons do what they must: whoever asks hears what it came to. */
        private void theEnd() {
            sold = false;
            Compensate again = new Compensate(A.CONTENT, asked);
            for (int i = 0; i < 20 && !(over(again)); i++) {
                give(again);
                perform().ifPresent(this::give);
                give(new Decline(A.GRACE));
                give(new Resolve(A.AGAIN, A.ADA));
                give(new Approve(A.AGAIN, A.GRACE));
            }
            assertThat(over(again)).as("it comes to an end: %s", state).isTrue();
        }

        private boolean over(Compensate again) {
            return machine.verdict(state, again) instanceof Verdict.Done && !(state instanceof Compensation.Manual);
        }
    }
}
