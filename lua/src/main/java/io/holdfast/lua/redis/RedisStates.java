package io.holdfast.lua.redis;

import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** States from attempts to connect. */
final class RedisStates {

    private RedisStates() {}

    /** The state that an attempt to connect shows. */
    static CompletionStage<RedisState> of(CompletionStage<?> attempt) {
        return attempt.handle((done, error) -> error == null ? new RedisState.Usable() : of(error));
    }

    private static RedisState of(Throwable thrown) {
        Throwable error = thrown;
        while (error instanceof CompletionException && error.getCause() != null) {
            error = error.getCause();
        }
        return error instanceof NotConnectedException no
                ? no.state()
                : new RedisState.Unreachable(String.valueOf(error.getMessage()));
    }

    /** The worse of two: what needs somebody to act, before what may pass by itself. */
    static RedisState worse(RedisState one, RedisState other) {
        return switch (one) {
            case RedisState.Unsuitable _ -> one;
            case RedisState.Unreachable _ -> other instanceof RedisState.Unsuitable ? other : one;
            case RedisState.Usable _ -> other;
        };
    }
}
