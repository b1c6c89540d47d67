package io.holdfast.simulation;

import io.holdfast.simulation.world.Coverage;
import io.holdfast.simulation.world.Twist;
import io.holdfast.simulation.world.Weather;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/** Many worlds, each on one thread, several threads beside each other. Ends with the first that fails. */
final class Campaign {

    private final long from;
    private final long end;
    private final long deadline;
    private final AtomicLong next;
    private final AtomicLong stopAt = new AtomicLong(Long.MAX_VALUE);

    /** What came of a campaign. */
    record Report(
            long worlds,
            long steps,
            Duration took,
            Map<String, Long> struck,
            Map<Weather, Long> weathers,
            Coverage coverage,
            Optional<WorldRun> failed) {

        /** Worlds a minute. */
        long aMinute() {
            return Math.round(worlds * 60e9 / Math.max(1, took.toNanos()));
        }
    }

    /**
     * Of these seeds.
     *
     * @param from the first
     * @param seeds how many at most
     * @param atMost no world is begun after this time
     */
    Campaign(long from, long seeds, Duration atMost) {
        this.from = from;
        this.end = seeds > Long.MAX_VALUE - from ? Long.MAX_VALUE : from + seeds;
        this.deadline = System.nanoTime() + atMost.toNanos();
        this.next = new AtomicLong(from);
    }

    /** Runs it. */
    Report run(int threads) {
        long began = System.nanoTime();
        List<Share> shares = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            shares.add(new Share());
        }
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            List<Future<?>> running = new ArrayList<>();
            shares.forEach(share -> running.add(pool.submit(share)));
            for (Future<?> each : running) {
                each.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("a world could not be run", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
        return together(shares, Duration.ofNanos(System.nanoTime() - began));
    }

    private static Report together(List<Share> shares, Duration took) {
        Coverage coverage = Coverage.begun();
        Map<String, Long> struck = new TreeMap<>();
        Map<Weather, Long> weathers = new TreeMap<>();
        long worlds = 0;
        long steps = 0;
        Optional<WorldRun> failed = Optional.empty();
        for (Share share : shares) {
            coverage.add(share.coverage);
            share.struck.forEach((fault, times) -> struck.merge(fault, times, Long::sum));
            share.weathers.forEach((weather, times) -> weathers.merge(weather, times, Long::sum));
            worlds += share.worlds;
            steps += share.steps;
            if (share.failed.isPresent()
                    && failed.filter(other -> other.seed() < share.failed.get().seed())
                            .isEmpty()) {
                failed = share.failed;
            }
        }
        return new Report(worlds, steps, took, struck, weathers, coverage, failed);
    }

    /** What one thread does. */
    private final class Share implements Runnable {
        private final Coverage coverage = Coverage.begun();
        private final Map<String, Long> struck = new TreeMap<>();
        private final Map<Weather, Long> weathers = new TreeMap<>();
        private long worlds;
        private long steps;
        private Optional<WorldRun> failed = Optional.empty();

        @Override
        public void run() {
            while (System.nanoTime() < deadline || next.get() == from) {
                long seed = next.getAndIncrement();
                // Those before the one that failed are run to their end, so that the first of all is told.
                if (seed >= end || seed >= stopAt.get()) {
                    return;
                }
                WorldRun world = WorldRun.of(seed, Weather.of(seed), () -> Twist.NONE, coverage);
                worlds++;
                steps += world.steps();
                weathers.merge(world.weather(), 1L, Long::sum);
                world.struck().forEach((fault, times) -> struck.merge(fault, (long) times, Long::sum));
                if (world.failure().isPresent()) {
                    failed = Optional.of(world);
                    stopAt.accumulateAndGet(seed, Math::min);
                    return;
                }
            }
        }
    }
}
