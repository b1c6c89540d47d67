package io.holdfast.http.route;

import io.holdfast.http.route.HttpSettings.Access;
import java.util.Optional;
import org.apache.pekko.http.javadsl.model.HttpRequest;

/** Finds out who calls. Called for every request below {@code /v1}; must not block. */
@FunctionalInterface
public interface Authenticator {

    /** The caller, or nothing when the request proves none. */
    Optional<Caller> authenticate(HttpRequest request);

    /** What the settings ask for. */
    static Authenticator of(Access access) {
        return switch (access) {
            case Access.Open() -> _ -> Optional.of(new Caller("anonymous"));
            case Access.Tokens tokens -> new BearerTokens(tokens.callers());
        };
    }
}
