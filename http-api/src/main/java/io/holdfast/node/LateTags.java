package io.holdfast.node;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.lua.PoolTags;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The tags of pools, for scripts that are there before the pools are: until those have been started no script can be called. */
final class LateTags implements PoolTags {

    private volatile @Nullable PoolTags tags;

    /** From now on these are asked. */
    void are(PoolTags known) {
        tags = known;
    }

    @Override
    public CompletionStage<Outcome<Optional<String>>> of(String pool) {
        PoolTags known = tags;
        return known == null
                ? CompletableFuture.completedFuture(Outcome.unavailable("the pools have not been started yet"))
                : known.of(pool);
    }
}
