package io.holdfast.http.token;

import com.nimbusds.jwt.JWTClaimsSet;
import io.holdfast.http.access.Caller;
import io.holdfast.http.access.Role;
import io.holdfast.http.access.Scope;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads who calls from what a believed token says. */
final class Bearer {

    /** Of what the journal, logs and pages may hold: nothing that could be taken for anything else. */
    private static final String NAME = "[A-Za-z0-9._@|+-]{1,64}";

    private Bearer() {}

    /**
     * The caller; empty where the subject is none that can be a name. A role that is not known here is not ours and says nothing. Without the
     * claim of merchants there are none, except for an end user, who is kept to its own name instead.
     */
    static Optional<Caller> of(JWTClaimsSet claims, JwtSettings settings) {
        String subject = claims.getSubject();
        if (subject == null || !subject.matches(NAME)) {
            return Optional.empty();
        }
        Set<Role> roles = EnumSet.noneOf(Role.class);
        List<String> named = texts(found(claims.getClaims(), settings.rolesClaim()));
        Stream.of(Role.values()).filter(role -> named.contains(role.word())).forEach(roles::add);
        Object merchants = found(claims.getClaims(), settings.merchantsClaim());
        Scope scope =
                merchants == null && roles.equals(Set.of(Role.USER)) ? new Scope.All() : Scope.of(texts(merchants));
        return Optional.of(new Caller(subject, roles, scope));
    }

    private static @Nullable Object found(Map<String, Object> claims, String path) {
        if (claims.containsKey(path)) {
            return claims.get(path);
        }
        int dot = path.indexOf('.');
        if (dot < 0 || !(claims.get(path.substring(0, dot)) instanceof Map<?, ?> inner)) {
            return null;
        }
        Map<String, Object> named = new java.util.HashMap<>();
        inner.forEach((name, value) -> named.put(String.valueOf(name), value));
        return found(named, path.substring(dot + 1));
    }

    /** A list of texts, or one text of words, as different issuers write it. */
    private static List<String> texts(@Nullable Object claim) {
        return switch (claim) {
            case Collection<?> list ->
                list.stream()
                        .filter(String.class::isInstance)
                        .map(String.class::cast)
                        .toList();
            case String words -> List.of(words.strip().split("\\s+"));
            case null, default -> List.of();
        };
    }
}
