package io.holdfast.reservation.entity;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.engine.runtime.Entities;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.EffectPolicies;
import io.holdfast.reservation.domain.PoolOperation.Init;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.domain.StockPoolCommand;
import io.holdfast.reservation.domain.StockPoolEvent;
import io.holdfast.reservation.domain.StockPoolMachine;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class EntityPoolTagsTest {

    private static final String POOL = "m-1:soup:2026-07-25";
    private static final Optional<String> TAG = Optional.of("m-1:2026-07-25");
    private static final Init INIT = new Init("init-1", 10, TAG);

    private Outcome<Reply<StockPool>> answer = Outcome.unavailable("starting");
    private int looks;
    private final EntityPoolTags tags = new EntityPoolTags(new Entities<>() {
        @Override
        public CompletionStage<Outcome<Reply<StockPool>>> ask(
                String entityId, Cause cause, StockPoolCommand command, Duration patience) {
            throw new AssertionError("a tag is looked up, and nothing is told");
        }

        @Override
        public CompletionStage<Outcome<Reply<StockPool>>> look(String entityId) {
            looks++;
            return CompletableFuture.completedFuture(answer);
        }
    });

    private void poolIs(StockPoolEvent... past) {
        StockPoolMachine machine = new StockPoolMachine(EffectPolicies.standard());
        StockPool state = machine.initial(POOL);
        for (StockPoolEvent event : past) {
            state = machine.evolve(state, event);
        }
        answer = Outcome.known(new Reply<>(POOL, past.length, Verdict.done(), false, state, List.of()));
    }

    private Outcome<Optional<String>> tag() {
        return tags.of(POOL).toCompletableFuture().join();
    }

    @Test
    void a_pool_is_asked_once_for_it_keeps_its_tag_for_ever() {
        poolIs(
                new StockPoolEvent.OperationAccepted(INIT),
                new StockPoolEvent.PoolInitialized("init-1", Books.expected(1, 1, 10, 0, 0)));
        assertThat(tag()).isEqualTo(Outcome.known(TAG));
        answer = Outcome.unavailable("the node is stopping");
        assertThat(tag()).isEqualTo(Outcome.known(TAG));
        assertThat(looks).isEqualTo(1);
    }

    @Test
    void one_that_is_being_created_has_the_tag_it_is_created_with_and_is_asked_again() {
        poolIs(new StockPoolEvent.OperationAccepted(INIT));
        assertThat(tag()).isEqualTo(Outcome.known(TAG));
        assertThat(tag()).isEqualTo(Outcome.known(TAG));
        assertThat(looks).isEqualTo(2);
    }

    @Test
    void one_that_does_not_exist_may_yet_be_created_with_another() {
        poolIs();
        assertThat(tag()).isEqualTo(Outcome.known(Optional.empty()));
        poolIs(
                new StockPoolEvent.OperationAccepted(INIT),
                new StockPoolEvent.PoolInitialized("init-1", Books.expected(1, 1, 10, 0, 0)));
        assertThat(tag()).isEqualTo(Outcome.known(TAG));
    }

    @Test
    void one_that_can_not_be_asked_is_not_known_and_is_asked_again() {
        assertThat(tag()).isEqualTo(Outcome.unavailable("starting"));
        poolIs(
                new StockPoolEvent.OperationAccepted(new Init("init-1", 10)),
                new StockPoolEvent.PoolInitialized("init-1", Books.expected(1, 1, 10, 0, 0)));
        assertThat(tag()).isEqualTo(Outcome.known(Optional.empty()));
        assertThat(looks).isEqualTo(2);
    }
}
