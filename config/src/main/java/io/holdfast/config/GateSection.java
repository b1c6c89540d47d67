package io.holdfast.config;

import java.time.Duration;
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
 * @param answerAfter what a user who is let in waits for
 * @param decideWithin how long after its admission the order of a hold must be decided by
 * @param handOverAfter from when on another node hands a hold over, unless its reservation has it by then
 * @param handOverEvery from one look for such holds to the next
 * @param rememberSoldOut how long after Redis said that a pool is short it is asked for many requests at once
 * @param adopting holds that one node hands over at a time
 * @param limits beyond which nobody is let in
 */
public record GateSection(
        SortedMap<Integer, Secret> declared,
        AnswerAfter answerAfter,
        Duration decideWithin,
        Duration handOverAfter,
        Duration handOverEvery,
        Duration rememberSoldOut,
        int adopting,
        Limits limits) {

    /** What a user who is let in waits for. */
    public enum AnswerAfter {
        /** For Redis. */
        ADMIT,
        /** For the reservation's journal as well. */
        ADOPT
    }

    /**
     * Beyond these nobody is let in.
     *
     * @param listed holds of one pool that no reservation has heard of
     * @param unsent holds of all pools whose order has not been asked for
     * @param brokerAway how long the broker may not answer
     * @param viewLag how far the view may be behind the journal, and for how long it may not be known
     */
    public record Limits(int listed, int unsent, Duration brokerAway, Duration viewLag) {

        static Limits read(SettingsReader reader) {
            return new Limits(
                    reader.integer("listed", 1, 10_000_000),
                    reader.integer("unsent", 1, 10_000_000),
                    reader.duration("broker-away", Duration.ofSeconds(1), Duration.ofHours(1)),
                    reader.duration("view-lag", Duration.ofSeconds(1), Duration.ofHours(1)));
        }
    }

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
        return new GateSection(
                secrets,
                reader.choice("answer-after", AnswerAfter.class),
                reader.duration("decide-within", Duration.ofSeconds(1), Duration.ofDays(1)),
                reader.duration("hand-over-after", Duration.ofMillis(100), Duration.ofMinutes(5)),
                reader.duration("hand-over-every", Duration.ofMillis(100), Duration.ofMinutes(1)),
                reader.duration("remember-sold-out", Duration.ZERO, Duration.ofSeconds(1)),
                reader.integer("adopting", 1, 100_000),
                Limits.read(reader.section("limits")));
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
