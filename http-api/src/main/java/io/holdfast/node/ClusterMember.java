package io.holdfast.node;

import io.holdfast.config.Settings;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.pekko.Done;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.remote.RemoteTransportException;

/** This node's actor system as a member of its cluster. */
final class ClusterMember {

    /** Longer than the actor system tries to reach the seed nodes: then it has ended, which is seen first. */
    private static final Duration JOIN_PATIENCE = Duration.ofSeconds(90);

    private static final Duration LEAVE_PATIENCE = Duration.ofSeconds(60);

    private final ActorSystem<Void> system;
    private final CompletableFuture<Ended> ended;

    private ClusterMember(ActorSystem<Void> system) {
        this.system = system;
        this.ended = system.getWhenTerminated()
                .toCompletableFuture()
                .thenApply(_ -> CoordinatedShutdown.get(system)
                        .getShutdownReason()
                        .map(ClusterMember::why)
                        .orElse(Ended.STOPPED));
    }

    /**
     * Starts the actor system; {@link #join} makes it a member.
     *
     * @throws StartException if its address can't be had
     */
    static ClusterMember start(Settings settings) {
        try {
            return new ClusterMember(ActorSystem.create(
                    Behaviors.<Void>empty(), settings.node().name(), ActorSystemConfig.of(settings)));
        } catch (RemoteTransportException e) {
            throw new StartException(
                    "The cluster address " + settings.cluster().host() + ":"
                            + settings.cluster().port()
                            + " can't be had: free the port, or choose another with holdfast.cluster.port.",
                    e);
        }
    }

    /**
     * Joins by the seed nodes, or forms a cluster of its own if there are none, and waits until it is a full member.
     *
     * @throws StartException if none of the seed nodes answers
     */
    void join(Settings settings) {
        Cluster cluster = Cluster.get(system);
        var up = new CompletableFuture<Done>();
        cluster.registerOnMemberUp(() -> up.complete(Done.done()));
        if (settings.cluster().seedNodes().isEmpty()) {
            cluster.join(cluster.selfAddress());
        }
        try {
            CompletableFuture.anyOf(up, ended).get(JOIN_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            throw notJoined(settings, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw notJoined(settings, e);
        }
        if (!up.isDone()) {
            throw notJoined(settings, new IllegalStateException("the actor system has ended"));
        }
    }

    ActorSystem<Void> system() {
        return system;
    }

    /** Port the other nodes reach this one at. */
    int port() {
        return Cluster.get(system).selfMember().address().getPort().orElse(0);
    }

    /** True while this node is a full member that sees the cluster as it is. */
    boolean isMember() {
        return Cluster.get(system).selfMember().status().equals(MemberStatus.up());
    }

    /** Hands over what runs here, leaves the cluster, and ends the actor system. */
    CompletionStage<Done> leave() {
        return CoordinatedShutdown.get(system).runAll(Requested.INSTANCE);
    }

    /** The same, and returns when it is done. */
    void leaveAndWait() throws InterruptedException, ExecutionException, TimeoutException {
        leave().toCompletableFuture().get(LEAVE_PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    /** Completes when the actor system has ended, with how. */
    CompletionStage<Ended> ended() {
        return ended;
    }

    private static Ended why(CoordinatedShutdown.Reason reason) {
        return switch (reason) {
            case CoordinatedShutdown.ClusterDowningReason$ _ -> Ended.REMOVED;
            case CoordinatedShutdown.IncompatibleConfigurationDetectedReason$ _,
                    CoordinatedShutdown.ClusterJoinUnsuccessfulReason$ _ -> Ended.NOT_JOINED;
            default -> Ended.STOPPED;
        };
    }

    private static StartException notJoined(Settings settings, Exception cause) {
        return new StartException(
                "No node of " + settings.cluster().seedNodes() + " let this one join the cluster "
                        + settings.node().name()
                        + ": start the first of them, or correct holdfast.cluster.seed-nodes; all nodes need the same"
                        + " holdfast.node.name and the same holdfast.entities.shards.",
                cause);
    }

    /** Why it left when somebody asked it to. */
    private enum Requested implements CoordinatedShutdown.Reason {
        INSTANCE
    }
}
