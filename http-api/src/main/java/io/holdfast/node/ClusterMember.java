package io.holdfast.node;

import io.holdfast.config.Settings;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.apache.pekko.Done;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.AddressFromURIString;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.remote.RemoteTransportException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** This node's actor system as a member of its cluster. */
final class ClusterMember {

    /** Longer than the actor system tries to reach the seed nodes: then it has ended, which is seen first. */
    private static final Duration JOIN_PATIENCE = Duration.ofSeconds(90);

    /** How long a node without seed nodes waits for those that still seem to serve: one that died is seen a moment longer. */
    private static final Duration ALONE_PATIENCE = Duration.ofSeconds(15);

    /** How often it is looked whether the others are still there. */
    private static final Duration ASKED_AGAIN = Duration.ofSeconds(2);

    private static final Logger LOG = LoggerFactory.getLogger(ClusterMember.class);

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
     * @param others whether other nodes serve on this database: then the first seed node forms no cluster beside theirs, but waits until it
     *     reaches one of them, or until they are gone
     * @throws StartException if none of the seed nodes answers, or there are none and others go on serving
     */
    void join(Settings settings, BooleanSupplier others) {
        Cluster cluster = Cluster.get(system);
        var up = new CompletableFuture<Done>();
        cluster.registerOnMemberUp(() -> up.complete(Done.done()));
        var seeds = new SeedNodes(
                settings.cluster().seedNodes().stream()
                        .map(seed -> AddressFromURIString.parse(
                                "pekko://" + settings.node().name() + "@" + seed))
                        .toList(),
                cluster.selfAddress());
        long begun = System.nanoTime();
        long deadline = begun + JOIN_PATIENCE.toNanos();
        List<Address> asked = List.of();
        try {
            while (!up.isDone() && !ended.isDone() && System.nanoTime() < deadline) {
                List<Address> order = seeds.order(others);
                if (order.isEmpty() && asked.isEmpty()) {
                    refuseSecondCluster(begun);
                } else if (!order.isEmpty() && !order.equals(asked)) {
                    cluster.joinSeedNodes(order);
                    asked = order;
                }
                await(CompletableFuture.anyOf(up, ended));
            }
        } catch (ExecutionException e) {
            throw notJoined(settings, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw notJoined(settings, e);
        }
        if (!up.isDone()) {
            throw notJoined(settings, new IllegalStateException("it was not let in"));
        }
    }

    private static void refuseSecondCluster(long begun) {
        if (System.nanoTime() - begun > ALONE_PATIENCE.toNanos()) {
            throw new StartException(
                    "Another node serves on this database, and holdfast.cluster.seed-nodes is empty: this one would be"
                            + " a second cluster beside it, which keeps every entity a second time. Name that node"
                            + " (host:port of its holdfast.cluster), and this one joins it; name this one alone if that"
                            + " node is gone and PostgreSQL has not noticed yet; or stop that node first.");
        }
        LOG.warn("Another node serves on this database and no seed nodes are named: waiting for it to go.");
    }

    /** Waits for it for a while. */
    private static void await(CompletableFuture<Object> either) throws InterruptedException, ExecutionException {
        try {
            either.get(ASKED_AGAIN.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            LOG.debug("not a member yet", e);
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

    /**
     * Asks whether anything that needs the cluster can still come.
     *
     * @throws StartException if this node leaves the cluster, or has left it
     */
    void requireStaying() {
        CoordinatedShutdown.get(system).getShutdownReason().ifPresent(reason -> {
            throw new StartException(
                    switch (why(reason)) {
                        case REMOVED ->
                            "The other nodes removed this one while it started, or it could not see the majority: start"
                                    + " it again.";
                        case NOT_JOINED, STOPPED -> "This node was stopped while it started: start it again.";
                    });
        });
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
