package io.holdfast.config;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * One of {@code holdfast.http.tokens}.
 *
 * @param name of the caller
 * @param sha256 of its token, in hex
 * @param roles at least one
 * @param merchants whose stock it may touch, activities among them; empty for everybody's
 */
public record TokenEntry(String name, String sha256, Set<CallerRole> roles, Optional<Set<String>> merchants) {

    private static final String EVERYBODY = "*";
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");
    private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");
    private static final int SHORT = 2;
    private static final int LONG = 4;

    public TokenEntry {
        roles = Set.copyOf(roles);
        merchants = merchants.map(Set::copyOf);
    }

    /** Reads {@code name:hash}, who may do everything, or {@code name:hash:role+role:merchant+merchant}. */
    static TokenEntry parse(SettingsReader reader, String setting, String entry) {
        String[] parts = entry.split(":", -1);
        if (parts.length != SHORT && parts.length != LONG
                || !NAME.matcher(parts[0]).matches()
                || !HASH.matcher(parts[1]).matches()) {
            throw reader.bad(
                    setting,
                    "a list of name:hash or name:hash:roles:merchants, the name of A-Z a-z 0-9 . _ -, the hash as"
                            + " sha256sum prints it");
        }
        return parts.length == SHORT
                ? new TokenEntry(parts[0], parts[1], Set.of(CallerRole.ADMIN), Optional.empty())
                : new TokenEntry(
                        parts[0],
                        parts[1],
                        roles(reader, setting, parts[0], parts[2]),
                        merchants(reader, setting, parts[0], parts[3]));
    }

    private static Set<CallerRole> roles(SettingsReader reader, String setting, String name, String written) {
        Set<CallerRole> roles = new TreeSet<>();
        for (String word : written.split("\\+", -1)) {
            roles.add(Arrays.stream(CallerRole.values())
                    .filter(role -> SettingsReader.word(role).equals(word))
                    .findFirst()
                    .orElseThrow(() -> reader.complaint(
                            setting,
                            "the caller " + name + " has a role that is none of "
                                    + Arrays.stream(CallerRole.values())
                                            .map(SettingsReader::word)
                                            .collect(Collectors.joining(", ")))));
        }
        return roles;
    }

    private static Optional<Set<String>> merchants(SettingsReader reader, String setting, String name, String written) {
        if (written.equals(EVERYBODY)) {
            return Optional.empty();
        }
        List<String> ids = List.of(written.split("\\+", -1));
        if (!ids.stream().allMatch(id -> NAME.matcher(id).matches())) {
            throw reader.complaint(
                    setting, "the merchants of the caller " + name + " must be ids with + between them, or * for all");
        }
        return Optional.of(Set.copyOf(ids));
    }

    @Override
    public String toString() {
        return name + " " + roles + " " + merchants.map(Set::toString).orElse(EVERYBODY);
    }
}
