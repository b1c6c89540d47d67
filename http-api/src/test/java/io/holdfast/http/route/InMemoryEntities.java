package io.holdfast.http.route;

import io.holdfast.engine.effect.Effect;
import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.entity.Answer;
import io.holdfast.engine.entity.CoreLimits;
import io.holdfast.engine.entity.Entity;
import io.holdfast.engine.entity.EntityCore;
import io.holdfast.engine.entity.Entry;
import io.holdfast.engine.entity.Input;
import io.holdfast.engine.entity.Moment;
import io.holdfast.engine.entity.Step;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.machine.Machine;
import io.holdfast.engine.runtime.EffectPerformer;
import io.holdfast.engine.runtime.Entities;
import io.holdfast.engine.runtime.Reply;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Entities of a machine without a cluster and a database: the real core, a list as the journal. */
final class InMemoryEntities<S, C, E, X extends Effect> implements Entities<S, C>, AutoCloseable {

    private final Machine<S, C, E, X> machine;
    private final EffectPerformer<X, C> performer;
    private final Map<String, Running> running = new ConcurrentHashMap<>();
    private final ScheduledExecutorService timers = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("test-alarms").factory());

    InMemoryEntities(Machine<S, C, E, X> machine, EffectPerformer<X, C> performer) {
        this.machine = machine;
        this.performer = performer;
    }

    @Override
    public CompletionStage<Outcome<Reply<S>>> ask(String entityId, Cause cause, C command, Duration patience) {
        return given(entityId, answer -> new Input.Asked<>(entityId, cause, command, patience, answer));
    }

    @Override
    public CompletionStage<Outcome<Reply<S>>> look(String entityId) {
        return given(entityId, answer -> new Input.Looked<>(entityId, answer));
    }

    private CompletionStage<Outcome<Reply<S>>> given(
            String entityId,
            Function<CompletableFuture<Outcome<Reply<S>>>, Input<C, CompletableFuture<Outcome<Reply<S>>>>> input) {
        Optional<String> obstacle = Entities.obstacleIn(entityId);
        if (obstacle.isPresent()) {
            return CompletableFuture.completedFuture(Outcome.unavailable(obstacle.get()));
        }
        var answer = new CompletableFuture<Outcome<Reply<S>>>();
        entity(entityId).take(input.apply(answer));
        return answer;
    }

    /** What lives of the entity is gone; whoever asks next starts it from its journal. */
    void lose(String entityId) {
        running.computeIfPresent(entityId, (_, lost) -> new Running(entityId, lost.die()));
    }

    /** What was journaled. */
    List<Entry<E>> journal(String entityId) {
        return entity(entityId).copyOfJournal();
    }

    /** Ids of entities with a journal. */
    List<String> journaled() {
        return running.entrySet().stream()
                .filter(e -> !e.getValue().copyOfJournal().isEmpty())
                .map(Map.Entry::getKey)
                .toList();
    }

    /** As its journal adds up. */
    S state(String entityId) {
        S state = machine.initial(entityId);
        for (Entry<E> entry : journal(entityId)) {
            if (entry instanceof Entry.Happened<E> happened) {
                state = machine.evolve(state, happened.event());
            }
        }
        return state;
    }

    private Running entity(String entityId) {
        return running.computeIfAbsent(entityId, id -> new Running(id, List.of()));
    }

    @Override
    public void close() {
        timers.shutdownNow();
    }

    private final class Running {
        private final String id;
        private final EntityCore<S, C, E, X, CompletableFuture<Outcome<Reply<S>>>> core;
        private final List<Entry<E>> journal;
        private boolean dead;

        Running(String id, List<Entry<E>> journal) {
            this.id = id;
            this.journal = new ArrayList<>(journal);
            Entity<S> entity = Entity.fresh(machine, id);
            for (Entry<E> entry : journal) {
                entity = entity.after(machine, entry);
            }
            this.core = new EntityCore<>(machine, CoreLimits.defaults(), entity);
            run(core.recovered(now(), 0));
        }

        /** Does nothing any more; what it had journaled stays. */
        synchronized List<Entry<E>> die() {
            dead = true;
            return List.copyOf(journal);
        }

        synchronized List<Entry<E>> copyOfJournal() {
            return List.copyOf(journal);
        }

        synchronized void take(Input<C, CompletableFuture<Outcome<Reply<S>>>> input) {
            if (!dead) {
                run(core.on(input, now(), 0));
            }
        }

        private void run(List<Step<S, E, X, CompletableFuture<Outcome<Reply<S>>>>> steps) {
            for (var step : steps) {
                switch (step) {
                    case Step.Persist<S, E, X, CompletableFuture<Outcome<Reply<S>>>> persist -> {
                        journal.addAll(persist.entries());
                        run(core.persisted(now(), 0));
                    }
                    case Step.Perform<S, E, X, CompletableFuture<Outcome<Reply<S>>>> perform ->
                        performer
                                .perform(id, perform.effect())
                                .thenAcceptAsync(
                                        outcome -> take(new Input.AttemptEnded<>(
                                                perform.effect().operationId(), perform.attempt(), outcome)),
                                        timers);
                    case Step.SetAlarm<S, E, X, CompletableFuture<Outcome<Reply<S>>>> alarm ->
                        timers.schedule(
                                () -> take(new Input.Alarm<>()), alarm.delay().toMillis(), TimeUnit.MILLISECONDS);
                    case Step.Tell<S, E, X, CompletableFuture<Outcome<Reply<S>>>> tell ->
                        tell.asker().complete(Outcome.known(reply(tell.answer())));
                    case Step.Observe<S, E, X, CompletableFuture<Outcome<Reply<S>>>> _,
                            Step.Passivate<S, E, X, CompletableFuture<Outcome<Reply<S>>>> _,
                            Step.Stop<S, E, X, CompletableFuture<Outcome<Reply<S>>>> _ -> {}
                }
            }
        }
    }

    private static <S> Reply<S> reply(Answer<S> answer) {
        return new Reply<>(
                answer.entity().id(),
                answer.entity().sequenceNumber(),
                answer.verdict(),
                answer.repeated(),
                answer.entity().state(),
                answer.working());
    }

    private static Moment now() {
        return new Moment(Instant.now(), System.nanoTime() / 1_000_000);
    }
}
