package io.holdfast.messaging.out;

import java.util.concurrent.CompletableFuture;

/** Takes messages for the outside, run by run. */
public interface MessageSink {

    /** Begins a run, with all that is needed to send anew if the last one broke. */
    Run begin();

    /**
     * Messages given one after the other. Of those with one key and topic the other side has, at any moment and whatever happens, the first
     * so many that were given: the first that fails ends the run, and with it all that is behind.
     */
    interface Run {

        /**
         * Sends a message. Blocks for a short while at most.
         *
         * @return completes when the message is safe on the other side; with {@link Undeliverable} when it never will be; with any other
         *     exception when nothing is known. Failed in any way, the run is over: what is under way fails soon, and what is given after it
         *     at once. Only an {@link Undeliverable} that is known on return ends nothing, since nothing has been begun with it.
         */
        CompletableFuture<Void> send(OutgoingMessage message);

        /** Ends the run: what is under way fails soon, whether it arrives or not. Does not block. Does nothing in a run that is over. */
        void abandon();
    }

    /** A message that will not be taken, now or later. */
    final class Undeliverable extends RuntimeException {
        private static final long serialVersionUID = 1L;

        /** Not deliverable for this reason. */
        public Undeliverable(String why, Throwable cause) {
            super(why, cause);
        }
    }
}
