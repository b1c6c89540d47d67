package io.holdfast.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.bench.load.Operation.Ended;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class ClosedLoopTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Deque<Ended> onTheWay = new ArrayDeque<>();
    private final AtomicLong numbers = new AtomicLong();

    @Test
    void as_many_operations_are_on_the_way_as_were_asked_for_and_each_end_begins_the_next() {
        var loop = new ClosedLoop((number, ended) -> onTheWay.add(ended), 3, numbers);
        loop.start();
        assertThat(onTheWay).hasSize(3);

        onTheWay.remove().asWished();
        assertThat(onTheWay).hasSize(3);
        assertThat(numbers).hasValue(4);
        assertThat(loop.take().getTotalCount()).isEqualTo(1);
        assertThat(loop.take().getTotalCount()).isZero();
    }

    @Test
    void operations_that_end_while_they_begin_do_not_pile_up_on_the_stack() throws Exception {
        int many = 200_000;
        Deque<ClosedLoop> self = new ArrayDeque<>();
        var loop = new ClosedLoop(
                (number, ended) -> {
                    if (number == many) {
                        self.element().requestStop();
                    }
                    ended.asWished();
                },
                1,
                numbers);
        self.add(loop);
        loop.start();
        loop.stop(PATIENCE);
        assertThat(loop.take().getTotalCount()).isEqualTo(many + 1);
    }

    @Test
    void what_ends_otherwise_is_counted_by_reason_and_is_no_latency() {
        var loop = new ClosedLoop((number, ended) -> onTheWay.add(ended), 2, numbers);
        loop.start();
        for (String why : List.of("late", "lost", "late")) {
            onTheWay.remove().otherwise(why);
        }
        assertThat(loop.failures()).isEqualTo(Map.of("late", 2L, "lost", 1L));
        assertThat(loop.take().getTotalCount()).isZero();
    }

    @Test
    void a_stopped_loop_begins_nothing_and_waits_for_what_is_on_the_way() throws Exception {
        var loop = new ClosedLoop((number, ended) -> onTheWay.add(ended), 2, numbers);
        loop.start();
        assertThatThrownBy(() -> loop.stop(Duration.ZERO)).hasMessageContaining("2 operations are still on the way");
        onTheWay.remove().asWished();
        onTheWay.remove().otherwise("lost");
        loop.stop(PATIENCE);
        assertThat(onTheWay).isEmpty();
        assertThat(numbers).hasValue(2);
    }
}
