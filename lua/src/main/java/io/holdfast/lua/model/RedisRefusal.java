package io.holdfast.lua.model;

/** Redis refuses the first write of a script: nothing was done. */
public final class RedisRefusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RedisRefusal(String message) {
        super(message);
    }
}
