package io.holdfast.reservation.day;

import java.time.Duration;

/**
 * When pools of business days come and go, by the calendars of their merchants.
 *
 * @param prepareAhead how long before a day begins its pools are created
 * @param closeAfter how long after a day is over its pools are closed
 * @param archiveAfter how long after a day is over its pools are archived, once nothing in them is open
 * @param archiveAgain wait before a pool that was not drained is looked at again
 * @param interval time between looks at what is to be done
 * @param patience how long one pool may take to do what it is asked before the others go on
 * @param batch pools or baselines read, and pools asked, at a time
 */
public record DaySettings(
        Duration prepareAhead,
        Duration closeAfter,
        Duration archiveAfter,
        Duration archiveAgain,
        Duration interval,
        Duration patience,
        int batch) {

    public DaySettings {
        if (prepareAhead.isNegative()
                || closeAfter.isNegative()
                || archiveAfter.compareTo(closeAfter) < 0
                || !archiveAgain.isPositive()
                || !interval.isPositive()
                || patience.isNegative()
                || batch < 1) {
            throw new IllegalArgumentException("business days: a pool is archived after it is closed, and the rest is"
                    + " positive, but it is prepare ahead " + prepareAhead + ", close after " + closeAfter
                    + ", archive after " + archiveAfter + ", again " + archiveAgain + ", interval " + interval
                    + ", patience " + patience + ", batch " + batch);
        }
    }
}
