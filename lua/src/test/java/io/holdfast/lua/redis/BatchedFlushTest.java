package io.holdfast.lua.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class BatchedFlushTest {

    private final ByHand executor = new ByHand();
    private int flushes;
    private final BatchedFlush flush = new BatchedFlush(executor, () -> flushes++);

    @AfterEach
    void end() {
        executor.shutdownNow();
    }

    @Test
    void a_call_that_comes_alone_is_sent_at_once() {
        flush.soon();
        executor.run();

        assertThat(flushes).isEqualTo(1);
        assertThat(executor.later).isEmpty();
    }

    @Test
    void calls_written_before_the_flush_go_together() {
        flush.soon();
        flush.soon();
        flush.soon();
        executor.run();

        assertThat(flushes).isEqualTo(1);
    }

    @Test
    void what_is_written_while_a_batch_is_under_way_goes_with_the_last_answer_to_it() {
        flush.soon();
        flush.soon();
        executor.run();
        flush.soon();
        flush.soon();
        executor.run();
        assertThat(flushes).isEqualTo(1);

        flush.answered();
        assertThat(flushes).isEqualTo(1);
        flush.answered();
        assertThat(flushes).isEqualTo(2);

        flush.answered();
        flush.answered();
        assertThat(flushes).as("nothing more was written").isEqualTo(2);
    }

    @Test
    void a_server_that_does_not_answer_is_sent_the_next_batch_all_the_same() {
        flush.soon();
        executor.run();
        flush.soon();
        flush.soon();
        assertThat(executor.later).hasSize(1);

        executor.timePasses();

        assertThat(flushes).isEqualTo(2);
        flush.soon();
        assertThat(executor.later).as("and the one after that").hasSize(1);
    }

    @Test
    void an_answer_that_comes_before_its_call_is_counted_holds_nobody_up() {
        flush.answered();
        flush.soon();
        executor.run();
        flush.soon();
        executor.run();

        assertThat(flushes).isEqualTo(2);
    }

    @Test
    void when_the_client_is_being_closed_the_caller_flushes() {
        executor.refuses = true;

        flush.soon();

        assertThat(flushes).isEqualTo(1);
    }

    /** Runs what it was given when told to. */
    private static final class ByHand extends ScheduledThreadPoolExecutor {

        private final Queue<Runnable> soon = new ArrayDeque<>();
        private final Queue<Runnable> later = new ArrayDeque<>();
        private boolean refuses;

        ByHand() {
            super(0);
        }

        @Override
        public void execute(Runnable task) {
            if (refuses) {
                throw new RejectedExecutionException();
            }
            soon.add(task);
        }

        @Override
        public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
            assertThat(unit.toNanos(delay)).isEqualTo(BatchedFlush.LONGEST_NANOS);
            later.add(task);
            return new Scheduled(task);
        }

        void run() {
            drain(soon);
        }

        void timePasses() {
            drain(later);
        }

        private static void drain(Queue<Runnable> tasks) {
            for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                task.run();
            }
        }
    }

    private static final class Scheduled extends FutureTask<@Nullable Void> implements ScheduledFuture<@Nullable Void> {

        Scheduled(Runnable task) {
            super(task, null);
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return 0;
        }

        @Override
        public int compareTo(Delayed other) {
            return 0;
        }
    }
}
