package io.holdfast.testkit.simulation;

import io.holdfast.engine.effect.Effect;
import io.holdfast.engine.entity.EntityCore;
import io.holdfast.engine.entity.Entry;
import io.holdfast.engine.entity.Input;
import io.holdfast.engine.entity.Step;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One live instance of an entity: the shell around the production core. It recovers from the journal, carries out the core's steps, keeps
 * inputs back while a write is under way, and can lose its memory at any moment.
 */
final class Instance<S, C, E, X extends Effect> {

    private static final Duration QUICK = Duration.ofMillis(1);
    private static final Duration READ = Duration.ofMillis(10);
    private static final Duration WRITE = Duration.ofMillis(15);
    private static final Duration SLOW_WRITE = Duration.ofSeconds(15);
    private static final Duration RESTART_FROM = Duration.ofMillis(500);
    private static final Duration RESTART_TO = Duration.ofSeconds(5);

    private final SimulatedEntities<S, C, E, X> entities;
    private final Node node;
    private final String entityId;
    private final Deque<Input<C, Asker<S>>> kept = new ArrayDeque<>();
    private @Nullable EntityCore<S, C, E, X, Asker<S>> core;
    private Timeline.@Nullable Event alarm;
    private boolean writing;
    private boolean dead;

    Instance(SimulatedEntities<S, C, E, X> entities, Node node, String entityId) {
        this.entities = entities;
        this.node = node;
        this.entityId = entityId;
    }

    String entityId() {
        return entityId;
    }

    Node node() {
        return node;
    }

    /** Whether another one has written since it read the journal, and it does not know. */
    boolean isLeftBehind() {
        return core != null
                && !writing
                && core.entity().sequenceNumber()
                        < entities.journal().read(entityId).size();
    }

    /** Reads the journal; what arrives meanwhile is kept. */
    void start() {
        later(QUICK, READ, "recovery", () -> {
            core = new EntityCore<>(entities.machine(), entities.limits(), entities.journaled(entityId));
            carryOut(core.recovered(node.moment(), random()));
        });
    }

    void accept(Input<C, Asker<S>> input) {
        if (dead) {
            return;
        }
        if (core == null || writing) {
            kept.addLast(input);
        } else {
            carryOut(core.on(input, node.moment(), random()));
        }
    }

    private void carryOut(List<Step<S, E, X, Asker<S>>> steps) {
        for (Step<S, E, X, Asker<S>> step : steps) {
            switch (step) {
                case Step.Persist<S, E, X, Asker<S>>(var entries) -> write(entries);
                case Step.Perform<S, E, X, Asker<S>>(var effect, int attempt) -> perform(effect, attempt);
                case Step.SetAlarm<S, E, X, Asker<S>>(var delay) -> setAlarm(delay);
                case Step.Tell<S, E, X, Asker<S>>(var asker, var answer) -> asker.tell(answer);
                case Step.Observe<S, E, X, Asker<S>>(var observation) -> {
                    if (entities.world().timeline().isTraced()) {
                        note(observation.toString());
                    }
                }
                case Step.Passivate<S, E, X, Asker<S>> _ ->
                    later(QUICK, READ, "stop", () -> accept(new Input.StopAsked<>()));
                case Step.Stop<S, E, X, Asker<S>>(boolean wakeAgain) -> stop(wakeAgain);
            }
        }
        while (!dead && !writing && !kept.isEmpty() && core != null) {
            carryOut(core.on(kept.removeFirst(), node.moment(), random()));
        }
    }

    private void write(List<Entry<E>> entries) {
        EntityCore<S, C, E, X, Asker<S>> writer = Objects.requireNonNull(core);
        writing = true;
        Mishaps mishaps = entities.world().mishaps();
        if (mishaps.strike("CrashBeforePersist", entities.storm().crashBeforePersist())) {
            crashAndRestart();
            return;
        }
        long first = writer.entity().sequenceNumber() + 1;
        long ordering = entities.journal().begin();
        Duration took = mishaps.strike("SlowJournal", entities.storm().slowJournal())
                ? entities.world().chance().between(WRITE, SLOW_WRITE)
                : entities.world().chance().between(QUICK, WRITE);
        // Once sent, a write reaches the journal even when its writer dies meanwhile.
        entities.world().timeline().after(took, () -> "write " + entities.name(entityId) + " " + entries, () -> {
            boolean written = entities.journal().append(entityId, first, entries, ordering);
            if (dead) {
                return;
            }
            if (!written) {
                note("another instance has written number " + first);
                crashAndRestart();
            } else if (mishaps.strike("CrashAfterPersist", entities.storm().crashAfterPersist())) {
                crashAndRestart();
            } else {
                writing = false;
                carryOut(writer.persisted(node.moment(), random()));
            }
        });
    }

    private void perform(X effect, int attempt) {
        entities.performer().perform(entityId, effect).whenComplete((outcome, failure) -> {
            if (failure != null) {
                throw new AssertionError("a performer must not fail exceptionally: " + effect, failure);
            }
            // Never within the step that asked for it: the answer is a message of its own.
            later(
                    Duration.ZERO,
                    QUICK,
                    () -> "outcome " + effect.operationId() + " #" + attempt + " " + outcome,
                    () -> accept(new Input.AttemptEnded<>(effect.operationId(), attempt, outcome)));
        });
    }

    private void setAlarm(Duration delay) {
        if (alarm != null) {
            alarm.cancel();
        }
        alarm = later(delay, delay, "alarm", () -> accept(new Input.Alarm<>()));
    }

    private void stop(boolean wakeAgain) {
        var undelivered = List.copyOf(kept);
        end();
        if (wakeAgain) {
            entities.wake(entityId);
        }
        // What came too late for this instance finds the next one, as sharding's buffer does.
        undelivered.forEach(input -> {
            switch (input) {
                case Input.Asked<C, Asker<S>> _, Input.Looked<C, Asker<S>> _, Input.Woken<C, Asker<S>> _ ->
                    entities.deliver(entityId, input);
                case Input.AttemptEnded<C, Asker<S>> _,
                        Input.Alarm<C, Asker<S>> _,
                        Input.RoomNeeded<C, Asker<S>> _,
                        Input.StopAsked<C, Asker<S>> _ -> {}
            }
        });
    }

    /** Memory lost, nobody told; the node starts the entity again after a while, as a supervisor does. */
    private void crashAndRestart() {
        crash();
        Duration backoff = entities.world().chance().between(RESTART_FROM, RESTART_TO);
        entities.world().timeline().after(backoff, "restart of " + entities.name(entityId), () -> {
            if (node.isUp()) {
                entities.wake(entityId);
            }
        });
    }

    /** Memory lost, nobody told. */
    void crash() {
        note("loses its memory");
        end();
    }

    private void end() {
        dead = true;
        core = null;
        kept.clear();
        if (alarm != null) {
            alarm.cancel();
        }
        entities.ended(this);
    }

    private Timeline.Event later(Duration from, Duration to, String what, Runnable run) {
        return later(from, to, () -> what, run);
    }

    private Timeline.Event later(Duration from, Duration to, Supplier<String> what, Runnable run) {
        Duration delay = from.equals(to) ? from : entities.world().chance().between(from, to);
        return entities.world().timeline().after(delay, () -> entities.name(entityId) + " " + what.get(), () -> {
            if (!dead) {
                run.run();
            }
        });
    }

    private double random() {
        return entities.world().chance().fraction();
    }

    private void note(String line) {
        entities.world().timeline().note(entities.name(entityId) + "@" + node.name() + " " + line);
    }
}
