package io.holdfast.engine.entity;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.entity.Parcel.Command;
import io.holdfast.engine.entity.Parcel.Event;
import io.holdfast.engine.entity.Parcel.Ship;
import io.holdfast.engine.entity.Parcel.State;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.machine.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Runs a core by hand: keeps its journal and its clocks, and remembers what it wanted done. */
final class ParcelDriver {

    static final String ID = "p-1";
    static final Instant START = Instant.parse("2026-03-01T12:00:00Z");
    static final CoreLimits LIMITS = new CoreLimits(
            2, Duration.ofMinutes(2), Duration.ofSeconds(5), Duration.ofSeconds(10), Duration.ofSeconds(2));

    final ParcelMachine machine = new ParcelMachine();
    final List<Entry<Event>> journal = new ArrayList<>();
    final List<Step<State, Event, Ship, String>> steps = new ArrayList<>();
    final Map<String, Answer<State>> answers = new HashMap<>();
    Instant now = START;
    long millis = 1_000_000;
    private EntityCore<State, Command, Event, Ship, String> core;

    ParcelDriver() {
        core = fromJournal();
        run(core.recovered(moment(), 0.5));
    }

    /** The process died and another one reads the journal. */
    ParcelDriver restart() {
        core = fromJournal();
        millis += 7_777;
        run(core.recovered(moment(), 0.5));
        return this;
    }

    private EntityCore<State, Command, Event, Ship, String> fromJournal() {
        Entity<State> entity = Entity.fresh(machine, ID);
        for (var entry : journal) {
            entity = entity.after(machine, entry);
        }
        return new EntityCore<>(machine, LIMITS, entity);
    }

    Moment moment() {
        return new Moment(now, millis);
    }

    Entity<State> entity() {
        return core.entity();
    }

    EntityCore<State, Command, Event, Ship, String> core() {
        return core;
    }

    /** Gives an input, journals what is to be journaled, and returns all steps in order. */
    List<Step<State, Event, Ship, String>> give(Input<Command, String> input) {
        List<Step<State, Event, Ship, String>> first = core.on(input, moment(), 0.5);
        List<Step<State, Event, Ship, String>> all = new ArrayList<>(first);
        run(first);
        if (core.persisting()) {
            var then = core.persisted(moment(), 0.5);
            all.addAll(then);
            run(then);
        }
        return all;
    }

    /** Gives an input up to the moment its entries would be journaled, and returns the steps. */
    List<Step<State, Event, Ship, String>> giveWithoutJournal(Input<Command, String> input) {
        return core.on(input, moment(), 0.5);
    }

    private void run(List<Step<State, Event, Ship, String>> done) {
        steps.addAll(done);
        for (var step : done) {
            if (step instanceof Step.Persist<State, Event, Ship, String>(var entries)) {
                journal.addAll(entries);
            }
            if (step instanceof Step.Tell<State, Event, Ship, String>(String asker, var answer)) {
                if (answers.put(asker, answer) != null) {
                    throw new AssertionError(asker + " was told twice");
                }
            }
        }
    }

    List<Step<State, Event, Ship, String>> ask(String asker, Cause cause, Command command, Duration patience) {
        return give(new Input.Asked<>(ID, cause, command, patience, asker));
    }

    List<Step<State, Event, Ship, String>> ask(String asker, Cause cause, Command command) {
        return ask(asker, cause, command, Duration.ofSeconds(3));
    }

    List<Step<State, Event, Ship, String>> pack(String asker) {
        return ask(asker, request("k-1", "h-1"), new Command.Pack("vase", Optional.empty(), false));
    }

    List<Step<State, Event, Ship, String>> ended(int attempt, Outcome<Command> outcome) {
        return give(new Input.AttemptEnded<>("SHIP:vase", attempt, outcome));
    }

    List<Step<State, Event, Ship, String>> taken(int attempt) {
        return ended(attempt, Outcome.known(new Command.Taken("T-9")));
    }

    /** Lets time pass and gives one alarm. */
    List<Step<State, Event, Ship, String>> after(Duration time) {
        now = now.plus(time);
        millis += time.toMillis();
        return give(new Input.Alarm<>());
    }

    Verdict told(String asker) {
        var answer = answers.get(asker);
        if (answer == null) {
            throw new AssertionError(asker + " was not told anything");
        }
        return answer.verdict();
    }

    static Cause request(String id, String hash) {
        return new Cause(id, hash, Cause.Kind.REQUEST, "shop", Optional.of("trace-" + id));
    }

    static Cause event(String id, String hash) {
        return new Cause(id, hash, Cause.Kind.EVENT, "orders", Optional.empty());
    }
}
