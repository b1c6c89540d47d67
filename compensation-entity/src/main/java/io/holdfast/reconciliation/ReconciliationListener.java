package io.holdfast.reconciliation;

import java.time.Duration;

/** Told what reconciliation does, for metrics. Must not throw, nor wait. */
public interface ReconciliationListener {

    /** A pool is done with. */
    void pool(Duration took);

    /** Reservations were compared, and so many rows of the view were held in memory for it. */
    void compared(int reservations, int rowsHeld);

    /** Something differs. */
    void found(String pool, Finding finding);

    /** What looked like a difference had only moved. */
    void moved(int reservations);

    /**
     * A difference is put right.
     *
     * @param after it was first seen
     */
    void repaired(FindingType type, Duration after);

    /** A repair lost its race against the pool's own operations. */
    void raceLost();

    /** A pool takes no new holds for one check. */
    void paused(String pool);

    /** A run ended. */
    void ended(Run run);

    /** A round failed and begins again. */
    void broke(Throwable failure);
}
