package io.holdfast.node;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gauges of what it takes a query to know, read now and then on a thread of their own, so that whoever collects metrics never waits for a
 * database. What can't be read is {@code NaN}, not an old number, and so is everything before the first reading.
 *
 * <p>A reading that takes long is repeated the later, so that no more than a hundredth of a session's time goes into it: to count costs the
 * more the more there is, and must not slow down what makes it more.
 *
 * @param <T> one reading
 */
final class SampledGauges<T> implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SampledGauges.class);

    private static final int SHARE = 100;
    private static final Duration LONGEST = Duration.ofMinutes(1);

    /** Where readings come from. */
    @FunctionalInterface
    interface Source<T> {
        T read() throws SQLException;
    }

    private final MeterRegistry registry;
    private final String what;
    private final Duration every;
    private final Source<? extends T> source;
    private final ScheduledExecutorService thread;
    private volatile Optional<T> latest = Optional.empty();

    /**
     * @param what what is read, for the thread's name and the log
     * @param every how long between two readings that take no time to speak of
     */
    SampledGauges(MeterRegistry registry, String what, Duration every, Source<? extends T> source) {
        this.registry = registry;
        this.what = what;
        this.every = every;
        this.source = source;
        this.thread = Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform()
                .daemon()
                .name("holdfast " + what + " gauges")
                .factory());
    }

    /** One more number of each reading. */
    SampledGauges<T> gauge(String name, String meaning, ToDoubleFunction<? super T> value) {
        return gauge(name, Tags.empty(), meaning, value);
    }

    /** One more number of each reading, told apart from others of its name by tags. */
    SampledGauges<T> gauge(String name, Tags tags, String meaning, ToDoubleFunction<? super T> value) {
        Gauge.builder(
                        name,
                        this,
                        gauges -> gauges.latest.map(value::applyAsDouble).orElse(Double.NaN))
                .description(meaning)
                .tags(tags)
                .register(registry);
        return this;
    }

    /** Begins to read. Once. */
    SampledGauges<T> start() {
        thread.execute(this::read);
        return this;
    }

    private void read() {
        long begun = System.nanoTime();
        Duration pause = every;
        try {
            latest = Optional.of(source.read());
            pause = pause(every, Duration.ofNanos(System.nanoTime() - begun));
        } catch (SQLException | RuntimeException e) {
            latest = Optional.empty();
            LOG.debug("{} gauges could not be read", what, e);
        }
        if (!thread.isShutdown()) {
            var _ = thread.schedule(this::read, pause.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /** How long to wait after a reading that took so long. */
    static Duration pause(Duration every, Duration took) {
        Duration share = took.multipliedBy(SHARE);
        Duration bounded = share.compareTo(LONGEST) < 0 ? share : LONGEST;
        return bounded.compareTo(every) > 0 ? bounded : every;
    }

    /** An age in seconds; 0 where there is nothing that has one. */
    static double seconds(Optional<Duration> age) {
        return age.map(Duration::toMillis).orElse(0L) / 1000.0;
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
