package io.holdfast.engine.runtime;

import io.holdfast.engine.effect.Effect;
import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Cause;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.StreamSupport;
import org.apache.pekko.Done;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.cluster.sharding.typed.ClusterShardingSettings;
import org.apache.pekko.cluster.sharding.typed.HashCodeMessageExtractor;
import org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding;
import org.apache.pekko.cluster.sharding.typed.javadsl.EntityTypeKey;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.util.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.concurrent.ExecutionContext;
import scala.concurrent.Future;
import scala.concurrent.Future$;

/**
 * The entities of one machine over cluster sharding: one living instance per id in the cluster, on whichever node its shard is.
 *
 * @param <S> state of the machine
 * @param <C> commands of the machine
 */
public final class ShardedEntities<S, C> implements Entities<S, C> {

    private static final Logger LOG = LoggerFactory.getLogger(ShardedEntities.class);

    private final String machine;
    private final EngineSettings settings;
    private final EngineListener listener;
    private final Cluster cluster;
    private final ClusterSharding sharding;
    private final org.apache.pekko.cluster.sharding.typed.scaladsl.ClusterSharding refs;
    private final ExecutionContext executor;
    private final EntityTypeKey<EntityMessage<S, C>> key;
    private final AtomicInteger outstanding = new AtomicInteger();
    private volatile boolean stopping;

    private ShardedEntities(
            ActorSystem<?> system,
            String machine,
            EngineSettings settings,
            EngineListener listener,
            EntityTypeKey<EntityMessage<S, C>> key) {
        this.machine = machine;
        this.settings = settings;
        this.listener = listener;
        this.cluster = Cluster.get(system);
        this.sharding = ClusterSharding.get(system);
        this.refs = org.apache.pekko.cluster.sharding.typed.scaladsl.ClusterSharding$.MODULE$.apply(system);
        this.executor = system.executionContext();
        this.key = key;
    }

    /**
     * Starts a machine on this node. Call it on every node that asks or holds its entities, once.
     *
     * @param listener told what its entities live through
     * @param clock says what time it is; nodes should agree on it
     */
    public static <S, C, E, X extends Effect> ShardedEntities<S, C> start(
            ActorSystem<?> system,
            MachineDefinition<S, C, E, X> definition,
            EngineSettings settings,
            EngineListener listener,
            InstantSource clock) {
        String machine = definition.machine().name();
        MachineRegistry.of(system).register(definition);
        EntityTypeKey<EntityMessage<S, C>> key = typeKey(machine);
        var entities = new ShardedEntities<S, C>(system, machine, settings, listener, key);
        var stillness = NodeStillness.of(system);
        var host = new EntityHost<>(
                definition,
                settings,
                listener,
                clock,
                PersistencePlugins.of(system),
                stillness::inDoubt,
                entities::wakeAgain);
        // Passivation belongs to the core: only it knows what is owed.
        var shardingSettings = ClusterShardingSettings.create(system)
                .withRememberEntities(false)
                .withNoPassivationStrategy()
                .withRole(settings.role().orElse(""));
        entities.sharding.init(org.apache.pekko.cluster.sharding.typed.javadsl.Entity.of(
                        key, context -> EntityActor.of(host, context.getShard(), context.getEntityId()))
                .withStopMessage(new EntityMessage.Stop<>())
                .withMessageExtractor(new HashCodeMessageExtractor<>(settings.shards()))
                .withSettings(shardingSettings));
        CoordinatedShutdown.get(system)
                .addTask(CoordinatedShutdown.PhaseBeforeClusterShutdown(), "stop-asking-" + machine, () -> {
                    entities.stopping = true;
                    return CompletableFuture.completedFuture(Done.getInstance());
                });
        return entities;
    }

    // The key is a name; the type of its messages exists only at compile time.
    @SuppressWarnings({"unchecked", "rawtypes"})
    private static <S, C> EntityTypeKey<EntityMessage<S, C>> typeKey(String machine) {
        return (EntityTypeKey) EntityTypeKey.create(EntityMessage.class, machine);
    }

    @Override
    public CompletionStage<Outcome<Reply<S>>> ask(String entityId, Cause cause, C command, Duration patience) {
        Duration longest = settings.maxPatience();
        Duration kept = patience.isNegative() ? Duration.ZERO : patience.compareTo(longest) > 0 ? longest : patience;
        return exchange(
                entityId,
                kept.plus(settings.askMargin()),
                replyTo -> new EntityMessage.Ask<>(machine, entityId, cause, command, kept, replyTo));
    }

    @Override
    public CompletionStage<Outcome<Reply<S>>> look(String entityId) {
        return exchange(
                entityId, settings.askMargin(), replyTo -> new EntityMessage.Look<>(machine, entityId, replyTo));
    }

