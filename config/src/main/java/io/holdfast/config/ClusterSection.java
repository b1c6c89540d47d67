package io.holdfast.config;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * {@code holdfast.cluster}.
 *
 * @param host address the other nodes use
 * @param port port the other nodes use, 0 for any free one
 * @param seedNodes where to join, host:port; empty for a cluster of one's own
 * @param heartbeatInterval between heartbeats
 * @param silenceMax silence that makes a node unreachable
 * @param stableAfter steadiness needed before unreachable nodes are removed
 * @param removalMargin how much later the entities of a removed node start elsewhere
 * @param tls mutual TLS between nodes, if spoken
 */
public record ClusterSection(
        String host,
        int port,
        List<String> seedNodes,
        Duration heartbeatInterval,
        Duration silenceMax,
        Duration stableAfter,
        Duration removalMargin,
        Optional<TlsSection> tls) {

    static ClusterSection read(SettingsReader reader) {
        var section = new ClusterSection(
                reader.text("host"),
                reader.integer("port", 0, 65535),
                reader.texts("seed-nodes"),
                reader.duration("heartbeat-interval", Duration.ofMillis(100), Duration.ofSeconds(10)),
                reader.duration("silence-max", Duration.ofMillis(500), Duration.ofMinutes(1)),
                reader.duration("stable-after", Duration.ofSeconds(1), Duration.ofMinutes(5)),
                reader.duration("removal-margin", Duration.ZERO, Duration.ofMinutes(5)),
                TlsSection.read(reader.section("tls")));
        if (!section.seedNodes().stream().allMatch(seed -> seed.matches("[^:@/\\s]+:\\d{1,5}"))) {
            throw reader.bad("seed-nodes", "a list of host:port");
        }
        if (section.silenceMax().compareTo(section.heartbeatInterval().multipliedBy(3)) < 0) {
            throw reader.complaint(
                    "silence-max",
                    "it must be at least three times heartbeat-interval ("
                            + SettingsReader.show(section.heartbeatInterval()) + ")");
        }
        reader.atLeast("stable-after", section.stableAfter(), "silence-max", section.silenceMax());
        return section;
    }

    /** True when other machines can reach the port. */
    public boolean reachable() {
        return !seedNodes.isEmpty() || !(host.equals("localhost") || host.startsWith("127.") || host.equals("::1"));
    }
}
