package io.holdfast.testkit.simulation;

import io.holdfast.engine.effect.Effect;
import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.entity.Answer;
import io.holdfast.engine.entity.CoreLimits;
import io.holdfast.engine.entity.Entity;
import io.holdfast.engine.entity.Entry;
import io.holdfast.engine.entity.Input;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.machine.Machine;
import io.holdfast.engine.runtime.EffectPerformer;
import io.holdfast.engine.runtime.Entities;
import io.holdfast.engine.runtime.MachineDefinition;
import io.holdfast.engine.runtime.Reply;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * The entities of one machine in the simulated fleet. What sharding does is here in its simplest form: a message finds the live instance
 * of its entity, or starts one.
 */
public final class SimulatedEntities<S, C, E, X extends Effect> implements Entities<S, C> {

    private static final Duration NEAR = Duration.ofMillis(1);
    private static final Duration FAR = Duration.ofMillis(20);
    private static final Duration ANSWER_OVERDUE = Duration.ofSeconds(2);

    private final Fleet fleet;
    private final MachineDefinition<S, C, E, X> definition;
    private final boolean encodes;
    private final CoreLimits limits;
    private final SimulatedJournal<E> journal;
    private final Map<String, List<Instance<S, C, E, X>>> live = new TreeMap<>();
    private final Map<String, Entity<S>> folded = new TreeMap<>();
    /** What was sent, as it comes out of its bytes: the same thing, sent again, is not encoded again. */
    private final Map<C, C> received = new IdentityHashMap<>();

    private final Map<S, S> shown = new IdentityHashMap<>();

    SimulatedEntities(Fleet fleet, MachineDefinition<S, C, E, X> definition, CoreLimits limits) {
        this.fleet = fleet;
        this.definition = definition;
        this.encodes = fleet.encodes();
        this.limits = limits;
        this.journal = new SimulatedJournal<>(fleet.world().timeline(), definition.journal(), fleet.encodes());
    }

    @Override
    public CompletionStage<Outcome<Reply<S>>> ask(String entityId, Cause cause, C command, Duration patience) {
        C sent = encodes
                ? received.computeIfAbsent(
                        command,
                        asked -> same(
                                definition
                                        .commands()
                                        .decode(definition.commands().encode(asked)),
                                asked))
                : command;
        return world().chance()
                .apart(() ->
                        send(entityId, patience, asker -> new Input.Asked<>(entityId, cause, sent, patience, asker)));
    }

    @Override
    public CompletionStage<Outcome<Reply<S>>> look(String entityId) {
        return world().chance()
                .apart(() -> send(entityId, Duration.ZERO, asker -> new Input.Looked<>(entityId, asker)));
    }

    private CompletionStage<Outcome<Reply<S>>> send(
            String entityId, Duration patience, Function<Asker<S>, Input<C, Asker<S>>> message) {
        Optional<String> obstacle = Entities.obstacleIn(entityId);
        if (obstacle.isPresent()) {
            return CompletableFuture.completedFuture(Outcome.unavailable(obstacle.get()));
        }
        CompletableFuture<Outcome<Reply<S>>> reply = new CompletableFuture<>();
        Mishaps mishaps = world().mishaps();
        Asker<S> asker = new Asker<>(entityId, answer -> {
            if (!mishaps.strike("LostAnswer", fleet.storm().lostMessage())) {
                world().timeline()
                        .after(
                                hop(),
                                () -> "answer of " + name(entityId),
                                () -> reply.complete(Outcome.known(reply(answer))));
            }
        });
        Input<C, Asker<S>> input = message.apply(asker);
        if (!mishaps.strike("LostRequest", fleet.storm().lostMessage())) {
            world().timeline()
                    .after(hop(), () -> "ask " + name(entityId) + " " + input, () -> deliver(entityId, input));
        }
        if (mishaps.strike("DuplicateRequest", fleet.storm().duplicateMessage())) {
            Duration later = world().chance().between(NEAR, Duration.ofSeconds(10));
            world().timeline().after(later, () -> "ask again " + name(entityId), () -> deliver(entityId, input));
        }
        world().timeline()
                .after(
                        patience.plus(ANSWER_OVERDUE),
                        () -> "answer overdue from " + name(entityId),
                        () -> reply.complete(Outcome.unknown("no answer came")));
        return reply;
    }

    private static <T> T same(T received, T sent) {
        if (!received.equals(sent)) {
            throw new AssertionError("sent " + sent + ", received " + received);
        }
        return received;
    }

