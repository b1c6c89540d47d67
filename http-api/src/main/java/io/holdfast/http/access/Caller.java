package io.holdfast.http.access;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * Who calls.
 *
 * @param name as the journal will have it; to an end user, {@code user_id} as well
 * @param roles what the caller may do; none may do nothing
 * @param scope whose stock
 */
public record Caller(String name, Set<Role> roles, Scope scope) {

    public Caller {
        roles = roles.isEmpty() ? Set.of() : Collections.unmodifiableSet(EnumSet.copyOf(roles));
    }

    /** Somebody who may do everything. */
    public static Caller almighty(String name) {
        return new Caller(name, Set.of(Role.ADMIN), new Scope.All());
    }

    /** Whether one of the roles has it. */
    public boolean may(Permission permission) {
        return roles.stream().anyMatch(permission.roles()::contains);
    }

    /** The user to whom everything must belong, where only the role of an end user has it. */
    public Optional<String> boundTo(Permission permission) {
        boolean otherwise = roles.stream()
                .anyMatch(role -> role != Role.USER && permission.roles().contains(role));
        return roles.contains(Role.USER) && !otherwise ? Optional.of(name) : Optional.empty();
    }
}
