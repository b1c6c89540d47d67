package io.holdfast.testkit.entities;

import static org.awaitility.Awaitility.await;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.holdfast.config.sql.Migrations;
import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.runtime.EffectPerformer;
import io.holdfast.engine.runtime.EngineListener;
import io.holdfast.engine.runtime.EngineSettings;
import io.holdfast.engine.runtime.Entities;
import io.holdfast.engine.runtime.MachineDefinition;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.engine.runtime.ShardedEntities;
import io.holdfast.localstack.PostgresServer;
import io.holdfast.localstack.SharedStack;
import io.holdfast.testkit.sample.Ticket;
import io.holdfast.testkit.sample.Ticket.Call;
import io.holdfast.testkit.sample.Ticket.Command;
import io.holdfast.testkit.sample.Ticket.Event;
import io.holdfast.testkit.sample.TicketMachine;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.Join;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.postgresql.ds.PGSimpleDataSource;

/** Entities sharded over a cluster, with their journal in PostgreSQL, keep the contract. */
class ShardedEntitiesTest extends EntitiesConformance {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static String url;
    private static PostgresServer postgres;
    private static volatile EffectPerformer<Call, Command> outside;
    private static ActorSystem<Void> node;
    private static ShardedEntities<Ticket, Command> tickets;

    @BeforeAll
    static void start() {
        postgres = SharedStack.postgres();
        url = SharedStack.freshDatabase("entities_conformance");
        var owner = new PGSimpleDataSource();
        owner.setUrl(url);
        owner.setUser(postgres.user());
        owner.setPassword(postgres.password());
        new Migrations(owner).migrate();
        startNode();
    }

    @AfterAll
    static void stop() {
        endNode();
    }

    private static void startNode() {
        Config config = ConfigFactory.parseMap(Map.of(
                        "jdbc-journal.slick.db.url", url,
                        "jdbc-journal.slick.db.user", postgres.user(),
                        "jdbc-journal.slick.db.password", postgres.password()))
                .withFallback(ConfigFactory.parseString("""
                    pekko.loglevel = ERROR
                    pekko.remote.artery.canonical { hostname = "127.0.0.1", port = 0 }
                    pekko.cluster.jmx.enabled = off
                    pekko.cluster.sharding.retry-interval = 200ms
                    pekko.cluster.sharding.coordinator-state.write-majority-plus = 0
                    pekko.cluster.gossip-interval = 200ms
                    pekko.cluster.leader-actions-interval = 200ms
                    pekko.coordinated-shutdown.exit-jvm = off
                    pekko.coordinated-shutdown.run-by-jvm-shutdown-hook = off
                    pekko.coordinated-shutdown.run-by-actor-system-terminate = off
                    """))
                .withFallback(ConfigFactory.parseResources("holdfast-engine.conf"))
                .withFallback(ConfigFactory.defaultReference())
                .resolve();
        node = ActorSystem.create(Behaviors.empty(), "tickets", config);
        tickets = ShardedEntities.start(
                node,
                MachineDefinition.of(
                        new TicketMachine(),
                        (id, call) -> outside.perform(id, call),
                        Ticket.class,
                        Command.class,
                        Event.class,
                        Ticket.No.class),
                EngineSettings.defaults(),
                EngineListener.none(),
                InstantSource.system());
        var cluster = Cluster.get(node);
        cluster.manager().tell(Join.create(cluster.selfMember().address()));
        await().atMost(PATIENCE)
                .until(() -> tickets.look("first").toCompletableFuture().join() instanceof Outcome.Known);
    }

    /** At once: nothing is handed over, nobody is told. */
    private static void endNode() {
        Adapter.toClassic(node).terminate();
        await().atMost(PATIENCE)
                .until(() -> node.getWhenTerminated().toCompletableFuture().isDone());
    }

    /** Of whichever node runs. */
    @Override
    protected Entities<Ticket, Command> over(EffectPerformer<Call, Command> performer) {
        outside = performer;
        return new Entities<>() {
            @Override
            public CompletionStage<Outcome<Reply<Ticket>>> ask(
                    String entityId, Cause cause, Command command, Duration patience) {
                return tickets.ask(entityId, cause, command, patience);
            }

            @Override
            public CompletionStage<Outcome<Reply<Ticket>>> look(String entityId) {
                return tickets.look(entityId);
            }
        };
    }

    @Override
    protected <T> T when(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    @Override
    protected void until(BooleanSupplier so) {
        await().atMost(PATIENCE).until(so::getAsBoolean);
    }

    @Override
    protected Instant now() {
        return Instant.now();
    }

    @Override
    protected void lose(String entityId) {
        endNode();
        startNode();
    }
}
