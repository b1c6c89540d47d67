package io.holdfast.bench;

import io.holdfast.bench.check.Sums;
import io.holdfast.bench.load.ClosedLoop;
import io.holdfast.bench.load.Load;
import io.holdfast.bench.load.Operation;
import io.holdfast.reservation.domain.PoolId;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;

/** A load on a node in this JVM, and what its callers were told. */
public final class OurTrial {

    private static final Duration SHORTEST_WARM_UP = Duration.ofSeconds(40);
    private static final Duration FILL_PATIENCE = Duration.ofMinutes(3);
    /** Units of a pool that never runs out. */
    public static final long PLENTY = 1L << 40;

    private final Subject subject;
    private final PoolSet pools;
    private final Kind kind;
    private final AtomicLong numbers = new AtomicLong();

    /** What is asked for again and again. */
    public enum Kind {
        /** A hold. */
        HOLD,
        /** A hold and its confirm. */
        HOLD_CONFIRM,
        /** A hold of what there is not. */
        SOLD_OUT
    }

    /** Creates the pools it needs. */
    public OurTrial(Subject subject, PoolSet pools, Kind kind) {
        this.subject = subject;
        this.pools = pools;
        this.kind = kind;
        subject.create(pools, kind == Kind.SOLD_OUT ? 0 : PLENTY);
    }

    /** The node it asks. */
    public Subject subject() {
        return subject;
    }

    /** As one of those that take turns. */
    public Contender contender(String name, int outstanding) {
        Asks asks = new Asks(subject.node(), pools);
        Operation operation = switch (kind) {
            case HOLD -> asks.holds();
            case HOLD_CONFIRM -> asks.confirmedHolds();
            case SOLD_OUT -> asks.soldOutHolds();
        };
        return new Contender(
                name, () -> new ClosedLoop(operation, outstanding, numbers), SHORTEST_WARM_UP, subject::lag);
    }

    /**
     * Repeats it until it has ended at least so often.
     *
     * @return how often a second
     */
    public double fill(int outstanding, int many) throws InterruptedException {
        Load load = contender("fill", Math.min(outstanding, many)).load().get();
        long began = System.nanoTime();
        load.start();
        Histogram done = load.take();
        while (done.getTotalCount() < many && load.failures().isEmpty()) {
            TimeUnit.MILLISECONDS.sleep(5);
            done.add(load.take());
        }
        double seconds = (System.nanoTime() - began) / 1e9;
        load.stop(FILL_PATIENCE);
        if (!load.failures().isEmpty()) {
            throw new IllegalStateException("it did not end as it should: " + load.failures());
        }
        return done.getTotalCount() / seconds;
    }

    /** The pools it goes to. */
    public List<PoolId> pools() {
        return pools.pools();
    }

    /** The same, with the lines of its operations. */
    public PoolSet poolSet() {
        return pools;
    }

    /** What callers were told, by pool, if every operation ended as it should. */
    public Map<String, Sums.Told> told() {
        return told(pools, kind, numbers.get());
    }

    /** How many operations were begun. */
    public long begun() {
        return numbers.get();
    }

    /** What callers of so many operations were told, by pool. */
    public static Map<String, Sums.Told> told(PoolSet pools, Kind kind, long begun) {
        Map<String, Sums.Told> told = new HashMap<>();
        for (int i = 0; i < pools.pools().size(); i++) {
            long share = pools.share(i, begun);
            told.put(
                    pools.pools().get(i).value(),
                    switch (kind) {
                        case HOLD -> new Sums.Told(share, 0);
                        case HOLD_CONFIRM -> new Sums.Told(0, share);
                        case SOLD_OUT -> new Sums.Told(0, 0);
                    });
        }
        return told;
    }
}
