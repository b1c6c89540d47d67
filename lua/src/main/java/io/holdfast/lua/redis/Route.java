package io.holdfast.lua.redis;

import java.util.concurrent.CompletionStage;

/** Finds the server that has a key. */
interface Route {

    /** The link to the server that has this key; fails with {@link NotConnectedException} where none is known. */
    CompletionStage<RedisLink> link(String key);

    /** What keys have in common that one script may touch together: equal for all of them. */
    Object together(String key);

    /** Whether every server is connected. */
    CompletionStage<RedisState> check();

    /** A server was not reached or has sent the caller elsewhere. */
    void doubted();

    /** Closes all links; done when their connections are closed. */
    CompletionStage<Void> close();
}
