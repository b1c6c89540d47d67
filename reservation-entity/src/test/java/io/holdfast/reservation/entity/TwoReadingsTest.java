package io.holdfast.reservation.entity;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.reservation.domain.Buckets;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.entity.SaleBuckets.Brought;
import io.holdfast.reservation.entity.SaleBuckets.Bucket;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** Two buckets of three units, read twice each, and everything that can happen between the reads in up to four steps. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class TwoReadingsTest {

    private static final List<PoolId> POOLS = new Buckets(2, 0).pools(PoolId.parse("spring:shoes"));
    private static final long TOTAL = 3;
    private static final int STEPS = 4;
    private static final int NOWHERE = -1;

    /** What a bucket says of itself, beside its numbers, that lets two readings be compared. */
    private interface Mark {
        String of(Stock stock);
    }

    private record Stock(int total, int available, int held, int baseline, int version, int raised) {
        Stock hold() {
            return new Stock(total, available - 1, held + 1, baseline, version + 1, raised);
        }

        Stock back() {
            return new Stock(total, available + 1, held - 1, baseline, version + 1, version + 1);
        }

        Stock sell() {
            return new Stock(total, available, held - 1, baseline, version + 1, raised);
        }

        Stock give() {
            return new Stock(total - 1, available - 1, held, baseline + 1, version + 1, raised);
        }

        Stock receive() {
            return new Stock(total + 1, available + 1, held, baseline + 1, version + 1, version + 1);
        }
    }

    /** @param onWay which of them a unit is on its way to */
    private record World(List<Stock> stocks, int onWay) {
        World with(int index, Stock stock, int way) {
            List<Stock> next = new ArrayList<>(stocks);
            next.set(index, stock);
            return new World(next, way);
        }

        long sellable() {
            return stocks.stream().mapToLong(Stock::available).sum() + (onWay == NOWHERE ? 0 : 1);
        }

        List<World> next() {
            List<World> all = new ArrayList<>();
            for (int i = 0; i < stocks.size(); i++) {
                Stock stock = stocks.get(i);
                if (stock.available() > 0) {
                    all.add(with(i, stock.hold(), onWay));
                }
                if (stock.available() > 0 && onWay == NOWHERE) {
                    all.add(with(i, stock.give(), 1 - i));
                }
                if (stock.held() > 0) {
                    all.add(with(i, stock.back(), onWay));
                    all.add(with(i, stock.sell(), onWay));
                }
                if (onWay == i) {
                    all.add(with(i, stock.receive(), NOWHERE));
                }
            }
            return all;
        }
    }

    /** How often it was said that there was too little, how often although something happened meanwhile, and how often wrongly. */
    private static final class Said {
        private final Mark mark;
        private int tooFew;
        private int meanwhile;
        private int wrongly;

        Said(Mark mark) {
            this.mark = mark;
        }

        void all() {
            World begin = new World(List.of(new Stock(2, 0, 2, 1, 3, 1), new Stock(1, 1, 0, 1, 1, 1)), NOWHERE);
            for (List<Integer> order : List.of(List.of(0, 1), List.of(1, 0))) {
                for (List<Integer> again : List.of(List.of(0, 1), List.of(1, 0))) {
                    List<Integer> reads = new ArrayList<>(order);
                    reads.addAll(again);
                    go(begin, reads, List.of(), begin.sellable(), STEPS);
                }
            }
        }

        /** @param least that could be sold at any instant since the first read */
        private void go(World world, List<Integer> reads, List<Bucket> read, long least, int steps) {
            if (read.size() == reads.size()) {
                judge(read, least, steps);
                return;
            }
            int index = reads.get(read.size());
            Stock stock = world.stocks().get(index);
            List<Bucket> more = new ArrayList<>(read);
            more.add(new Bucket(
                    POOLS.get(index),
                    "OPEN",
                    true,
                    stock.total(),
                    0,
                    stock.available(),
                    stock.held(),
                    stock.total() - stock.available() - stock.held(),
                    stock.baseline(),
                    mark.of(stock)));
            go(world, reads, more, read.isEmpty() ? world.sellable() : least, steps);
            if (steps > 0) {
                for (World next : world.next()) {
                    go(next, reads, read, Math.min(least, next.sellable()), steps - 1);
                }
            }
        }

        private void judge(List<Bucket> read, long least, int steps) {
            List<Optional<Bucket>> before = ordered(read.subList(0, 2));
            long seen = before.stream()
                    .mapToLong(bucket -> bucket.orElseThrow().available())
                    .sum();
            Brought brought =
                    new TwoReadings(before, ordered(read.subList(2, 4)), Optional.of(TOTAL)).atOneInstant(seen);
            if (brought instanceof Brought.TooFew(long left)) {
                tooFew++;
                meanwhile += steps < STEPS ? 1 : 0;
                wrongly += least > left ? 1 : 0;
            }
        }

        private static List<Optional<Bucket>> ordered(List<Bucket> read) {
            return IntStream.range(0, POOLS.size())
                    .mapToObj(index -> read.stream()
                            .filter(bucket -> bucket.pool().equals(POOLS.get(index)))
                            .findFirst())
                    .toList();
        }
    }

    @Test
    void too_few_is_said_only_where_there_was_an_instant_at_which_no_more_were_anywhere() {
        var said = new Said(stock -> stock.baseline() + ":" + stock.raised());
        said.all();
        assertThat(said.wrongly).isZero();
        assertThat(said.tooFew).isPositive();
        assertThat(said.meanwhile)
                .as("holds and sales between the readings keep nobody from seeing the end")
                .isPositive();
    }

    @Test
    void totals_alone_would_not_tell_since_a_unit_may_always_be_where_nobody_looks() {
        var said = new Said(stock -> "" + stock.baseline());
        said.all();
        assertThat(said.wrongly).isPositive();
    }

    @Test
    void nothing_is_said_of_a_bucket_that_can_not_be_read_or_is_not_served_or_while_the_total_is_not_known() {
        Bucket empty = new Bucket(POOLS.getFirst(), "OPEN", true, TOTAL, 0, 0, TOTAL, 0, 1, "1");
        Bucket suspect = new Bucket(POOLS.getFirst(), "SUSPECT", false, TOTAL, 0, 0, TOTAL, 0, 1, "1");
        List<Optional<Bucket>> whole = List.of(Optional.of(empty));
        assertThat(new TwoReadings(whole, whole, Optional.of(TOTAL)).atOneInstant(0))
                .isEqualTo(new Brought.TooFew(0));
        for (TwoReadings unclear : List.of(
                new TwoReadings(whole, whole, Optional.empty()),
                new TwoReadings(whole, whole, Optional.of(TOTAL + 1)),
                new TwoReadings(whole, List.of(Optional.empty()), Optional.of(TOTAL)),
                new TwoReadings(List.of(Optional.empty()), List.of(Optional.empty()), Optional.of(0L)),
                new TwoReadings(whole, List.of(Optional.of(suspect)), Optional.of(TOTAL)))) {
            assertThat(unclear.atOneInstant(0)).as("%s", unclear).isInstanceOf(Brought.Unsettled.class);
        }
    }
}
