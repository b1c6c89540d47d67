package io.holdfast.node;

import io.holdfast.config.SettingsException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits for the stores at start: a node that comes up together with its database must not die because it was the faster. Says in one
 * line, now and then, what it waits for.
 */
final class StartPatience {

    private static final Logger LOG = LoggerFactory.getLogger(StartPatience.class);
    private static final Duration FIRST_WAIT = Duration.ofMillis(200);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);
    private static final Duration SAID_EVERY = Duration.ofSeconds(10);

    private final long deadline;
    private final Duration patience;

    StartPatience(Duration patience) {
        this.patience = patience;
        this.deadline = System.nanoTime() + patience.toNanos();
    }

    /**
     * Tries until it succeeds or patience ends.
     *
     * @param what what is waited for, for people: a store and its address, without credentials
     * @throws SettingsException at once, if the store answered and can't be used
     * @throws StartException when patience ended; at once, if the attempt says so
     */
    <T> T waitFor(String what, Callable<T> attempt) {
        Duration wait = FIRST_WAIT;
        long said = 0;
        String lastReason = "";
        while (true) {
            try {
                T result = attempt.call();
                if (!lastReason.isEmpty()) {
                    LOG.info("{} is there.", what);
                }
                return result;
            } catch (SettingsException | StartException e) {
                throw e;
            } catch (Exception e) {
                String reason = reason(e);
                long now = System.nanoTime();
                Duration left = Duration.ofNanos(deadline - now);
                if (left.isNegative() || left.isZero() || Thread.currentThread().isInterrupted()) {
                    throw new StartException(
                            "Gave up after " + patience.toSeconds() + " s: " + what + " can't be used (" + reason
                                    + "); start it or correct the address, and start this node again.",
                            e);
                }
                if (!reason.equals(lastReason) || now - said > SAID_EVERY.toNanos()) {
                    LOG.info("Waiting for {} ({}); {} s left.", what, reason, left.toSeconds());
                    said = now;
                    lastReason = reason;
                }
                pause(wait.compareTo(left) < 0 ? wait : left);
                wait = wait.multipliedBy(2).compareTo(LONGEST_WAIT) < 0 ? wait.multipliedBy(2) : LONGEST_WAIT;
            }
        }
    }

    private static void pause(Duration wait) {
        try {
            TimeUnit.NANOSECONDS.sleep(wait.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The innermost cause says most. */
    private static String reason(Throwable e) {
        Throwable cause = e;
        while (cause.getCause() != null && cause.getCause() != cause) {
            cause = cause.getCause();
        }
        if (cause instanceof UnknownHostException) {
            return "unknown host " + cause.getMessage();
        }
        String message = cause.getMessage();
        return (message == null || message.isBlank() ? cause.getClass().getSimpleName() : message)
                .replaceAll("\\s*\\R\\s*", " ");
    }
}
