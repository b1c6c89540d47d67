package io.holdfast.lua.redis;

import java.time.Duration;

/** Is told what happened, for metrics and logs. Called on client threads: must be quick, must not block, must not throw. */
public interface ScriptListener {

    /** Listens to nothing. */
    ScriptListener NONE = new ScriptListener() {};

    /**
     * A call ended. Not called for requests refused for a malformed id before sending.
     *
     * @param script name of the script
     * @param result of the script ({@code HELD}, {@code SHORT}, ...), or {@code UNKNOWN}, or {@code UNAVAILABLE}
     * @param took from the call to its outcome, waiting for a connection included
     */
    default void answered(String script, String result, Duration took) {}

    /**
     * A connection is open and checked.
     *
     * @param process identity of the Redis process behind it, with its replication history; another after a restart
     */
    default void connected(String server, String process) {}

    /** A connection that was open is gone; calls in flight on it become unknown. */
    default void disconnected(String server, String why) {}
}
