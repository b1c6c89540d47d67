package io.holdfast.engine.fleet;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Ends one wait of one thread: the current one, or else the next. */
final class Alarm {

    private boolean rung;

    synchronized void ring() {
        rung = true;
        notifyAll();
    }

    /** Waits for a ring; one that came since the last wait counts. */
    synchronized void await(Duration most) {
        long until = System.nanoTime() + most.toNanos();
        try {
            long left = most.toNanos();
            while (!rung && left > 0) {
                TimeUnit.NANOSECONDS.timedWait(this, left);
                left = until - System.nanoTime();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // whoever wants the thread to end says so otherwise
        }
        rung = false;
    }
}