    private Reply<S> reply(Answer<S> answer) {
        Entity<S> entity = answer.entity();
        return new Reply<>(
                entity.id(),
                entity.sequenceNumber(),
                answer.verdict(),
                answer.repeated(),
                encodes
                        ? shown.computeIfAbsent(
                                entity.state(),
                                state -> same(
                                        definition
                                                .states()
                                                .decode(definition.states().encode(state)),
                                        state))
                        : entity.state(),
                answer.working());
    }

    /** Brings a message to the entity's instance, starting one where needed. */
    void deliver(String entityId, Input<C, Asker<S>> input) {
        List<Instance<S, C, E, X>> instances = live.computeIfAbsent(entityId, _ -> new ArrayList<>());
        boolean second = !instances.isEmpty()
                && instances.size() < 2
                && world().mishaps().strike("DoubleInstance", fleet.storm().doubleInstance());
        Instance<S, C, E, X> instance;
        if (instances.isEmpty() || second) {
            instance = new Instance<>(this, fleet.someNode(), entityId);
            instances.add(instance);
            instance.start();
        } else {
            instance = instances.size() == 1
                    ? instances.getFirst()
                    : world().chance().pick(instances);
        }
        instance.accept(input);
    }

    /** Makes sure that the entity works on what it owes. */
    void wake(String entityId) {
        deliver(entityId, new Input.Woken<>(entityId, Optional.empty()));
    }

    /** An instance has ended, whichever way. */
    void ended(Instance<S, C, E, X> instance) {
        List<Instance<S, C, E, X>> instances = live.get(instance.entityId());
        if (instances != null) {
            instances.remove(instance);
            if (instances.isEmpty()) {
                live.remove(instance.entityId());
            }
        }
    }

    /** Whatever lives of an entity loses its memory. */
    public void lose(String entityId) {
        List.copyOf(live.getOrDefault(entityId, List.of())).forEach(Instance::crash);
    }

    /** Copies that are behind their journals are gone: a fleet that is whole again has none. */
    void loseLeftBehind() {
        List.copyOf(live.values())
                .forEach(instances -> List.copyOf(instances).stream()
                        .filter(Instance::isLeftBehind)
                        .forEach(Instance::crash));
    }

    /** Everything on a node is gone. */
    void lose(Node node) {
        List.copyOf(live.values())
                .forEach(instances -> List.copyOf(instances).stream()
                        .filter(instance -> instance.node() == node)
                        .forEach(Instance::crash));
    }

    /** Wakes what the journal says must be looked at by now. */
    void sweep() {
        Instant now = world().timeline().now();
        for (String entityId : journal.entityIds()) {
            if (dueAt(entityId).filter(due -> !due.isAfter(now)).isPresent()) {
                wake(entityId);
            }
        }
    }

    /**
     * When the sweeper comes to an entity, if ever. A moment named by data is taken as it is; an owed effect is due from when it was
     * journaled, whatever the writer's clock said.
     */
    private Optional<Instant> dueAt(String entityId) {
        Entry<E> last = journal.read(entityId).getLast();
        Instant at = last.meta().at();
        return last.meta().wakeAt().map(wakeAt -> {
            boolean effect = !wakeAt.isAfter(at) || last instanceof Entry.EffectStalled<E>;
            Instant written = journal.writtenAt(entityId);
            return effect && written.isBefore(at) ? written.plus(Duration.between(at, wakeAt)) : wakeAt;
        });
    }

    /** The entity as its journal adds up now, whatever its instances believe. */
    public Entity<S> journaled(String entityId) {
        Entity<S> entity = folded.getOrDefault(entityId, Entity.fresh(machine(), entityId));
        List<Entry<E>> entries = journal.read(entityId);
        for (Entry<E> entry : entries.subList((int) entity.sequenceNumber(), entries.size())) {
            entity = entity.after(machine(), entry);
        }
        folded.put(entityId, entity);
        return entity;
    }

    /** Ids of the entities that have a past. */
    public List<String> entityIds() {
        return journal.entityIds();
    }

    /** The journal. */
    public SimulatedJournal<E> journal() {
        return journal;
    }

    /** The machine. */
    public Machine<S, C, E, X> machine() {
        return definition.machine();
    }

    EffectPerformer<X, C> performer() {
        return definition.performer();
    }

    CoreLimits limits() {
        return limits;
    }

    World world() {
        return fleet.world();
    }

    Storm storm() {
        return fleet.storm();
    }

    Duration hop() {
        return world().chance().between(NEAR, FAR);
    }

    String name(String entityId) {
        return machine().name() + " " + entityId;
    }
}
