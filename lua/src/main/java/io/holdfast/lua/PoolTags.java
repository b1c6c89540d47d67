package io.holdfast.lua;

import io.holdfast.engine.effect.Outcome;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Under which hash tag the keys of a pool are. A pool has its own id for a tag, unless it was created to share one: pools of one tag are
 * served by one node of a Redis Cluster, so that one script can move several of them. A pool keeps its tag for ever.
 */
@FunctionalInterface
public interface PoolTags {

    /**
     * The tag that this pool shares with others; empty where it has its own.
     *
     * @return never completes exceptionally; Unavailable when it is not known now
     */
    CompletionStage<Outcome<Optional<String>>> of(String pool);

    /** No pool shares one. */
    static PoolTags none() {
        Outcome<Optional<String>> own = Outcome.known(Optional.empty());
        return _ -> CompletableFuture.completedFuture(own);
    }
}
