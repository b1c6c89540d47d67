package io.holdfast.reservation.entity;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.engine.runtime.Entities;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.domain.StockPoolCommand;
import io.holdfast.reservation.domain.StockPoolSamples;
import io.holdfast.reservation.port.PoolStanding;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class EntityPoolDirectoryTest {

    private static final PoolId POOL = Shop.POOL;

    private final Pools pools = new Pools();
    private final AtomicLong nanos = new AtomicLong();
    private final AtomicLong ids = new AtomicLong();
    private final EntityPoolDirectory directory =
            new EntityPoolDirectory(pools, nanos::get, () -> Long.toString(ids.incrementAndGet()));

    /** The pool entities as far as the directory sees them: questions are answered when the test says so. */
    private static final class Pools implements Entities<StockPool, StockPoolCommand> {
        private final List<CompletableFuture<Outcome<Reply<StockPool>>>> looks = new ArrayList<>();
        private final List<StockPoolCommand> commands = new ArrayList<>();
        private final List<Cause> causes = new ArrayList<>();
        private boolean broken;

        @Override
        public CompletionStage<Outcome<Reply<StockPool>>> ask(
                String entityId, Cause cause, StockPoolCommand command, Duration patience) {
            commands.add(command);
            causes.add(cause);
            return new CompletableFuture<>();
        }

        @Override
        public CompletionStage<Outcome<Reply<StockPool>>> look(String entityId) {
            if (broken) {
                throw new IllegalStateException("no shards yet");
            }
            CompletableFuture<Outcome<Reply<StockPool>>> look = new CompletableFuture<>();
            looks.add(look);
            return look;
        }

        void answer(StockPool state) {
            looks.getLast()
                    .complete(Outcome.known(new Reply<>(state.id(), 1, Verdict.done(), false, state, List.of())));
        }
    }

    private static StockPool sample(Class<? extends StockPool> kind) {
        return new StockPoolSamples()
                .states().stream()
                        .map(sample -> sample.value())
                        .filter(kind::isInstance)
                        .findFirst()
                        .orElseThrow();
    }

    private CompletableFuture<Outcome<PoolStanding>> ask() {
        return directory.standing(POOL).toCompletableFuture();
    }

    @Test
    void a_pool_that_serves_is_asked_once_and_remembered() {
        var first = ask();
        var second = ask();
        assertThat(pools.looks).hasSize(1);
        pools.answer(sample(StockPool.Open.class));
        assertThat(first.join()).isEqualTo(Outcome.known(new PoolStanding.Serving(1)));
        assertThat(second.join()).isEqualTo(first.join());
        nanos.addAndGet(Duration.ofDays(1).toNanos());
        assertThat(ask()).isDone();
        assertThat(pools.looks).hasSize(1);
    }

    @Test
    void a_closed_pool_serves_what_runs_in_it() {
        var asked = ask();
        pools.answer(sample(StockPool.Closed.class));
        assertThat(asked.join()).isEqualTo(Outcome.known(new PoolStanding.Serving(1)));
    }

    @Test
    void a_pool_that_does_not_exist_is_asked_again_after_a_second() {
        var asked = ask();
        pools.answer(sample(StockPool.New.class));
        assertThat(asked.join()).isEqualTo(Outcome.known(new PoolStanding.Unknown()));
        nanos.addAndGet(Duration.ofMillis(999).toNanos());
        assertThat(ask().join()).isEqualTo(Outcome.known(new PoolStanding.Unknown()));
        assertThat(pools.looks).hasSize(1);
        nanos.addAndGet(Duration.ofMillis(2).toNanos());
        assertThat(ask()).isNotDone();
        assertThat(pools.looks).hasSize(2);
    }

    @Test
    void a_pool_that_did_not_exist_when_it_was_created_is_asked_again_at_once() {
        ask();
        pools.answer(sample(StockPool.New.class));
        directory.forget(POOL);
        var beforeItWasCreated = ask();
        directory.forget(POOL);
        pools.answer(sample(StockPool.New.class));
        assertThat(beforeItWasCreated.join()).isEqualTo(Outcome.known(new PoolStanding.Unknown()));
        assertThat(ask()).isNotDone();
        assertThat(pools.looks).hasSize(3);
    }

    @Test
    void a_pool_that_can_not_even_be_asked_is_asked_again_by_the_next() {
        pools.broken = true;
        assertThat(ask().join()).isInstanceOf(Outcome.Unavailable.class);
        pools.broken = false;
        var again = ask();
        pools.answer(sample(StockPool.Open.class));
        assertThat(again.join()).isEqualTo(Outcome.known(new PoolStanding.Serving(1)));
    }

    @Test
    void a_suspect_pool_is_asked_again_after_a_second() {
        ask();
        pools.answer(sample(StockPool.Suspect.class));
        nanos.addAndGet(Duration.ofMillis(999).toNanos());
        assertThat(ask().join()).isEqualTo(Outcome.known(new PoolStanding.Suspect("another Redis process answered")));
        assertThat(pools.looks).hasSize(1);
        nanos.addAndGet(Duration.ofMillis(2).toNanos());
        var again = ask();
        pools.answer(sample(StockPool.Open.class));
        assertThat(again.join()).isEqualTo(Outcome.known(new PoolStanding.Serving(1)));
    }

    @Test
    void a_pool_being_created_is_asked_again_after_a_second() {
        ask();
        pools.answer(sample(StockPool.Initializing.class));
        assertThat(ask().join()).isEqualTo(Outcome.known(new PoolStanding.NotReady()));
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(ask()).isNotDone();
    }

    @Test
    void a_suspicion_shuts_the_pool_here_at_once_and_is_told_once() {
        ask();
        pools.answer(sample(StockPool.Open.class));
        directory.suspect(POOL, 1, "MISSING: r-1");
        directory.suspect(POOL, 1, "MISSING: r-2");
        assertThat(ask().join()).isEqualTo(Outcome.known(new PoolStanding.Suspect("MISSING: r-1")));
        assertThat(pools.commands).containsExactly(new StockPoolCommand.Suspect("MISSING: r-1", OptionalLong.of(1)));
        assertThat(pools.causes.getFirst().id()).isEqualTo("suspect-1");
    }

    @Test
    void a_suspicion_that_was_lost_is_told_again_when_it_is_seen_again() {
        directory.suspect(POOL, 1, "MISSING: r-1");
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        directory.suspect(POOL, 1, "MISSING: r-2");
        assertThat(pools.commands).hasSize(2);
    }

    @Test
    void an_answer_that_does_not_come_is_no_knowledge() {
        var asked = ask();
        pools.looks.getFirst().complete(Outcome.unknown("no answer"));
        assertThat(asked.join()).isEqualTo(Outcome.unknown("no answer"));
        assertThat(ask()).isNotDone();
        pools.looks.getLast().completeExceptionally(new IllegalStateException("stopping"));
        assertThat(ask()).isNotDone();
        assertThat(pools.looks).hasSize(3);
    }

    @Test
    void what_is_forgotten_is_asked_again() {
        ask();
        pools.answer(sample(StockPool.Open.class));
        directory.forget(POOL);
        assertThat(ask()).isNotDone();
    }
}
