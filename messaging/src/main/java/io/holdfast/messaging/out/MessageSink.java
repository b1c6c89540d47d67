package io.holdfast.messaging.out;

import java.util.concurrent.CompletableFuture;

/** Takes messages for the outside. */
public interface MessageSink {

    /**
     * Sends a message; those of one key arrive in the order in which they were given. Blocks for a short while at most.
     *
     * @return completes when the message is safe on the other side; with {@link Undeliverable} when it never will be; with any other
     *     exception when nothing is known
     */
    CompletableFuture<Void> send(OutgoingMessage message);

    /** A message that will not be taken, now or later. */
    final class Undeliverable extends RuntimeException {
        private static final long serialVersionUID = 1L;

        /** Not deliverable for this reason. */
        public Undeliverable(String why, Throwable cause) {
            super(why, cause);
        }
    }
}
