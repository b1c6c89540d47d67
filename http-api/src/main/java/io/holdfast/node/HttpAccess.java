package io.holdfast.node;

import io.holdfast.config.CallerRole;
import io.holdfast.config.HttpSection;
import io.holdfast.config.JwtSection;
import io.holdfast.config.RatesSection;
import io.holdfast.config.TokenEntry;
import io.holdfast.http.access.Caller;
import io.holdfast.http.access.RateLimits;
import io.holdfast.http.access.Role;
import io.holdfast.http.access.Scope;
import io.holdfast.http.route.HttpSettings.Access;
import io.holdfast.http.route.HttpSettings.TokenHolder;
import io.holdfast.http.token.JwtSettings;
import java.util.Map;
import java.util.stream.Collectors;

/** Who may call, as the settings have it. */
final class HttpAccess {

    private HttpAccess() {}

    static Access of(HttpSection section) {
        return section.tokens().isEmpty() && section.jwt().isEmpty()
                ? new Access.Open()
                : new Access.Tokens(
                        section.tokens().stream().map(HttpAccess::holder).toList(),
                        section.jwt().map(HttpAccess::jwt));
    }

    static RateLimits rates(RatesSection section) {
        return new RateLimits(
                section.perSecond().entrySet().stream()
                        .collect(Collectors.toMap(entry -> role(entry.getKey()), Map.Entry::getValue)),
                section.burst(),
                section.callers());
    }

    private static JwtSettings jwt(JwtSection section) {
        return new JwtSettings(
                section.issuer(),
                section.audience(),
                section.jwks(),
                section.algorithms(),
                section.skew(),
                section.keep(),
                section.atMostEvery(),
                section.outage(),
                section.timeout(),
                section.rolesClaim(),
                section.merchantsClaim());
    }

    private static TokenHolder holder(TokenEntry entry) {
        return new TokenHolder(
                new Caller(
                        entry.name(),
                        entry.roles().stream().map(HttpAccess::role).collect(Collectors.toSet()),
                        entry.merchants().<Scope>map(Scope.Only::new).orElseGet(Scope.All::new)),
                entry.sha256());
    }

    private static Role role(CallerRole role) {
        return switch (role) {
            case CLIENT -> Role.CLIENT;
            case USER -> Role.USER;
            case OPERATOR -> Role.OPERATOR;
            case AUDITOR -> Role.AUDITOR;
            case ADMIN -> Role.ADMIN;
        };
    }
}
