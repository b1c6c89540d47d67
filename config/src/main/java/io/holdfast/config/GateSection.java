package io.holdfast.config;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * {@code holdfast.gate}.
 *
 * @param declared the secrets that are set, by version
 */
public record GateSection(SortedMap<Integer, Secret> declared) {

    /** What a development node takes for version 1 where no secret is set. Everybody can read it, so production refuses it. */
    public static final Secret OF_DEVELOPMENT = new Secret("de".repeat(32));

    private static final String ENTRY = "[1-9][0-9]{0,5}:([0-9a-f]{2}){32,64}";

    public GateSection {
        declared = Collections.unmodifiableSortedMap(new TreeMap<>(declared));
    }

    static GateSection read(SettingsReader reader) {
        SortedMap<Integer, Secret> secrets = new TreeMap<>();
        List<String> seen = new ArrayList<>();
        for (String entry : reader.texts("secrets")) {
            if (!entry.matches(ENTRY)) {
                throw reader.bad(
                        "secrets",
                        "a list of version:secret, the version 1 to 999999, the secret 64 to 128 hex digits");
            }
            String[] parts = entry.split(":", 2);
            if (secrets.put(Integer.parseInt(parts[0]), new Secret(parts[1])) != null || seen.contains(parts[1])) {
                throw reader.complaint("secrets", "the same version or the same secret is given twice");
            }
            seen.add(parts[1]);
        }
        return new GateSection(secrets);
    }

    /** The secrets a node of this mode uses, by version. */
    public SortedMap<Integer, Secret> secrets(NodeSection.Mode mode) {
        return switch (mode) {
            case PRODUCTION -> declared;
            case DEVELOPMENT ->
                declared.isEmpty()
                        ? Collections.unmodifiableSortedMap(new TreeMap<>(Map.of(1, OF_DEVELOPMENT)))
                        : declared;
        };
    }

    /** Whether one of those that are set is what anybody can read in our source. */
    boolean knownToEverybody() {
        return declared.containsValue(OF_DEVELOPMENT);
    }
}
