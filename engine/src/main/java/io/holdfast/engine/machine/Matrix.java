package io.holdfast.engine.machine;

import io.holdfast.engine.effect.Effect;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Every state of a machine against every command, found by running {@code decide} and {@code evolve} over samples. Says what the code does,
 * so it can't drift from it.
 */
public final class Matrix {

    private final String machine;
    private final String initial;
    private final List<String> states;
    private final List<String> commands;
    private final Map<String, Debt> debts;
    private final List<Cell> cells;

    /**
     * What a state owes.
     *
     * @param effects names of the effects
     * @param wakesUp whether it asks to be woken
     */
    public record Debt(Set<String> effects, boolean wakesUp) {
        static final Debt NOTHING = new Debt(Set.of(), false);

        public Debt {
            effects = Collections.unmodifiableSet(new LinkedHashSet<>(effects));
        }

        /** Neither an effect nor a wake-up. */
        public boolean isNothing() {
            return effects.isEmpty() && !wakesUp;
        }
    }

    private Matrix(
            String machine,
            String initial,
            List<String> states,
            List<String> commands,
            Map<String, Debt> debts,
            List<Cell> cells) {
        this.machine = machine;
        this.initial = initial;
        this.states = List.copyOf(states);
        this.commands = List.copyOf(commands);
        this.debts = debts;
        this.cells = List.copyOf(cells);
    }

    /** Runs the machine over its samples. */
    public static <S, C, E, X extends Effect> Matrix of(MachineSamples<S, C, E, X> samples) {
        Set<String> states = new LinkedHashSet<>();
        Set<String> commands = new LinkedHashSet<>();
        Map<String, Debt> debts = new LinkedHashMap<>();
        List<Cell> cells = new ArrayList<>();
        for (Sample<S> state : samples.states()) {
            String kind = kind(samples, state.value());
            states.add(kind);
            debts.put(state.named(kind), debt(samples.machine().owe(state.value())));
            for (Sample<C> command : samples.commands()) {
                String commandKind = command.value().getClass().getSimpleName();
                commands.add(commandKind);
                cells.add(new Cell(
                        kind,
                        state.named(kind),
                        commandKind,
                        command.named(commandKind),
                        result(samples, state.value(), command.value())));
            }
        }
        String initial = kind(samples, samples.machine().initial("sample"));
        return new Matrix(samples.machine().name(), initial, List.copyOf(states), List.copyOf(commands), debts, cells);
    }

    private static <S, C, E, X extends Effect> Cell.Result result(
            MachineSamples<S, C, E, X> samples, S state, C command) {
        Machine<S, C, E, X> machine = samples.machine();
        try {
            return switch (machine.decide(state, command, samples.now())) {
                case Decision.Accept<E>(var events) -> {
                    String before = kind(samples, state);
                    List<String> path = new ArrayList<>();
                    S next = state;
                    for (E event : events) {
                        next = machine.evolve(next, event);
                        String kind = kind(samples, next);
                        if (!kind.equals(path.isEmpty() ? before : path.getLast())) {
                            path.add(kind);
                        }
                    }
                    Verdict verdict = machine.verdict(next, command);
                    yield kind(samples, next).equals(before)
                            ? new Cell.Result.Noted(names(events), verdict)
                            : new Cell.Result.Moves(names(events), path, verdict);
                }
                case Decision.Repeat<E>() -> new Cell.Result.Repeats(machine.verdict(state, command));
                case Decision.Refuse<E>(var reason, var events) -> {
                    S next = state;
                    for (E event : events) {
                        next = machine.evolve(next, event);
                    }
                    yield new Cell.Result.Refuses(reason.code(), names(events));
                }
            };
        } catch (RuntimeException | AssertionError broken) {
            String message = broken.getMessage();
            return new Cell.Result.Breaks(broken.getClass().getSimpleName() + (message == null ? "" : ": " + message));
        }
    }

    private static <S> String kind(MachineSamples<S, ?, ?, ?> samples, S state) {
        return samples.kindOf(state).getClass().getSimpleName();
    }

    private static Debt debt(Owed<?> owed) {
        Set<String> names = new LinkedHashSet<>();
        owed.effects().forEach(effect -> names.add(effect.name()));
        return new Debt(names, owed.wakeAt().isPresent());
    }

    private static Debt both(Debt one, Debt other) {
        Set<String> names = new LinkedHashSet<>(one.effects());
        names.addAll(other.effects());
        return new Debt(names, one.wakesUp() || other.wakesUp());
    }

    private static <E> List<String> names(List<E> events) {
        return events.stream().map(event -> event.getClass().getSimpleName()).toList();
    }

    /** Name of the machine. */
    public String machine() {
        return machine;
    }

    /** Kind of state of an entity without a past. */
    public String initial() {
        return initial;
    }

    /** Kinds of state, in the order of the samples. */
    public List<String> states() {
        return states;
    }

    /** Kinds of command, in the order of the samples. */
    public List<String> commands() {
        return commands;
    }

    /** One cell per state sample and command sample. */
    public List<Cell> cells() {
        return cells;
    }

    /** What a kind of state owes, over all its samples. */
    public Debt owedIn(String state) {
        return cells.stream()
                .filter(cell -> cell.state().equals(state))
                .map(cell -> owedInSample(cell.stateSample()))
                .reduce(Debt.NOTHING, Matrix::both);
    }

    /** What one sample of a state owes. */
    public Debt owedInSample(String stateSample) {
        return debts.getOrDefault(stateSample, Debt.NOTHING);
    }

    /** Kinds of state that owe nothing and that no command of the samples moves on. */
    public List<String> finalStates() {
        return states.stream()
                .filter(state -> owedIn(state).isNothing())
                .filter(state -> cells.stream()
                        .noneMatch(cell -> cell.state().equals(state) && cell.result() instanceof Cell.Result.Moves))
                .toList();
    }

    /** Every move from one kind of state to another, with the commands that make it, in the order of the samples. */
    public List<Transition> transitions() {
        record Way(String from, String to) {}
        Map<Way, Set<String>> ways = new LinkedHashMap<>();
        for (Cell cell : cells) {
            if (cell.result() instanceof Cell.Result.Moves moves) {
                ways.computeIfAbsent(new Way(cell.state(), moves.next()), _ -> new LinkedHashSet<>())
                        .add(cell.command());
            }
        }
        List<Transition> transitions = new ArrayList<>();
        ways.forEach((way, by) -> transitions.add(new Transition(way.from(), way.to(), List.copyOf(by))));
        return transitions;
    }

    /**
     * A move from one kind of state to another.
     *
     * @param from kind of state before
     * @param to kind of state after
     * @param commands kinds of command that make the move, at least in one sample
     */
    public record Transition(String from, String to, List<String> commands) {
        public Transition {
            commands = List.copyOf(commands);
        }
    }
}
