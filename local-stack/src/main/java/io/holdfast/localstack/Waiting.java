package io.holdfast.localstack;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Waiting that always has an end and that an interrupt does not cut short: a thread that is told to stop must still be able
 * to end its servers cleanly. The interrupt is kept for whoever looks next.
 */
final class Waiting {

    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private Waiting() {}

    /** Looks again and again. False if it is not so after the patience. */
    static boolean until(BooleanSupplier done, Duration patience) {
        long deadline = System.nanoTime() + patience.toNanos();
        boolean interrupted = false;
        try {
            while (!done.getAsBoolean()) {
                if (System.nanoTime() > deadline) {
                    return false;
                }
                LockSupport.parkNanos(POLL_NANOS);
                interrupted |= Thread.interrupted();
            }
            return true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** The exit code of a process that ends by itself. */
    static int exitOf(Process process) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return process.waitFor();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
