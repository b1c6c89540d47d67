package io.holdfast.simulation.world;

import java.time.Duration;

/** What Redis goes through in a world, besides everything that goes wrong in each of them. */
public enum Weather {
    /** It keeps what it has. */
    FAIR(false, false) {
        @Override
        void over(SaleDay day, Duration every) {}
    },
    /** Its process is another one again and again, with the same data. */
    RESTARTS(false, false) {
        @Override
        void over(SaleDay day, Duration every) {
            day.simulation().nowAndThen(every, "Redis restarts", day.redis()::restart);
        }
    },
    /** Nobody reaches it for a while, again and again. */
    OUTAGES(false, false) {
        @Override
        void over(SaleDay day, Duration every) {
            day.simulation()
                    .nowAndThen(
                            every,
                            "Redis is out of reach",
                            () -> day.redis().goesOutFor(day.world().chance().between(Duration.ofSeconds(1), every)));
        }
    },
    /** Operators have pools loaded anew though nothing is wrong with them. */
    REBUILDS(false, false) {
        @Override
        void over(SaleDay day, Duration every) {
            day.simulation().nowAndThen(every.dividedBy(2), "somebody has a pool rebuilt", day::somebodyRebuildsAPool);
            day.simulation().nowAndThen(every.multipliedBy(2), "Redis restarts", day.redis()::restart);
        }
    },
    /** It loses everything, with its process or without. */
    FLUSHES(true, true) {
        @Override
        void over(SaleDay day, Duration every) {
            day.world()
                    .timeline()
                    .after(
                            FIRST,
                            "",
                            () -> day.simulation()
                                    .nowAndThen(
                                            every,
                                            "Redis loses everything",
                                            () -> day.redis()
                                                    .flush(day.world().chance().strikes(0.5))));
        }
    },
    /** A fence is gone: evicted, or taken by somebody. */
    LOST_FENCES(true, false) {
        @Override
        void over(SaleDay day, Duration every) {
            day.simulation().nowAndThen(every.dividedBy(2), "a fence vanishes", day::aFenceVanishes);
            day.simulation().nowAndThen(every, "a fence vanishes unseen", day::aFenceVanishesUnseen);
            day.reconciles();
        }
    },
    /** It comes back with what it had some time ago. */
    OLD_DATA(true, true) {
        @Override
        void over(SaleDay day, Duration every) {
            day.world().timeline().after(FIRST, "", () -> {
                day.redis().keepSnapshot();
                day.simulation().nowAndThen(every.dividedBy(3), "Redis is saved", day.redis()::keepSnapshot);
                day.simulation().nowAndThen(every, "Redis comes back as it was saved", day.redis()::rollBack);
            });
        }
    },
    /** A replica is promoted that lacks the last few writes. */
    FAILOVERS(true, true) {
        @Override
        void over(SaleDay day, Duration every) {
            day.world()
                    .timeline()
                    .after(
                            FIRST,
                            "",
                            () -> day.simulation()
                                    .nowAndThen(
                                            every.dividedBy(2),
                                            "Redis fails over",
                                            () -> day.redis()
                                                    .failOverAfter(
                                                            day.world().chance().between(1, 6))));
        }
    };

    /** By then every pool is there. */
    private static final Duration FIRST = Duration.ofSeconds(2);

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

    /** Has it happen in this world, about so often. */
    abstract void over(SaleDay day, Duration every);

    /** That of a seed; each has its turn. */
    public static Weather of(long seed) {
        return values()[Math.floorMod(seed, values().length)];
    }
}
