package io.holdfast.reservation.port;

/** What a node knows of a pool before it asks Redis anything. */
public sealed interface PoolStanding {

    /**
     * It exists and Redis is believed. Whether it takes new holds is for the script to say.
     *
     * @param epoch the pool's
     */
    record Serving(long epoch) implements PoolStanding {}

    /** It is being created. */
    record NotReady() implements PoolStanding {}

    /**
     * Redis is not believed for this pool until it is verified.
     *
     * @param evidence why
     */
    record Suspect(String evidence) implements PoolStanding {}

    /** No such pool was ever asked for. */
    record Unknown() implements PoolStanding {}
}