    /**
     * Starts the entity, if it does not run, and with it whatever it owes. One that is at work, or waits for the next attempt of an
     * effect, is left alone: being asked is no proof that nobody works. Nobody is told; whoever must be sure wakes it again later.
     */
    public void wake(String entityId) {
        if (obstacle(entityId).isEmpty()) {
            wakeAgain(entityId);
        }
    }

    /**
     * Also for an entity that had to end while something is owed: its shard keeps the message until it may start again, here or on another
     * node. Where no node is left it is not sent, for this one would wait for somebody to take it before it stops; the sweeper of the next
     * node that starts finds the entity.
     */
    private void wakeAgain(String entityId) {
        if (!stopping || anotherNodeGoesOn()) {
            sharding.entityRefFor(key, entityId).tell(new EntityMessage.Wake<>(machine, entityId));
        }
    }

    private boolean anotherNodeGoesOn() {
        Member self = cluster.selfMember();
        return StreamSupport.stream(cluster.state().getMembers().spliterator(), false)
                .anyMatch(member -> !member.equals(self)
                        && member.status().equals(MemberStatus.up())
                        && settings.role().map(member::hasRole).orElse(true));
    }

    private CompletionStage<Outcome<Reply<S>>> exchange(
            String entityId, Duration timeout, Function<ActorRef<EntityResponse<S>>, EntityMessage<S, C>> message) {
        long startedAt = System.nanoTime();
        Optional<String> obstacle = obstacle(entityId);
        if (obstacle.isPresent()) {
            return CompletableFuture.completedFuture(told(startedAt, Outcome.unavailable(obstacle.get())));
        }
        if (outstanding.incrementAndGet() > settings.maxOutstanding()) {
            outstanding.decrementAndGet();
            return CompletableFuture.completedFuture(
                    told(startedAt, Outcome.unavailable("this node waits for too many answers already")));
        }
        CompletableFuture<Outcome<Reply<S>>> answer = new CompletableFuture<>();
        Future<EntityResponse<S>> asked;
        try {
            asked = refs.entityRefFor(key.asScala(), entityId).ask(message::apply, Timeout.create(timeout));
        } catch (RuntimeException e) {
            asked = Future$.MODULE$.failed(e);
        }
        // Scala's own translation into a CompletionStage would run every step after it on the common pool.
        asked.onComplete(
                result -> {
                    outstanding.decrementAndGet();
                    Outcome<Reply<S>> outcome = result.isSuccess()
                            ? outcome(entityId, result.get())
                            : lost(timeout, result.failed().get());
                    return answer.complete(told(startedAt, outcome));
                },
                executor);
        return answer;
    }

    /** Why nothing can be asked at all, if so. */
    private Optional<String> obstacle(String entityId) {
        Optional<String> noId = Entities.obstacleIn(entityId);
        if (noId.isPresent()) {
            return noId;
        }
        if (stopping) {
            return Optional.of("the node is stopping");
        }
        MemberStatus status = cluster.selfMember().status();
        if (!status.equals(MemberStatus.up()) && !status.equals(MemberStatus.weaklyUp())) {
            return Optional.of("the node is not in the cluster, but " + status);
        }
        return Optional.empty();
    }

    private Outcome<Reply<S>> outcome(String entityId, EntityResponse<S> response) {
        return switch (response) {
            case EntityResponse.Answered<S>(var _, Reply<S> reply)
            when reply.entityId().equals(entityId) -> Outcome.known(reply);
            case EntityResponse.Answered<S>(var _, Reply<S> reply) -> {
                LOG.error("{} {} was asked, but {} answered", machine, entityId, reply.entityId());
                yield Outcome.unknown("another entity answered: " + reply.entityId());
            }
            case EntityResponse.NotAnswered<S>(var _, var _, var certainty, String why) ->
                switch (certainty) {
                    case UNKNOWN -> Outcome.unknown(why);
                    case NOT_TAKEN -> Outcome.unavailable(why);
                };
        };
    }

    private static <S> Outcome<Reply<S>> lost(Duration timeout, Throwable failure) {
        return Outcome.unknown(
                failure instanceof TimeoutException
                        ? "no answer within " + timeout.toMillis() + " ms"
                        : "the question was lost: " + failure);
    }

    private Outcome<Reply<S>> told(long startedAt, Outcome<Reply<S>> outcome) {
        var asked = switch (outcome) {
            case Outcome.Known<Reply<S>> _ -> EngineListener.Asked.KNOWN;
            case Outcome.Unknown<Reply<S>> _ -> EngineListener.Asked.UNKNOWN;
            case Outcome.Unavailable<Reply<S>> _ -> EngineListener.Asked.UNAVAILABLE;
        };
        listener.asked(machine, asked, Duration.ofNanos(System.nanoTime() - startedAt));
        return outcome;
    }
}
