package io.holdfast.lua;

import java.util.Map;

/** What {@code inspect} answered. */
public sealed interface InspectReply
        permits InspectReply.Inspected, GuardRefusal.Malformed, GuardRefusal.PoolMissing, GuardRefusal.BrokenBooks {

    /**
     * INSPECTED: stored fields, uninterpreted.
     *
     * @param trusted whether a script that moves something would get past the trust guard
     * @param fence empty where no reservation was named or Redis has none of it
     */
    record Inspected(boolean trusted, Map<String, String> pool, Map<String, String> fence) implements InspectReply {
        public Inspected {
            pool = Map.copyOf(pool);
            fence = Map.copyOf(fence);
        }
    }
}
