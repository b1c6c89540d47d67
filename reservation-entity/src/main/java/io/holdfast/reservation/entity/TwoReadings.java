package io.holdfast.reservation.entity;

import io.holdfast.reservation.entity.SaleBuckets.Brought;
import io.holdfast.reservation.entity.SaleBuckets.Bucket;
import java.util.List;
import java.util.Optional;

/**
 * All buckets of a sale, read twice; every one of the second reading after all of the first.
 *
 * <p>A bucket whose mark is the same both times has had, all the time between its two reads, the total it has, and no more units available
 * than were seen first. The instant at which the first reading was over and the second had not begun lies between the two reads of every
 * bucket. So if all marks are the same, at that instant no more were available in all of them together than the first reading saw; and if the
 * totals then come to the sale's, none was on its way. What has fallen meanwhile, since others were let in, does not matter; and what is
 * confirmed moves no mark, so a sale that is being paid for does not keep its end from being seen.
 *
 * @param saleTotal what the totals come to when nothing is on its way; empty while that can't be told
 */
record TwoReadings(List<Optional<Bucket>> before, List<Optional<Bucket>> after, Optional<Long> saleTotal) {

    /**
     * Whether there was an instant at which all buckets together had no more than that, and nothing was on its way.
     *
     * @param available units that the first reading saw in all buckets that give
     */
    Brought atOneInstant(long available) {
        if (!marks(before).equals(marks(after)) || before.stream().anyMatch(Optional::isEmpty)) {
            return new Brought.Unsettled("units have come back, or have moved");
        }
        long totals = after.stream()
                .flatMap(Optional::stream)
                .mapToLong(Bucket::total)
                .sum();
        if (saleTotal.filter(all -> all == totals).isEmpty()) {
            return new Brought.Unsettled("units are on their way");
        }
        long left = after.stream()
                .flatMap(Optional::stream)
                .filter(Bucket::gives)
                .mapToLong(Bucket::available)
                .sum();
        return left > available
                ? new Brought.Unsettled("a bucket gives again")
                : new Brought.TooFew(Math.max(left, available));
    }

    private static List<String> marks(List<Optional<Bucket>> seen) {
        return seen.stream()
                .map(bucket -> bucket.filter(Bucket::trusted).map(Bucket::mark).orElse("none"))
                .toList();
    }
}
