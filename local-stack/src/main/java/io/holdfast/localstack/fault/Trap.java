package io.holdfast.localstack.fault;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/** A fault that waits for one request, the first that contains a certain text, and then happens once. */
public final class Trap {

    enum Kind {
        LOSE_REPLY,
        LOSE_REQUEST,
        HOLD_REQUEST
    }

    private final Kind kind;
    private final byte[] text;
    private final AtomicBoolean taken = new AtomicBoolean();
    private final CompletableFuture<Runnable> sprung = new CompletableFuture<>();

    Trap(Kind kind, String text) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("a trap needs a text to wait for");
        }
        this.kind = kind;
        this.text = text.getBytes(StandardCharsets.UTF_8);
    }

    /** Whether it has happened. */
    public boolean hasSprung() {
        return sprung.isDone();
    }

    /**
     * Waits until it has happened: for a lost reply, until the server has done the request; for a held request, until the
     * request is held.
     */
    public void await(Duration patience) {
        release(patience);
    }

    /**
     * Lets the server have the held request now, and returns when the server has answered it. The client is long gone.
     *
     * @throws IllegalStateException if nothing is held yet, or nothing is to be held by this trap
     */
    public void release() {
        if (kind != Kind.HOLD_REQUEST || !hasSprung()) {
            throw new IllegalStateException("no request is held: wait for the trap first");
        }
        release(Duration.ZERO).run();
    }

    Kind kind() {
        return kind;
    }

    byte[] text() {
        return text;
    }

    /** The first request that matches has it for itself. */
    boolean take() {
        return taken.compareAndSet(false, true);
    }

    void spring(Runnable release) {
        sprung.complete(release);
    }

    private Runnable release(Duration patience) {
        try {
            return sprung.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError(
                    "no request with '%s' came within %s".formatted(new String(text, StandardCharsets.UTF_8), patience),
                    e);
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for a trap", e);
        }
    }
}
