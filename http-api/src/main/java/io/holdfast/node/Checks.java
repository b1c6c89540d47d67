package io.holdfast.node;

import io.holdfast.engine.projection.ProjectionRunner;
import io.holdfast.engine.runtime.JournalProbe;
import io.holdfast.engine.sweep.Sweeper;
import io.holdfast.engine.sweep.WakeAhead;
import io.holdfast.http.health.Health;
import io.holdfast.http.health.HealthCheck;
import io.holdfast.lua.redis.RedisState;
import io.holdfast.lua.redis.RedisStockScripts;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** What this node can't serve without, and what it misses. */
final class Checks {

    private static final int SECONDS = 2;

    private Checks() {}

    static List<HealthCheck> of(
            ClusterMember member,
            DataSource views,
            RedisStockScripts scripts,
            List<ProjectionRunner> projections,
            Sweeper sweeper,
            WakeAhead wakeAhead,
            Optional<HealthCheck> kafka) {
        return Stream.concat(own(member, views, scripts, projections, sweeper, wakeAhead).stream(), kafka.stream())
                .toList();
    }

    private static List<HealthCheck> own(
            ClusterMember member,
            DataSource views,
            RedisStockScripts scripts,
            List<ProjectionRunner> projections,
            Sweeper sweeper,
            WakeAhead wakeAhead) {
        return List.of(
                check(
                        "cluster",
                        () -> CompletableFuture.completedFuture(
                                member.isMember() ? Health.up() : Health.down("not a full member of the cluster"))),
                check("postgresql", () -> onItsOwnThread(views)),
                check(
                        "journal",
                        () -> JournalProbe.read(member.system())
                                .handle((_, failure) ->
                                        failure == null ? Health.up() : Health.down("it can't be read"))),
                check("redis", () -> scripts.check().thenApply(Checks::health)),
                check(
                        "projections",
                        () -> CompletableFuture.completedFuture(
                                unlessInTrouble(projections.stream().flatMap(runner -> runner.trouble().stream())))),
                check(
                        "sweeper",
                        () -> CompletableFuture.completedFuture(
                                unlessInTrouble(Stream.of(sweeper.trouble(), wakeAhead.trouble())
                                        .flatMap(Optional::stream)))));
    }

    /** What the trouble is may hold addresses and rows: the log has it. */
    private static Health unlessInTrouble(Stream<String> troubles) {
        return troubles.findAny().isPresent()
                ? Health.down("it failed and begins again after a pause; the log says why")
                : Health.up();
    }

    private static HealthCheck check(String name, Supplier<CompletionStage<Health>> how) {
        return new HealthCheck() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public CompletionStage<Health> check() {
                return how.get();
            }
        };
    }

    private static CompletionStage<Health> onItsOwnThread(DataSource database) {
        var answer = new CompletableFuture<Health>();
        Thread.ofVirtual().name("holdfast health").start(() -> {
            try (var connection = database.getConnection()) {
                answer.complete(
                        connection.isValid(SECONDS) ? Health.up() : Health.down("a connection does not answer"));
            } catch (SQLException e) {
                answer.complete(Health.down("no connection"));
            } catch (RuntimeException e) {
                answer.completeExceptionally(e);
            }
        });
        return answer;
    }

    private static Health health(RedisState state) {
        return switch (state) {
            case RedisState.Usable _ -> Health.up();
            case RedisState.Unsuitable _ -> Health.down("it must not be used as it is set up");
            case RedisState.Unreachable _ -> Health.down("it is not reached");
        };
    }
}
