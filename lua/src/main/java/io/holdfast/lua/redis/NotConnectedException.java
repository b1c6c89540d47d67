package io.holdfast.lua.redis;

/** There is no checked connection: nothing was sent. */
final class NotConnectedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean unsuitable;

    private NotConnectedException(String message, boolean unsuitable) {
        super(message);
        this.unsuitable = unsuitable;
    }

    static NotConnectedException unreachable(String why) {
        return new NotConnectedException(why, false);
    }

    static NotConnectedException unsuitable(String remedy) {
        return new NotConnectedException(remedy, true);
    }

    RedisState state() {
        String message = String.valueOf(getMessage());
        return unsuitable ? new RedisState.Unsuitable(message) : new RedisState.Unreachable(message);
    }
}
