package io.holdfast.engine.runtime;

import io.holdfast.engine.effect.Backoff;
import io.holdfast.engine.effect.Effect;
import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.entity.Answer;
import io.holdfast.engine.entity.Entity;
import io.holdfast.engine.entity.EntityCore;
import io.holdfast.engine.entity.Entry;
import io.holdfast.engine.entity.Input;
import io.holdfast.engine.entity.Moment;
import io.holdfast.engine.entity.Step;
import io.holdfast.engine.machine.EngineRefusal;
import io.holdfast.engine.runtime.EntityResponse.Certainty;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.Cancellable;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding;
import org.apache.pekko.persistence.typed.EventAdapter;
import org.apache.pekko.persistence.typed.JournalPersistFailed;
import org.apache.pekko.persistence.typed.JournalPersistRejected;
import org.apache.pekko.persistence.typed.PersistenceId;
import org.apache.pekko.persistence.typed.RecoveryCompleted;
import org.apache.pekko.persistence.typed.RecoveryFailed;
import org.apache.pekko.persistence.typed.SnapshotSelectionCriteria;
import org.apache.pekko.persistence.typed.javadsl.CommandHandler;
import org.apache.pekko.persistence.typed.javadsl.EventHandler;
import org.apache.pekko.persistence.typed.javadsl.EventSourcedBehavior;
import org.apache.pekko.persistence.typed.javadsl.Recovery;
import org.apache.pekko.persistence.typed.javadsl.SignalHandler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The actor around one {@link EntityCore}: turns messages into inputs and carries the steps out. What is allowed, remembered, retried
 * or held back is decided in the core; here is only Pekko.
 */
