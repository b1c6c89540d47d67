package io.holdfast.http.token;

import java.net.URI;
import java.time.Duration;
import java.util.Set;

/**
 * Which signed tokens are taken.
 *
 * @param issuer who must have issued them, exactly
 * @param audience for whom they must be meant, among others
 * @param keys where the issuer's public keys are (JWKS)
 * @param algorithms by which they may be signed, as JWA names them; all with a public key
 * @param skew how much clocks may differ
 * @param keep how long keys are taken as they were fetched
 * @param atMostEvery the shortest time between two fetches, whoever asks with whatever key
 * @param outage how long after that known keys are still taken when they can't be fetched
 * @param timeout to connect, and to read
 * @param rolesClaim where the roles are; dots lead into objects
 * @param merchantsClaim where the merchants and activities are; dots lead into objects
 */
public record JwtSettings(
        String issuer,
        String audience,
        URI keys,
        Set<String> algorithms,
        Duration skew,
        Duration keep,
        Duration atMostEvery,
        Duration outage,
        Duration timeout,
        String rolesClaim,
        String merchantsClaim) {
    public JwtSettings {
        algorithms = Set.copyOf(algorithms);
        if (algorithms.isEmpty()) {
            throw new IllegalArgumentException("at least one algorithm must be taken");
        }
        if (algorithms.stream().anyMatch(name -> !name.matches("(RS|PS|ES)(256|384|512)"))) {
            throw new IllegalArgumentException(
                    "only signatures with a public key are taken, but " + algorithms + " were to be");
        }
    }
}
