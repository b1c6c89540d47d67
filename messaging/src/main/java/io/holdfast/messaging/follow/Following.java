package io.holdfast.messaging.follow;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** One follower's way through the journal. To be closed. */
public interface Following extends AutoCloseable {

    /**
     * What comes next, asked for one at a time: nothing is read for a follower that does not ask.
     *
     * <p>Completes once there is something, or there is nothing up to the end of the journal and the patience is over. Fails with
     * {@link UnknownPlace} if the follower began at a place this journal has not reached. A database that is away is waited for.
     *
     * @param patience zero to be answered as soon as the end has been reached
     */
    CompletionStage<Portion> next(Duration patience);

    /** Follows no more. What was asked for and not answered fails. */
    @Override
    void close();
}
