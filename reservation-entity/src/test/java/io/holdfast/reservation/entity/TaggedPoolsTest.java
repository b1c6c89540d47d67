package io.holdfast.reservation.entity;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.runtime.Entities;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.reservation.domain.PoolOperation.Init;
import io.holdfast.reservation.domain.PoolOperation.Pause;
import io.holdfast.reservation.domain.SharedTags;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.domain.StockPoolCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class TaggedPoolsTest {

    private static final Cause CAUSE = new Cause("k", "", Cause.Kind.REQUEST, "test", Optional.empty());

    private final List<StockPoolCommand> told = new ArrayList<>();
    private final List<String> looked = new ArrayList<>();
    private final TaggedPools pools = new TaggedPools(
            new Entities<>() {
                @Override
                public CompletionStage<Outcome<Reply<StockPool>>> ask(
                        String entityId, Cause cause, StockPoolCommand command, Duration patience) {
                    told.add(command);
                    return CompletableFuture.completedFuture(Outcome.unavailable("a test"));
                }

                @Override
                public CompletionStage<Outcome<Reply<StockPool>>> look(String entityId) {
                    looked.add(entityId);
                    return CompletableFuture.completedFuture(Outcome.unavailable("a test"));
                }
            },
            new SharedTags(Set.of("m-1")));

    private StockPoolCommand toldAs(String pool, StockPoolCommand command) {
        pools.ask(pool, CAUSE, command, Duration.ZERO);
        return told.getLast();
    }

    @Test
    void whoever_creates_a_pool_has_it_told_the_tag_it_shares() {
        assertThat(toldAs("m-1:soup:2026-07-25", new Init("init-1", 10)))
                .isEqualTo(new Init("init-1", 10, Optional.of("m-1:2026-07-25")));
    }

    @Test
    void a_pool_that_shares_none_is_told_none() {
        Init init = new Init("init-1", 10);
        assertThat(toldAs("m-2:soup:2026-07-25", init)).isEqualTo(init);
        assertThat(toldAs("m-1:sale", init)).isEqualTo(init);
    }

    @Test
    void what_is_no_pool_id_is_left_for_the_pool_to_refuse() {
        Init init = new Init("init-1", 10);
        assertThat(toldAs("no pool", init)).isEqualTo(init);
    }

    @Test
    void a_tag_that_is_named_stays_and_no_other_command_is_touched() {
        Init named = new Init("init-1", 10, Optional.of("m-1:other"));
        assertThat(toldAs("m-1:soup:2026-07-25", named)).isEqualTo(named);
        Pause pause = new Pause("pause-1");
        assertThat(toldAs("m-1:soup:2026-07-25", pause)).isSameAs(pause);
        pools.look("m-1:soup:2026-07-25");
        assertThat(looked).containsExactly("m-1:soup:2026-07-25");
    }
}
