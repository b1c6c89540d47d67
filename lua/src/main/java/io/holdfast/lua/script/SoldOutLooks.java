package io.holdfast.lua.script;

import io.holdfast.lua.SoldOutRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Requests that {@code sold_out} is asked about in one call.
 *
 * @param looks at least one; all their keys are on one server, and in a cluster in one slot
 */
public record SoldOutLooks(List<Look> looks) {

    /** @param looks at least one */
    public SoldOutLooks {
        looks = List.copyOf(looks);
        if (looks.isEmpty()) {
            throw new IllegalArgumentException("nothing to look at");
        }
    }

    /**
     * One request, and where its pool is.
     *
     * @param tag the hash tag its pool shares with others; empty where it has its own
     */
    public record Look(SoldOutRequest request, Optional<String> tag) {

        /** The key that decides which node of a cluster has this pool. */
        public String poolKey() {
            return PoolKeys.stock(request.pool(), tag);
        }
    }

    String firstPool() {
        return looks.getFirst().request().pool();
    }

    List<String> keys() {
        List<String> keys = new ArrayList<>(2 * looks.size());
        for (Look look : looks) {
            keys.add(look.poolKey());
            keys.add(PoolKeys.fence(
                    look.request().pool(), look.tag(), look.request().reservation()));
        }
        return keys;
    }

    String lines() {
        StringBuilder lines = new StringBuilder(looks.size() * 64);
        for (Look look : looks) {
            SoldOutRequest request = look.request();
            lines.append(request.reservation())
                    .append(' ')
                    .append(request.pool())
                    .append(' ')
                    .append(request.quantity())
                    .append('\n');
        }
        return lines.toString();
    }
}
