package io.holdfast.messaging.follow;

import java.time.Duration;

/**
 * Bounds of following.
 *
 * @param most followers at a time
 * @param page rows read for one follower at a time, and so the bound of what it is told at once
 * @param tail rows read for all of them at a time
 * @param window rows behind the end that are kept for those who are not quite there; whoever is further behind reads the database
 * @param poll how often the end is looked at when nobody rings
 * @param silence a follower that asks for nothing for so long is taken for gone, and its place given to others
 */
public record FollowSettings(int most, int page, int tail, int window, Duration poll, Duration silence) {

    public FollowSettings {
        if (most < 1 || page < 1 || tail < 1 || window < 1 || !poll.isPositive() || !silence.isPositive()) {
            throw new IllegalArgumentException("following: every bound is at least 1 and every time positive, but "
                    + most + ", " + page + ", " + tail + ", " + window + ", " + poll + " and " + silence);
        }
    }

    /** Pages of 100 rows, 1,000 for all together, 2,000 kept, looked at every 100 ms. */
    public static FollowSettings of(int most, Duration silence) {
        return new FollowSettings(most, 100, 1000, 2000, Duration.ofMillis(100), silence);
    }
}
