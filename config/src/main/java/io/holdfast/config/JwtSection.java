package io.holdfast.config;

import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * {@code holdfast.http.jwt}.
 *
 * @param issuer who issues tokens
 * @param audience for whom they are meant
 * @param jwks where the issuer's keys are
 * @param algorithms by which they are signed
 * @param skew how much clocks may differ
 * @param keep how long keys are taken as they were fetched
 * @param atMostEvery the shortest time between two fetches
 * @param outage how long known keys are taken when they can't be fetched
 * @param timeout of one fetch
 * @param rolesClaim where the roles are
 * @param merchantsClaim where the merchants are
 */
public record JwtSection(
        String issuer,
        String audience,
        URI jwks,
        Set<String> algorithms,
        Duration skew,
        Duration keep,
        Duration atMostEvery,
        Duration outage,
        Duration timeout,
        String rolesClaim,
        String merchantsClaim) {

    private static final List<String> ALGORITHMS =
            List.of("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512");

    public JwtSection {
        algorithms = Set.copyOf(algorithms);
    }

    /** Whether keys are fetched with TLS. */
    boolean encrypted() {
        return jwks.getScheme().toLowerCase(Locale.ROOT).equals("https");
    }

    /** Empty when no issuer is named. Everything is read and judged all the same. */
    static Optional<JwtSection> read(SettingsReader reader) {
        Optional<String> issuer = reader.optionalText("issuer");
        Optional<String> audience = reader.optionalText("audience");
        Optional<URI> jwks = reader.optionalText("jwks").map(text -> address(reader, text));
        Set<String> algorithms = algorithms(reader);
        Duration skew = reader.duration("clock-skew", Duration.ZERO, Duration.ofMinutes(2));
        Duration keep = reader.duration("keys-kept", Duration.ofSeconds(1), Duration.ofHours(24));
        Duration every = reader.duration("keys-at-most-every", Duration.ofSeconds(1), Duration.ofHours(1));
        Duration outage = reader.duration("keys-outage", Duration.ZERO, Duration.ofDays(7));
        Duration timeout = reader.duration("timeout", Duration.ofMillis(100), Duration.ofSeconds(30));
        String roles = reader.text("roles-claim");
        String merchants = reader.text("merchants-claim");
        reader.atLeast("keys-kept", keep, "keys-at-most-every", every);
        if (issuer.isEmpty()) {
            for (String other : new String[] {"audience", "jwks"}) {
                if (reader.optionalText(other).isPresent()) {
                    throw reader.complaint(other, "it is of signed tokens, and no issuer is named that signs them");
                }
            }
            return Optional.empty();
        }
        return Optional.of(new JwtSection(
                issuer.get(),
                audience.orElseThrow(() -> reader.complaint(
                        "audience",
                        "tokens that the issuer made for somebody else would be taken; name who they are for")),
                jwks.orElseThrow(() -> reader.complaint("jwks", "the issuer's keys must be somewhere")),
                algorithms,
                skew,
                keep,
                every,
                outage,
                timeout,
                roles,
                merchants));
    }

    private static URI address(SettingsReader reader, String text) {
        try {
            URI address = URI.create(text);
            if (address.getHost() != null
                    && ("https".equals(address.getScheme()) || "http".equals(address.getScheme()))) {
                return address;
            }
        } catch (IllegalArgumentException e) {
            throw reader.bad("jwks", "an address that begins with https://");
        }
        throw reader.bad("jwks", "an address that begins with https://");
    }

    private static Set<String> algorithms(SettingsReader reader) {
        Set<String> algorithms = new LinkedHashSet<>(reader.texts("algorithms"));
        if (algorithms.isEmpty() || !ALGORITHMS.containsAll(algorithms)) {
            throw reader.bad("algorithms", "a list of at least one of " + String.join(", ", ALGORITHMS));
        }
        return algorithms;
    }
}
