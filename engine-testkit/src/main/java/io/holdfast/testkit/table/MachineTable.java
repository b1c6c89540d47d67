package io.holdfast.testkit.table;

import io.holdfast.engine.effect.Effect;
import io.holdfast.engine.machine.Decision;
import io.holdfast.engine.machine.Machine;
import io.holdfast.engine.machine.Owed;
import io.holdfast.engine.machine.Refusal;
import io.holdfast.engine.machine.Verdict;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Behaviour of a machine as a table: given these events, when this command comes, then this. One row reads as a sentence:
 *
 * <pre>{@code
 * table.given(held).when(orderCreated, at).then(confirmStarted).thenState(confirming).owes(confirm).verdict(pending());
 * table.given(held, canceled).when(orderCreated, at).thenRefused(CONFLICT, conflictRecorded);
 * }</pre>
 *
 * <p>A row is counted in the coverage once its decision is checked, not when the command is given.
 */
public final class MachineTable<S, C, E, X extends Effect> {

    private final Machine<S, C, E, X> machine;
    private final String entityId;
    private final Optional<MatrixCoverage<S, C>> coverage;

    private MachineTable(Machine<S, C, E, X> machine, String entityId, Optional<MatrixCoverage<S, C>> coverage) {
        this.machine = machine;
        this.entityId = entityId;
        this.coverage = coverage;
    }

    /** A table about one entity. */
    public static <S, C, E, X extends Effect> MachineTable<S, C, E, X> of(
            Machine<S, C, E, X> machine, String entityId) {
        return new MachineTable<>(machine, entityId, Optional.empty());
    }

    /** The same table, recording the cells it checks. */
    public MachineTable<S, C, E, X> recordingIn(MatrixCoverage<S, C> cells) {
        return new MachineTable<>(machine, entityId, Optional.of(cells));
    }

    /** The entity's past. */
    @SafeVarargs
    public final Given given(E... past) {
        return new Given(List.of(past));
    }

    /** The entity's past. */
    public Given given(List<E> past) {
        return new Given(List.copyOf(past));
    }

    /** A past, waiting for a command. */
    public final class Given {
        private final List<E> past;
        private final S state;

        private Given(List<E> past) {
            this.past = past;
            S sum = machine.initial(entityId);
            for (E event : past) {
                sum = machine.evolve(sum, event);
            }
            this.state = sum;
        }

        /** A command at a moment. */
        public When when(C command, Instant now) {
            return new When(past, state, command, machine.decide(state, command, now));
        }

        /** Checks what the past adds up to. */
        public Given isState(S expected) {
            same("state", expected, state, past, "(none given)");
            return this;
        }
    }

    /** A decision, waiting to be checked. */
    public final class When {
        private final List<E> past;
        private final S before;
        private final C command;
        private final Decision<E> decision;

        private When(List<E> past, S before, C command, Decision<E> decision) {
            this.past = past;
            this.before = before;
            this.command = command;
            this.decision = decision;
        }

        /** Accepted, with exactly these events. */
        @SafeVarargs
        public final Then then(E... events) {
            return checked(Decision.accept(events));
        }

        /** Nothing happens, it had happened before. */
        public Then thenRepeat() {
            return checked(Decision.repeat());
        }

        /** Refused, with exactly these events to record it. */
        @SafeVarargs
        public final Then thenRefused(Refusal reason, E... recorded) {
            return checked(new Decision.Refuse<>(reason, List.of(recorded)));
        }

        private Then checked(Decision<E> expected) {
            same("decision", expected, decision, past, command);
            coverage.ifPresent(cells -> cells.checked(before, command));
            S after = before;
            for (E event : decision.events()) {
                after = machine.evolve(after, event);
            }
            return new Then(past, command, after);
        }
    }

    /** A checked decision; what it leads to can be checked too. */
    public final class Then {
        private final List<E> past;
        private final C command;
        private final S after;

        private Then(List<E> past, C command, S after) {
            this.past = past;
            this.command = command;
            this.after = after;
        }

        /** The state after the events of the decision. */
        public Then thenState(S expected) {
            same("state after", expected, after, past, command);
            return this;
        }

        /** Exactly these effects are owed now. */
        @SafeVarargs
        public final Then owes(X... effects) {
            same("owed effects", List.of(effects), machine.owe(after).effects(), past, command);
            return this;
        }

        /** Neither an effect nor a wake-up is owed now. */
        public Then owesNothing() {
            same("debt", Owed.nothing(), machine.owe(after), past, command);
            return this;
        }

        /** A wake-up is owed at this moment. */
        public Then wakesAt(Instant at) {
            same("wake-up", Optional.of(at), machine.owe(after).wakeAt(), past, command);
            return this;
        }

        /** What the one who gave the command is told now. */
        public Then verdict(Verdict expected) {
            same("verdict", expected, machine.verdict(after, command), past, command);
            return this;
        }
    }

    private void same(String what, Object expected, Object found, List<E> past, Object command) {
        if (!Objects.equals(expected, found)) {
            StringBuilder message = new StringBuilder(what)
                    .append(" of ")
                    .append(machine.name())
                    .append(' ')
                    .append(entityId)
                    .append("\n  expected: ")
                    .append(expected)
                    .append("\n  found:    ")
                    .append(found)
                    .append("\n  command:  ")
                    .append(command)
                    .append("\n  history:");
            S state = machine.initial(entityId);
            message.append("\n    ").append(state);
            for (E event : past) {
                state = machine.evolve(state, event);
                message.append("\n    + ").append(event).append("\n    = ").append(state);
            }
            throw new AssertionError(message.toString());
        }
    }
}