final class EntityActor<S, C, E, X extends Effect>
        extends EventSourcedBehavior<EntityMessage<S, C>, JournalRecord<E>, Replayed<S>> {

    private static final Logger LOG = LoggerFactory.getLogger(EntityActor.class);
    private static final String UNREADABLE = EngineRefusal.JOURNAL_UNREADABLE.asReason();
    private static final String REPLACED =
            "this node stood still for so long that another one may be in its place; it is not known yet";

    /** Room in Pekko's stash, which drops, beyond the seats of the door, which refuses: for what the entity lives by. */
    private static final int ROOM_FOR_ITS_OWN = 10_000;

    /** An entity whose machine keeps breaking is looked at by people; until then it costs next to nothing. */
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);

    private final ActorContext<EntityMessage<S, C>> context;
    private final EntityHost<S, C, E, X> host;
    private final ActorRef<ClusterSharding.ShardCommand> shard;
    private final String entityId;
    private final Doorkeeper<S, C> door;
    private final Backoff pauses;

    private @Nullable EntityCore<S, C, E, X, ActorRef<EntityResponse<S>>> core;
    private @Nullable Cancellable alarm;
    private String silentBecause = UNREADABLE;
    private long life;
    private boolean paused;
    private int breaks;
    private long brokeAt;
    private boolean rests;

    private EntityActor(
            ActorContext<EntityMessage<S, C>> context,
            EntityHost<S, C, E, X> host,
            ActorRef<ClusterSharding.ShardCommand> shard,
            String entityId) {
        super(
                PersistenceId.of(host.machine().name(), entityId),
                SupervisorStrategy.restartWithBackoff(
                                host.settings().restartAfterMin(),
                                host.settings().restartAfterMax(),
                                0.2)
                        .withStashCapacity(host.settings().stashCapacity() + ROOM_FOR_ITS_OWN)
                        .withLoggingEnabled(false));
        this.context = context;
        this.host = host;
        this.shard = shard;
        this.entityId = entityId;
        this.door = new Doorkeeper<>(host.settings().stashCapacity(), this::notLetIn);
        Duration first = host.settings().restartAfterMin();
        this.pauses = new Backoff(first, first.compareTo(LONGEST_PAUSE) > 0 ? first : LONGEST_PAUSE, 2, 0.2);
    }

    /** The actor of one entity. */
    static <S, C, E, X extends Effect> Behavior<EntityMessage<S, C>> of(
            EntityHost<S, C, E, X> host, ActorRef<ClusterSharding.ShardCommand> shard, String entityId) {
        return Behaviors.setup(context -> {
            var entity = new EntityActor<>(context, host, shard, entityId);
            return Behaviors.intercept(() -> entity.door, entity);
        });
    }

    // ---- what Pekko is told

    @Override
    public Replayed<S> emptyState() {
        return new Replayed.Sound<>(Entity.fresh(host.machine(), entityId));
    }

    @Override
    public EventHandler<Replayed<S>, JournalRecord<E>> eventHandler() {
        return (replayed, row) -> replayed.after(host.machine(), row);
    }

    @Override
    public EventAdapter<JournalRecord<E>, ?> eventAdapter() {
        return host.adapter();
    }

    @Override
    public Recovery recovery() {
        return Recovery.withSnapshotSelectionCriteria(SnapshotSelectionCriteria.none());
    }

    @Override
    public String journalPluginId() {
        return host.plugins().journalId();
    }

    @Override
    public String snapshotPluginId() {
        return host.plugins().snapshotId();
    }

    @Override
    public Optional<com.typesafe.config.Config> journalPluginConfig() {
        return Optional.of(host.plugins().config());
    }

    @Override
    public Optional<com.typesafe.config.Config> snapshotPluginConfig() {
        return Optional.of(host.plugins().config());
    }

    @Override
    public Optional<Integer> stashCapacity() {
        return Optional.of(host.settings().stashCapacity() + ROOM_FOR_ITS_OWN);
    }

    @Override
    public SignalHandler<Replayed<S>> signalHandler() {
        return newSignalHandlerBuilder()
                .onSignal(RecoveryCompleted.instance(), this::recovered)
                .onSignal(RecoveryFailed.class, (_, failed) -> journalFailed(failed.getFailure()))
                .onSignal(JournalPersistFailed.class, (_, failed) -> journalFailed(failed.getFailure()))
                .onSignal(JournalPersistRejected.class, (_, rejected) -> journalFailed(rejected.getFailure()))
                .onSignal(PostStop.instance(), _ -> {
                    cancelAlarm();
                    abandon("the entity was stopped");
                })
                .build();
    }

    @Override
    public CommandHandler<EntityMessage<S, C>, JournalRecord<E>, Replayed<S>> commandHandler() {
        return this::onMessage;
    }

    // ---- lives

    private void recovered(Replayed<S> replayed) {
        paused = false;
        switch (complete(replayed)) {
            case Replayed.Sound<S>(Entity<S> entity) -> begin(entity);
            case Replayed.Unreadable<S>(long readTo, String why) -> {
                LOG.error(
                        "{} {} does not serve, its journal can't be read beyond entry {}: {}",
                        host.name(),
                        entityId,
                        readTo,
                        why);
                host.listener().unreadable(host.name(), entityId, why);
                refuseToServe(UNREADABLE);
            }
        }
    }

    private void begin(Entity<S> entity) {
        life = host.nextLife();
        List<Step<S, E, X, ActorRef<EntityResponse<S>>>> steps;
        EntityCore<S, C, E, X, ActorRef<EntityResponse<S>>> fresh;
        try {
            fresh = new EntityCore<>(host.machine(), host.settings().limits(), entity);
            steps = fresh.recovered(now(), random());
        } catch (RuntimeException e) {
            // Thrown on, this would read as a failure of the journal, and be replayed for ever.
            broken(e);
            return;
        }
        core = fresh;
        host.listener().recovered(host.name(), entityId, entity.sequenceNumber());
        // Whether it rests is known after the message that it was started for.
        steps.forEach(this::carryOut);
    }

    /** Says no for a while, then leaves memory: its next life reads the journal again. */
    private void refuseToServe(String why) {
        core = null;
        silentBecause = why;
        setAlarm(host.settings().unreadableLinger());
    }

    /** A journal with a hole is no journal: nothing may be decided on what is left of it. */
    private Replayed<S> complete(Replayed<S> replayed) {
        long highest = lastSequenceNumber(context);
        return switch (replayed) {
            case Replayed.Sound<S>(Entity<S> entity)
            when entity.sequenceNumber() != highest ->
                new Replayed.Unreadable<>(
                        entity.sequenceNumber(),
                        "it holds " + entity.sequenceNumber() + " entries, but the last is number " + highest);
            case Replayed.Sound<S> sound -> sound;
            case Replayed.Unreadable<S> unreadable -> unreadable;
        };
    }

    private void journalFailed(Throwable cause) {
        LOG.warn("{} {} starts again, its journal failed: {}", host.name(), entityId, cause.toString());
        host.listener().journalFailed(host.name(), entityId, cause);
        abandon("the journal failed");
    }

    /** The core can't go on; whoever waits is told that nobody knows, rather than nothing. */
    private void abandon(String why) {
        var gone = core;
        if (gone != null) {
            gone.unanswered().forEach(asker -> notAnswered(asker, Certainty.UNKNOWN, why));
            leave(gone.owing());
        }
    }

    private void leave(boolean owing) {
        cancelAlarm();
        core = null;
        noteRest(false);
        host.listener().stopped(host.name(), entityId, owing);
    }

    // ---- messages

    private org.apache.pekko.persistence.typed.javadsl.Effect<JournalRecord<E>, Replayed<S>> onMessage(
            Replayed<S> replayed, EntityMessage<S, C> message) {
        door.taken(message);
        Optional<ActorRef<EntityResponse<S>>> asking = asker(message);
        if (asking.isPresent() && host.inDoubt()) {
            notAnswered(asking.get(), Certainty.NOT_TAKEN, REPLACED);
            return Effect().none();
        }
        var running = core;
        if (running == null) {
            return onSilent(replayed, message);
        }
        Input<C, ActorRef<EntityResponse<S>>> input = switch (message) {
            case EntityMessage.Ask<S, C> ask ->
                new Input.Asked<>(ask.entityId(), ask.cause(), ask.command(), ask.patience(), ask.replyTo());
            case EntityMessage.Look<S, C>(var _, String asked, var replyTo) -> new Input.Looked<>(asked, replyTo);
            case EntityMessage.Wake<S, C>(var _, String asked) -> new Input.Woken<>(asked, Optional.empty());
            case EntityMessage.AttemptEnded<S, C> ended -> {
                if (ended.life() != life && !(ended.outcome() instanceof Outcome.Known<C>)) {
                    // Not knowing what an attempt of an earlier life did says nothing about the one that runs.
                    yield null;
                }
                yield new Input.AttemptEnded<>(ended.operationId(), ended.attempt(), ended.outcome());
            }
            case EntityMessage.Alarm<S, C> _ -> new Input.Alarm<>();
            case EntityMessage.MakeRoom<S, C> _ -> new Input.RoomNeeded<>();
            case EntityMessage.Stop<S, C> _ -> new Input.StopAsked<>();
        };
        if (input == null) {
            return Effect().none();
        }
        Moment moment = now();
        List<Step<S, E, X, ActorRef<EntityResponse<S>>>> steps;
        try {
            steps = running.on(input, moment, random());
        } catch (RuntimeException e) {
            broken(e);
            asking.ifPresent(asker -> notAnswered(asker, Certainty.NOT_TAKEN, "the entity broke an invariant: " + e));
            return message instanceof EntityMessage.Stop<S, C>
                    ? Effect().stop()
                    : Effect().none();
        }
        for (var step : steps) {
            switch (step) {
                case Step.Persist<S, E, X, ActorRef<EntityResponse<S>>>(List<Entry<E>> entries) -> {
                    noteRest(false);
                    return Effect().persist(rows(entries)).thenRun(_ -> persisted(running, entries));
                }
                case Step.Stop<S, E, X, ActorRef<EntityResponse<S>>>(boolean wakeAgain) -> {
                    leave(wakeAgain);
                    if (wakeAgain) {
                        // Its shard keeps this until the entity has ended, here or on its next node.
                        host.wake(entityId);
                    }
                    return Effect().stop();
                }
                default -> carryOut(step);
            }
        }
        noteRest(running.resting(moment));
        return Effect().none();
    }

    /** Tells the node when this entity comes to rest, and when it goes back to work. */
    private void noteRest(boolean restsNow) {
        if (restsNow == rests) {
            return;
        }
        rests = restsNow;
        if (restsNow) {
            ActorRef<EntityMessage<S, C>> self = context.getSelf();
            host.resting().enter(entityId, () -> self.tell(new EntityMessage.MakeRoom<>()));
        } else {
            host.resting().leave(entityId);
        }
    }

    private org.apache.pekko.persistence.typed.javadsl.Effect<JournalRecord<E>, Replayed<S>> onSilent(
            Replayed<S> replayed, EntityMessage<S, C> message) {
        return switch (message) {
            case EntityMessage.FromAfar<S, C> _ -> {
                asker(message).ifPresent(asker -> notAnswered(asker, Certainty.NOT_TAKEN, silentBecause));
                yield Effect().none();
            }
            case EntityMessage.AttemptEnded<S, C> _, EntityMessage.MakeRoom<S, C> _ ->
                Effect().none();
            case EntityMessage.Alarm<S, C> _ -> {
                if (paused && replayed instanceof Replayed.Sound<S>(Entity<S> entity)) {
                    begin(entity);
                } else {
                    shard.tell(new ClusterSharding.Passivate<>(context.getSelf()));
                }
                yield Effect().none();
            }
            case EntityMessage.Stop<S, C> _ -> Effect().stop();
        };
    }

    private Optional<ActorRef<EntityResponse<S>>> asker(EntityMessage<S, C> message) {
        return switch (message) {
            case EntityMessage.Ask<S, C> ask -> Optional.of(ask.replyTo());
            case EntityMessage.Look<S, C> look -> Optional.of(look.replyTo());
            case EntityMessage.Wake<S, C> _, EntityMessage.Local<S, C> _ -> Optional.empty();
        };
    }

    private List<JournalRecord<E>> rows(List<Entry<E>> entries) {
        List<JournalRecord<E>> rows = new ArrayList<>(entries.size());
        entries.forEach(entry -> rows.add(new JournalRecord.Written<>(entry)));
        return rows;
    }

    private void persisted(EntityCore<S, C, E, X, ActorRef<EntityResponse<S>>> running, List<Entry<E>> entries) {
        try {
            Moment moment = now();
            var steps = running.persisted(moment, random());
            host.listener()
                    .persisted(
                            host.name(),
                            entityId,
                            running.entity().sequenceNumber(),
                            entries.size(),
                            entries.getFirst().meta().cause());
            steps.forEach(this::carryOut);
            noteRest(running.resting(moment));
        } catch (RuntimeException e) {
            broken(e);
        }
    }

    /** Nothing of the input was journaled: the entity pauses, longer each time, and begins again from what is. */
    private void broken(RuntimeException cause) {
        long now = System.nanoTime();
        breaks = breaks > 0 && now - brokeAt > 2 * LONGEST_PAUSE.toNanos() ? 1 : breaks + 1;
        brokeAt = now;
        Duration pause = pauses.delayAfter(breaks, random());
        if (breaks == 1) {
            LOG.error("{} {} pauses, its machine broke an invariant", host.name(), entityId, cause);
        } else {
            LOG.error(
                    "{} {} pauses for {}, its machine broke an invariant, {} times now: {}",
                    host.name(),
                    entityId,
                    pause,
                    breaks,
                    cause.toString());
        }
        host.listener().broken(host.name(), entityId, cause);
        abandon("the entity broke an invariant: " + cause);
        core = null;
        paused = true;
        silentBecause = "the entity broke an invariant: " + cause;
        setAlarm(pause);
    }

    private void notLetIn(EntityMessage.FromAfar<S, C> message) {
        host.listener().crowded(host.name(), entityId);
        asker(message).ifPresent(asker -> notAnswered(asker, Certainty.NOT_TAKEN, "too much waits for this entity"));
    }

    // ---- steps

    private void carryOut(Step<S, E, X, ActorRef<EntityResponse<S>>> step) {
        switch (step) {
            case Step.Perform<S, E, X, ActorRef<EntityResponse<S>>>(X effect, int attempt) -> perform(effect, attempt);
            case Step.SetAlarm<S, E, X, ActorRef<EntityResponse<S>>>(Duration delay) -> setAlarm(delay);
            case Step.Tell<S, E, X, ActorRef<EntityResponse<S>>>(var asker, Answer<S> answer) ->
                asker.tell(new EntityResponse.Answered<>(host.name(), reply(answer)));
            case Step.Observe<S, E, X, ActorRef<EntityResponse<S>>>(var observation) ->
                host.listener().observed(host.name(), entityId, observation);
            case Step.Passivate<S, E, X, ActorRef<EntityResponse<S>>> _ ->
                shard.tell(new ClusterSharding.Passivate<>(context.getSelf()));
            case Step.Persist<S, E, X, ActorRef<EntityResponse<S>>> _ ->
                throw new IllegalStateException("only a message can lead to the journal");
            case Step.Stop<S, E, X, ActorRef<EntityResponse<S>>> _ ->
                throw new IllegalStateException("only a message can end the entity");
        }
    }

    /** Starts an attempt on this thread, which must not block; how it ends comes back as a message. */
    private void perform(X effect, int attempt) {
        host.listener().attemptStarted(host.name(), entityId, effect.name(), effect.operationId(), attempt);
        ActorRef<EntityMessage<S, C>> self = context.getSelf();
        long startedIn = life;
        CompletionStage<Outcome<C>> running;
        try {
            running = host.performer().perform(entityId, effect);
        } catch (RuntimeException e) {
            self.tell(new EntityMessage.AttemptEnded<>(startedIn, effect.operationId(), attempt, thrown(e)));
            return;
        }
        running.whenComplete((outcome, failure) -> self.tell(new EntityMessage.AttemptEnded<>(
                startedIn, effect.operationId(), attempt, outcome != null ? outcome : thrown(failure))));
    }

    /** What a performer throws says nothing about what the other side did. */
    private static <C> Outcome<C> thrown(@Nullable Throwable failure) {
        return Outcome.unknown(failure == null ? "the performer gave no outcome" : "the performer failed: " + failure);
    }

    private static <S> Reply<S> reply(Answer<S> answer) {
        Entity<S> entity = answer.entity();
        return new Reply<>(
                entity.id(),
                entity.sequenceNumber(),
                answer.verdict(),
                answer.repeated(),
                entity.state(),
                answer.working());
    }

    private void notAnswered(ActorRef<EntityResponse<S>> asker, Certainty certainty, String why) {
        asker.tell(new EntityResponse.NotAnswered<>(host.name(), entityId, certainty, why));
    }

    private void setAlarm(Duration delay) {
        cancelAlarm();
        if (delay.isZero()) {
            context.getSelf().tell(new EntityMessage.Alarm<>());
        } else {
            alarm = context.scheduleOnce(delay, context.getSelf(), new EntityMessage.Alarm<>());
        }
    }

    private void cancelAlarm() {
        if (alarm != null) {
            alarm.cancel();
            alarm = null;
        }
    }

    private Moment now() {
        // PostgreSQL keeps microseconds; finer times would come back changed.
        return new Moment(
                host.clock().instant().truncatedTo(ChronoUnit.MICROS),
                TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
    }

    private static double random() {
        return ThreadLocalRandom.current().nextDouble();
    }
}
