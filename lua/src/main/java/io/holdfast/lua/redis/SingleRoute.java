package io.holdfast.lua.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** One server, or one master named by Sentinels, has all keys. */
final class SingleRoute implements Route {

    private final RedisLink link;

    SingleRoute(RedisLink link) {
        this.link = link;
    }

    @Override
    public CompletionStage<RedisLink> link(String key) {
        return CompletableFuture.completedFuture(link);
    }

    @Override
    public Object together(String key) {
        return link;
    }

    @Override
    public CompletionStage<RedisState> check() {
        return RedisStates.of(link.connection());
    }

    @Override
    public void doubted() {
        // The link reconnects by itself, and asks the Sentinels anew when it does.
    }

    @Override
    public CompletionStage<Void> close() {
        return link.close();
    }
}
