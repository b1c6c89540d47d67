package io.holdfast.lua;

import java.time.Instant;
import java.util.List;

/**
 * Load fences into a pool under rebuild.
 *
 * @param operationId of the attempt that began
 * @param chunk 1, 2, ...; each is loaded once, in order
 * @param fences at least one; none twice within a rebuild. A few hundred: Redis does nothing else meanwhile
 */
public record PoolRebuildLoadRequest(
        String pool, long epoch, String operationId, long chunk, List<JournaledFence> fences, Instant now) {
    public PoolRebuildLoadRequest {
        fences = List.copyOf(fences);
    }
}
