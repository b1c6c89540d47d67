package io.holdfast.engine.runtime;

import static org.awaitility.Awaitility.await;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.holdfast.engine.entity.Parcel;
import io.holdfast.engine.entity.Parcel.Command;
import io.holdfast.engine.entity.Parcel.Event;
import io.holdfast.engine.entity.Parcel.State;
import io.holdfast.engine.entity.ParcelMachine;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.Down;
import org.apache.pekko.cluster.typed.Join;
import org.apache.pekko.cluster.typed.Leave;

/** One node of a cluster in this JVM, on a real journal. */
final class TestNode implements AutoCloseable {

    final Carrier carrier = new Carrier();
    final Diary diary = new Diary();
    final ActorSystem<Void> system;
    final ShardedEntities<State, Command> parcels;

    TestNode(String jdbcUrl, String user, String password, EngineSettings settings) {
        Config config = ConfigFactory.parseMap(Map.of(
                        "pekko.remote.artery.canonical.hostname",
                        "127.0.0.1",
                        "pekko.remote.artery.canonical.port",
                        0,
                        "jdbc-journal.slick.db.url",
                        jdbcUrl,
                        "jdbc-journal.slick.db.user",
                        user,
                        "jdbc-journal.slick.db.password",
                        password,
                        "pekko.coordinated-shutdown.exit-jvm",
                        "off",
                        "pekko.coordinated-shutdown.run-by-jvm-shutdown-hook",
                        "off",
                        "pekko.coordinated-shutdown.run-by-actor-system-terminate",
                        "off"))
                .withFallback(ConfigFactory.parseString("""
                    pekko.loglevel = WARNING
                    pekko.loggers = ["org.apache.pekko.event.slf4j.Slf4jLogger"]
                    pekko.logging-filter = "org.apache.pekko.event.slf4j.Slf4jLoggingFilter"
                    pekko.cluster.jmx.enabled = off
                    pekko.cluster.sharding.retry-interval = 200ms
                    pekko.cluster.sharding.rebalance-interval = 1s
                    pekko.cluster.sharding.coordinator-state.write-majority-plus = 0
                    pekko.cluster.gossip-interval = 200ms
                    pekko.cluster.leader-actions-interval = 200ms
                    pekko.cluster.singleton.hand-over-retry-interval = 200ms
                    pekko.cluster.singleton-proxy.singleton-identification-interval = 200ms
                    # Longer than any test waits: whoever is not handed over in order is not ended by time either.
                    pekko.coordinated-shutdown.phases.cluster-sharding-shutdown-region.timeout = 180s
                    holdfast-journal.statement-timeout = 1s
                    holdfast-journal.write-deadline = 4s
                    holdfast-journal.read-deadline = 3s
                    jdbc-journal.recovery-event-timeout = 4s
                    jdbc-journal.slick.db.connectionTimeout = 1000
                    jdbc-journal.slick.db.validationTimeout = 500
                    jdbc-journal.slick.db.properties.socketTimeout = 3
                    # Statements travel as text, so that a proxy can tell them apart.
                    jdbc-journal.slick.db.properties.prepareThreshold = 0
                    """))
                .withFallback(ConfigFactory.parseResources("holdfast-engine.conf"))
                .withFallback(ConfigFactory.defaultReference())
                .resolve();
        this.system = ActorSystem.create(Behaviors.empty(), "test", config);
        this.parcels = ShardedEntities.start(
                system,
                MachineDefinition.of(
                        new ParcelMachine(), carrier, State.class, Command.class, Event.class, Parcel.No.class),
                settings,
                diary,
                InstantSource.system());
    }

    Cluster cluster() {
        return Cluster.get(system);
    }

    /** Joins the cluster of a node, or its own. */
    TestNode join(TestNode seed) {
        cluster().manager().tell(Join.create(seed.cluster().selfMember().address()));
        await().atMost(Duration.ofSeconds(60))
                .until(() -> cluster().selfMember().status().equals(MemberStatus.up()));
        return this;
    }

    /** Leaves in order: its shards are handed over first. */
    void leave() {
        cluster().manager().tell(Leave.create(cluster().selfMember().address()));
        await().atMost(Duration.ofSeconds(60))
                .until(() -> system.getWhenTerminated().toCompletableFuture().isDone());
    }

    /** What is left of a node whose process was killed: the others are told that it is gone, it is told nothing. */
    void dieFor(TestNode other) {
        var address = cluster().selfMember().address();
        Adapter.toClassic(system).terminate();
        other.cluster().manager().tell(new Down(address));
    }

    @Override
    public void close() {
        ActorTestKit.shutdown(system, Duration.ofSeconds(20));
    }
}
