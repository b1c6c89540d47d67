package io.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.config.Settings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.Member;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayNameGeneration(ReplaceUnderscores.class)
class ClusterMemberTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    Path folder;

    private final List<ClusterMember> members = new ArrayList<>();

    @AfterEach
    void leave() throws Exception {
        for (ClusterMember member : members.reversed()) {
            member.leave().toCompletableFuture().get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void a_node_without_seed_nodes_is_a_cluster_of_its_own() throws Exception {
        var member = start(TestSettings.with(Map.of()));
        // The node's picture of the cluster is painted by another actor, a moment after the news.
        await().atMost(PATIENCE).until(member::isMember);
        assertThat(member.port()).isPositive();
        member.leave();
        assertThat(member.ended().toCompletableFuture().get(60, TimeUnit.SECONDS))
                .isEqualTo(Ended.STOPPED);
    }

    @Test
    void two_nodes_in_one_process_form_a_cluster_over_tls() throws Exception {
        String keys = KeyFiles.selfSigned(folder.resolve("fleet.p12"), "fleet").toString();
        var first = start(TestSettings.with(withTls(keys, Map.of())));
        var second = start(
                TestSettings.with(withTls(keys, Map.of("HOLDFAST_CLUSTER_SEED_NODES", "127.0.0.1:" + first.port()))));
        assertThat(Cluster.get(second.system()).state().getMembers())
                .extracting(Member::address)
                .contains(Cluster.get(first.system()).selfAddress());
    }

    @Test
    void a_node_with_a_key_of_another_fleet_is_not_let_in() throws Exception {
        var first = start(TestSettings.with(
                withTls(KeyFiles.selfSigned(folder.resolve("ours.p12"), "ours").toString(), Map.of())));
        var stranger = withTls(
                KeyFiles.selfSigned(folder.resolve("theirs.p12"), "theirs").toString(),
                Map.of("HOLDFAST_CLUSTER_SEED_NODES", "127.0.0.1:" + first.port()));
        assertThatThrownBy(() -> start(patientFor(5, stranger)))
                .isInstanceOf(StartException.class)
                .hasMessageStartingWith(
                        "No node of [127.0.0.1:" + first.port() + "] let this one join the cluster holdfast: ");
        assertThat(Cluster.get(first.system()).state().getMembers()).hasSize(1);
    }

    /** It would keep a second copy of every entity alive. */
    @Test
    void a_node_that_divides_entities_otherwise_is_not_let_in_and_may_have_another_number_in_a_cluster_of_its_own() {
        Map<String, String> otherwise = Map.of("HOLDFAST_ENTITIES_SHARDS", "64");
        start(TestSettings.with(otherwise));
        var first = start(TestSettings.with(Map.of()));
        Map<String, String> joining = new HashMap<>(otherwise);
        joining.put("HOLDFAST_CLUSTER_SEED_NODES", "127.0.0.1:" + first.port());
        assertThatThrownBy(() -> start(TestSettings.with(joining)))
                .isInstanceOf(StartException.class)
                .hasMessageContaining("holdfast.entities.shards");
        assertThat(Cluster.get(first.system()).state().getMembers()).hasSize(1);
    }

    /** As when it was cut off, removed, and started again before the line was whole. */
    @Test
    void the_first_seed_node_forms_no_cluster_beside_nodes_it_does_not_reach_and_forms_one_once_they_are_gone()
            throws Exception {
        int port = freePort();
        var settings = patientFor(
                60,
                Map.of(
                        "HOLDFAST_CLUSTER_PORT",
                        Integer.toString(port),
                        "HOLDFAST_CLUSTER_SEED_NODES",
                        "127.0.0.1:" + port + ",127.0.0.1:1"));
        var member = ClusterMember.start(settings);
        members.add(member);
        var others = new AtomicBoolean(true);
        var asked = new AtomicInteger();
        var joining = CompletableFuture.runAsync(() -> member.join(settings, () -> {
            asked.incrementAndGet();
            return others.get();
        }));
        await().atMost(PATIENCE).until(() -> asked.get() > 2);
        assertThat(Cluster.get(member.system()).state().getMembers()).isEmpty();

        others.set(false);

        joining.get(60, TimeUnit.SECONDS);
        await().atMost(PATIENCE).until(member::isMember);
    }

    /** Such as a second node with the settings file of the first. */
    @Test
    void a_node_without_seed_nodes_waits_for_one_that_serves_to_go_and_forms_no_second_cluster_beside_it()
            throws Exception {
        var settings = TestSettings.with(Map.of());
        var refused = ClusterMember.start(settings);
        var patient = ClusterMember.start(settings);
        members.addAll(List.of(refused, patient));
        var gone = new AtomicBoolean();
        var asked = new AtomicInteger();
        var waiting = CompletableFuture.runAsync(() -> patient.join(settings, () -> {
            asked.incrementAndGet();
            return !gone.get();
        }));
        await().atMost(PATIENCE).until(() -> asked.get() > 1);
        gone.set(true);
        waiting.get(60, TimeUnit.SECONDS);
        assertThatThrownBy(() -> refused.join(settings, () -> true))
                .isInstanceOf(StartException.class)
                .hasMessageContaining("holdfast.cluster.seed-nodes is empty");
        assertThat(Cluster.get(refused.system()).state().getMembers()).isEmpty();
    }

    @Test
    void a_cluster_port_that_is_taken_is_said_in_one_line() throws IOException {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var settings = TestSettings.with(Map.of("HOLDFAST_CLUSTER_PORT", Integer.toString(taken.getLocalPort())));
            assertThatThrownBy(() -> start(settings))
                    .isInstanceOf(StartException.class)
                    .hasMessage("The cluster address 127.0.0.1:" + taken.getLocalPort()
                            + " can't be had: free the port, or choose another with holdfast.cluster.port.");
        }
    }

    private ClusterMember start(Settings settings) {
        var member = ClusterMember.start(settings);
        members.add(member);
        member.join(settings, () -> false);
        return member;
    }

    /** Else a node that starts while it is removed stays away for as long as it waits for its stores. */
    @Test
    void what_needs_the_cluster_is_waited_for_no_longer_once_this_node_was_removed() throws Exception {
        var member = start(TestSettings.with(Map.of()));
        assertThatCode(member::requireStaying).doesNotThrowAnyException();
        Cluster cluster = Cluster.get(member.system());

        cluster.down(cluster.selfAddress());

        assertThat(member.ended().toCompletableFuture().get(60, TimeUnit.SECONDS))
                .isEqualTo(Ended.REMOVED);
        assertThatThrownBy(() -> new StartPatience(Duration.ofDays(1)).waitFor("entities", () -> {
                    member.requireStaying();
                    return "there";
                }))
                .isInstanceOf(StartException.class)
                .hasMessageStartingWith("The other nodes removed this one while it started");
    }

    private static Map<String, String> withTls(String keys, Map<String, String> more) {
        Map<String, String> all = new HashMap<>(more);
        all.put("HOLDFAST_CLUSTER_TLS_KEYSTORE", keys);
        all.put("HOLDFAST_CLUSTER_TLS_KEYSTORE_PASSWORD", KeyFiles.PASSWORD);
        return all;
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    /** Gives up on its seed nodes after so long: through the pekko section, as a user may. */
    private Settings patientFor(int seconds, Map<String, String> environment) throws IOException {
        Path file = folder.resolve("impatient.conf");
        Files.writeString(file, """
            pekko.cluster { shutdown-after-unsuccessful-join-seed-nodes = %ds, seed-node-timeout = 500ms }
            holdfast {
              node.mode = development
              http.port = 0
              cluster.port = 0
              postgres.url = "jdbc:postgresql://127.0.0.1:1/holdfast"
              redis.url = "redis://127.0.0.1:1"
            }
            """.formatted(seconds));
        return Settings.load(Optional.of(file), environment);
    }
}
