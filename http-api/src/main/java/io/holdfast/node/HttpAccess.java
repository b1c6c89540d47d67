package io.holdfast.node;

import io.holdfast.config.CallerRole;
import io.holdfast.config.HttpSection;
import io.holdfast.config.TokenEntry;
import io.holdfast.http.access.Caller;
import io.holdfast.http.access.Role;
import io.holdfast.http.access.Scope;
import io.holdfast.http.route.HttpSettings.Access;
import io.holdfast.http.route.HttpSettings.TokenHolder;
import java.util.stream.Collectors;

/** Who may call, as the settings have it. */
final class HttpAccess {

    private HttpAccess() {}

    static Access of(HttpSection section) {
        return section.tokens().isEmpty()
                ? new Access.Open()
                : new Access.Tokens(
                        section.tokens().stream().map(HttpAccess::holder).toList());
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
