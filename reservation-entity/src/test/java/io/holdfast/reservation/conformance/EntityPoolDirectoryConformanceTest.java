package io.holdfast.reservation.conformance;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.entity.Entry;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.runtime.Entities;
import io.holdfast.engine.runtime.MachineDefinition;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.EffectPolicies;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.PoolOperation.Archive;
import io.holdfast.reservation.domain.PoolOperation.Close;
import io.holdfast.reservation.domain.PoolOperation.Init;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.domain.StockPoolCommand;
import io.holdfast.reservation.domain.StockPoolEffect;
import io.holdfast.reservation.domain.StockPoolEvent;
import io.holdfast.reservation.domain.StockPoolEvent.SuspicionRaised;
import io.holdfast.reservation.domain.StockPoolMachine;
import io.holdfast.reservation.domain.StockPoolRefusal;
import io.holdfast.reservation.entity.EntityPoolDirectory;
import io.holdfast.reservation.port.PoolDirectory;
import io.holdfast.reservation.port.PoolStanding;
import io.holdfast.testkit.simulation.SimulatedEntities;
import io.holdfast.testkit.simulation.Simulation;
import io.holdfast.testkit.simulation.Storm;
import io.holdfast.testkit.simulation.Timeline;
import io.holdfast.testkit.simulation.World;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/** A node's directory keeps the contract, over the machine of the pools in a simulated fleet. */
class EntityPoolDirectoryConformanceTest extends PoolDirectoryConformance {

    private final Simulation simulation = Simulation.of(1, Storm.none());
    private final Timeline timeline = simulation.world().timeline();
    private final SimulatedEntities<StockPool, StockPoolCommand, StockPoolEvent, StockPoolEffect> pools = simulation
            .fleet()
            .host(MachineDefinition.of(
                    new StockPoolMachine(EffectPolicies.standard()),
                    (_, effect) -> performed(effect),
                    StockPool.class,
                    StockPoolCommand.class,
                    StockPoolEvent.class,
                    StockPoolRefusal.class));
    private final PoolDirectory directory = new EntityPoolDirectory(
            new ReachedWhileAnswering(),
            () -> Duration.between(World.START, timeline.now()).toNanos(),
            () -> simulation.world().chance().id("suspicion"));

    private boolean redisAnswers = true;
    private boolean answering = true;

    /** Redis, as far as a pool needs it to stand where it is to stand: a comparison has no end. */
    private CompletionStage<Outcome<StockPoolCommand>> performed(StockPoolEffect effect) {
        if (!redisAnswers) {
            return new CompletableFuture<>();
        }
        return switch (effect) {
            case StockPoolEffect.InitPool init ->
                done(init.key(), Books.expected(1, 1, init.init().units(), 0, 0));
            case StockPoolEffect.SetPoolStatus status -> done(status.key(), BOOKS);
            case StockPoolEffect.ArchivePool archive -> done(archive.key(), BOOKS);
            case StockPoolEffect.LetKeysGo _,
                    StockPoolEffect.AdjustPool _,
                    StockPoolEffect.DeliverUnits _,
                    StockPoolEffect.RepairPool _,
                    StockPoolEffect.VerifyPool _,
                    StockPoolEffect.RebuildPool _ -> new CompletableFuture<>();
        };
    }

    private static CompletionStage<Outcome<StockPoolCommand>> done(String key, Books books) {
        return CompletableFuture.completedFuture(Outcome.known(new StockPoolCommand.OperationDone(key, books)));
    }

    private final class ReachedWhileAnswering implements Entities<StockPool, StockPoolCommand> {

        @Override
        public CompletionStage<Outcome<Reply<StockPool>>> ask(
                String entityId, Cause cause, StockPoolCommand command, Duration patience) {
            return answering ? pools.ask(entityId, cause, command, patience) : nobody();
        }

        @Override
        public CompletionStage<Outcome<Reply<StockPool>>> look(String entityId) {
            return answering ? pools.look(entityId) : nobody();
        }

        private CompletionStage<Outcome<Reply<StockPool>>> nobody() {
            return CompletableFuture.completedFuture(Outcome.unavailable("the node is stopping"));
        }
    }

    private <T> T when(CompletionStage<T> stage) {
        CompletableFuture<T> future = stage.toCompletableFuture();
        while (!future.isDone()) {
            timeline.step();
        }
        return future.join();
    }

    private void give(PoolId pool, StockPoolCommand command) {
        var cause =
                new Cause(simulation.world().chance().id("command"), "", Cause.Kind.REQUEST, "test", Optional.empty());
        when(pools.ask(pool.value(), cause, command, Duration.ofSeconds(1)));
    }

    @Override
    protected PoolDirectory directory() {
        return directory;
    }

    @Override
    protected Outcome<PoolStanding> asked(PoolId pool) {
        return when(directory.standing(pool));
    }

    @Override
    protected void stands(PoolId pool, PoolStanding standing) {
        redisAnswers = !(standing instanceof PoolStanding.NotReady);
        switch (standing) {
            case PoolStanding.Unknown() -> {}
            case PoolStanding.NotReady(), PoolStanding.Serving _ -> give(pool, new Init("init", 10));
            case PoolStanding.Rebuilding _ -> {
                give(pool, new Init("init", 10));
                give(pool, new StockPoolCommand.Rebuild());
            }
            case PoolStanding.Archived _ -> {
                give(pool, new Init("init", 10));
                give(pool, new Close("close"));
                give(pool, new Archive("archive"));
            }
            case PoolStanding.Suspect(String evidence) -> {
                give(pool, new Init("init", 10));
                give(pool, new StockPoolCommand.Suspect(evidence));
            }
        }
    }

    @Override
    protected void nobodyAnswers() {
        answering = false;
    }

    @Override
    protected List<String> told(PoolId pool) {
        when(pools.look(pool.value()));
        return pools.journal().read(pool.value()).stream()
                .flatMap(entry -> entry instanceof Entry.Happened<StockPoolEvent>(SuspicionRaised raised, var _)
                        ? Stream.of(raised.evidence())
                        : Stream.of())
                .toList();
    }
}
