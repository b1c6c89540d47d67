package io.holdfast.simulation.world;

import java.time.Duration;

/** What Redis goes through in a world, besides everything that goes wrong in each of them. */
public enum Weather {
    /** It keeps what it has. */
    FAIR(false, false) {
        @Override
        void over(SaleDay day) {}
    },
    /** Its process is another one again and again, with the same data. */
    RESTARTS(false, false) {
        @Override
        void over(SaleDay day) {
            day.simulation().nowAndThen(Duration.ofSeconds(45), "", day.redis()::restart);
        }
    },
    /** Nobody reaches it for a while, again and again. */
    OUTAGES(false, false) {
        @Override
        void over(SaleDay day) {
            day.simulation()
                    .nowAndThen(
                            Duration.ofSeconds(40),
                            "",
                            () -> day.redis()
                                    .goesOutFor(day.world()
                                            .chance()
                                            .between(Duration.ofSeconds(1), Duration.ofSeconds(25))));
        }
    },
    /** Operators have pools loaded anew though nothing is wrong with them. */
    REBUILDS(false, false) {
        @Override
        void over(SaleDay day) {
            day.simulation().nowAndThen(Duration.ofSeconds(20), "", day::somebodyRebuildsAPool);
            day.simulation().nowAndThen(Duration.ofSeconds(80), "", day.redis()::restart);
        }
    },
    /** It loses everything, with its process or without. */
    FLUSHES(true, true) {
        @Override
        void over(SaleDay day) {
            // An Init that comes late to a Redis that was flushed since would create its pool once more: nothing is on
            // its way by then.
            day.world()
                    .timeline()
                    .after(
                            FIRST,
                            "",
                            () -> day.simulation()
                                    .nowAndThen(
                                            Duration.ofSeconds(40),
                                            "",
                                            () -> day.redis()
                                                    .flush(day.world().chance().strikes(0.5))));
        }
    },
    /** A fence is gone: evicted, or taken by somebody. */
    LOST_FENCES(true, false) {
        @Override
        void over(SaleDay day) {
            day.simulation().nowAndThen(Duration.ofSeconds(20), "", day::aFenceVanishes);
        }
    },
    /** It comes back with what it had some time ago. */
    OLD_DATA(true, true) {
        @Override
        void over(SaleDay day) {
            day.redis().keepSnapshot();
            day.simulation().nowAndThen(Duration.ofSeconds(15), "", day.redis()::keepSnapshot);
            day.simulation().nowAndThen(Duration.ofSeconds(60), "", day.redis()::rollBack);
        }
    },
    /** A replica is promoted that lacks the last few writes. */
    FAILOVERS(true, true) {
        @Override
        void over(SaleDay day) {
            day.world()
                    .timeline()
                    .after(
                            FIRST,
                            "",
                            () -> day.simulation()
                                    .nowAndThen(
                                            Duration.ofSeconds(25),
                                            "",
                                            () -> day.redis()
                                                    .failOverAfter(
                                                            day.world().chance().between(1, 6))));
        }
    };

    /** Until then every pool has been created. */
    private static final Duration FIRST = Duration.ofMinutes(1);

    private final boolean forgets;
    private final boolean goesBack;

    Weather(boolean forgets, boolean goesBack) {
        this.forgets = forgets;
        this.goesBack = goesBack;
    }

    /** Whether Redis loses anything. */
    public boolean forgets() {
        return forgets;
    }

    /** Whether it loses what it had as a whole. */
    public boolean goesBack() {
        return goesBack;
    }

    /** Has it happen in this world. */
    abstract void over(SaleDay day);

    /** That of a seed; each has its turn. */
    public static Weather of(long seed) {
        return values()[Math.floorMod(seed, values().length)];
    }
}
