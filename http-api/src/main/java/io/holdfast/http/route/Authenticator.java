package io.holdfast.http.route;

import io.holdfast.http.access.Caller;
import io.holdfast.http.access.Denial;
import io.holdfast.http.route.HttpSettings.Access;
import io.holdfast.http.route.HttpSettings.TokenHolder;
import io.holdfast.http.token.JwtSettings;
import io.holdfast.http.token.JwtTokens;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.http.javadsl.model.HttpRequest;

/** Finds out who calls. Asked for every request that needs a token; must not block. */
@FunctionalInterface
public interface Authenticator extends AutoCloseable {

    /** Who calls, or why that is not known. Does not fail. */
    CompletionStage<Answer> authenticate(HttpRequest request);

    /** What became of it. */
    sealed interface Answer {

        /** It is known who calls. */
        record Known(Caller caller) implements Answer {}

        /** The request proves nobody. */
        record Refused(Denial why) implements Answer {}

        /** Whether the token is good can't be said now. */
        record Unsure() implements Answer {}
    }

    @Override
    default void close() {}

    /** What the settings ask for. */
    static Authenticator of(Access access, InstantSource clock) {
        return switch (access) {
            case Access.Open() -> {
                var anybody = CompletableFuture.<Answer>completedStage(new Answer.Known(Caller.almighty("anonymous")));
                yield _ -> anybody;
            }
            case Access.Tokens(List<TokenHolder> callers, Optional<JwtSettings> jwt) ->
                new BearerTokens(callers, jwt.map(settings -> new JwtTokens(settings, clock)));
        };
    }
}
