package io.holdfast.simulation.world;

import io.holdfast.engine.effect.Effect;
import io.holdfast.engine.machine.Decision;
import io.holdfast.engine.machine.Machine;
import io.holdfast.engine.machine.MachineSamples;
import io.holdfast.engine.machine.Owed;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.domain.StockPoolCommand;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which cells of each machine's matrix, a kind of command in a kind of state, were reached. Not safe for use by many threads; those of many
 * are put together.
 */
public final class Coverage {

    private final Map<String, Set<Cell>> reached = new TreeMap<>();
    private final Map<String, Set<Cell>> cells = new TreeMap<>();
    private final Map<String, Set<Cell>> outOfReach = new TreeMap<>();
    private final boolean notes;

    private record Cell(Class<?> state, Class<?> command) {
        @Override
        public String toString() {
            return command.getSimpleName() + " in " + state.getSimpleName();
        }
    }

    private Coverage(boolean notes) {
        this.notes = notes;
    }

    /** Nothing reached yet. */
    public static Coverage begun() {
        return new Coverage(true);
    }

    /** For worlds whose cells nobody wants to know. */
    public static Coverage none() {
        return new Coverage(false);
    }

    /** The machine, with what it is asked noted. */
    <S, C, E, X extends Effect> Machine<S, C, E, X> watched(
            Machine<S, C, E, X> machine, MachineSamples<S, C, E, X> samples) {
        if (!notes) {
            return machine;
        }
        Set<Cell> mine = reached.computeIfAbsent(machine.name(), _ -> new HashSet<>());
        cells.computeIfAbsent(machine.name(), _ -> all(samples));
        outOfReach.computeIfAbsent(machine.name(), name -> {
            Reach reach = new Reach(samples);
            Set<Cell> out = new HashSet<>(cells.get(name));
            out.removeIf(cell -> !reach.isOutOfReach(cell.state(), cell.command()));
            return out;
        });
        return new Watched<>(machine, samples, mine);
    }

    private static Set<Cell> all(MachineSamples<?, ?, ?, ?> samples) {
        Set<Cell> all = new HashSet<>();
        for (Class<?> state : MachineSamples.kinds(samples.stateType())) {
            for (Class<?> command : MachineSamples.kinds(samples.commandType())) {
                all.add(new Cell(state, command));
            }
        }
        return all;
    }

    private record Watched<S, C, E, X extends Effect>(
            Machine<S, C, E, X> machine, MachineSamples<S, C, E, X> samples, Set<Cell> cells)
            implements Machine<S, C, E, X> {

        @Override
        public String name() {
            return machine.name();
        }

        @Override
        public S initial(String entityId) {
            return machine.initial(entityId);
        }

        @Override
        public Decision<E> decide(S state, C command, Instant now) {
            note(state, command);
            // What it answers is decided too.
            if (command instanceof ReservationCommand.AnsweredUnder answered) {
                note(state, answered.outcome());
            }
            if (command instanceof StockPoolCommand.AnsweredUnder answered) {
                note(state, answered.outcome());
            }
            return machine.decide(state, command, now);
        }

        private void note(S state, Object command) {
            cells.add(new Cell(samples.kindOf(state).getClass(), command.getClass()));
        }

        @Override
        public S evolve(S state, E event) {
            return machine.evolve(state, event);
        }

        @Override
        public Owed<X> owe(S state) {
            return machine.owe(state);
        }

        @Override
        public Verdict verdict(S state, C command) {
            return machine.verdict(state, command);
        }

        @Override
        public C wakeUp() {
            return machine.wakeUp();
        }

        @Override
        public C contradicted(String causeId) {
            return machine.contradicted(causeId);
        }
    }

    /** Adds what another one has. */
    public void add(Coverage other) {
        other.reached.forEach((machine, its) ->
                reached.computeIfAbsent(machine, _ -> new HashSet<>()).addAll(its));
        other.cells.forEach(cells::putIfAbsent);
        other.outOfReach.forEach(outOfReach::putIfAbsent);
    }

    /** Names of the machines. */
    public Set<String> machines() {
        return new TreeSet<>(cells.keySet());
    }

    /** How many cells the matrix of a machine has. */
    public int cells(String machine) {
        return of(cells, machine).size();
    }

    /** How many of them no fleet comes to, whatever goes wrong in it. */
    public int outOfReach(String machine) {
        return of(outOfReach, machine).size();
    }

    /** How many of them were reached. */
    public int reached(String machine) {
        return of(reached, machine).size();
    }

    /** Cells of it that a fleet can come to and that were not reached, by name. */
    public Set<String> missed(String machine) {
        Set<Cell> missed = new HashSet<>(of(cells, machine));
        missed.removeAll(of(outOfReach, machine));
        missed.removeAll(of(reached, machine));
        return names(missed);
    }

    /** Cells of it that were reached and that no fleet comes to: then what says so is wrong. */
    public Set<String> wronglyOutOfReach(String machine) {
        Set<Cell> both = new HashSet<>(of(outOfReach, machine));
        both.retainAll(of(reached, machine));
        return names(both);
    }

    private static Set<Cell> of(Map<String, Set<Cell>> cells, String machine) {
        return cells.getOrDefault(machine, Set.of());
    }

    private static Set<String> names(Set<Cell> cells) {
        Set<String> names = new TreeSet<>();
        cells.forEach(cell -> names.add(cell.toString()));
        return names;
    }
}
