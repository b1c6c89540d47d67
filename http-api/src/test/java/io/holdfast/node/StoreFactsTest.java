package io.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.config.Settings;
import io.holdfast.config.SettingsException;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a node makes of what its stores say about themselves. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class StoreFactsTest {

    private static final Settings DEVELOPMENT = TestSettings.with(Map.of());
    private static final Settings PRODUCTION = production("open-http,plain-http,plain-postgres,plain-redis");
    private static final Settings TOLERANT =
            production("open-http,plain-http,plain-postgres,plain-redis,volatile-postgres,volatile-redis");
    private static final Settings SYNCHRONOUS =
            TestSettings.with(Map.of("HOLDFAST_POSTGRES_DURABILITY", "synchronous"));

    @Nested
    class Postgres {

        @Test
        void a_durable_primary_is_fit() {
            assertThat(facts("on", "on", "on", "").judge(PRODUCTION)).isEmpty();
        }

        @ParameterizedTest(name = "fsync {0}, synchronous_commit {1}, full_page_writes {2}")
        @CsvSource({"off, on, on, fsync", "on, off, on, synchronous_commit", "on, on, off, full_page_writes"})
        void one_that_may_lose_commits_needs_permission_by_name(
                String fsync, String commit, String pages, String which) {
            var facts = facts(fsync, commit, pages, "");
            assertThatThrownBy(() -> facts.judge(PRODUCTION))
                    .isInstanceOf(SettingsException.class)
                    .hasMessage("In production PostgreSQL may lose commits: switch fsync, synchronous_commit and"
                            + " full_page_writes on, or accept it by name with holdfast.security.allow ="
                            + " [\"volatile-postgres\"].");
            assertThat(facts.judge(TOLERANT)).contains("PostgreSQL may lose commits: " + which + " off.");
            assertThat(facts.judge(DEVELOPMENT)).isPresent();
        }

        @Test
        void one_that_cannot_be_written_to_is_refused_everywhere() {
            assertThatThrownBy(() -> new PostgresFacts(180000, true, Map.of()).judge(DEVELOPMENT))
                    .hasMessageContaining("a standby");
            assertThatThrownBy(() -> new PostgresFacts(180000, false, Map.of("default_transaction_read_only", "on"))
                            .judge(DEVELOPMENT))
                    .hasMessageContaining("default_transaction_read_only is on");
        }

        @Test
        void one_that_is_too_old_is_refused_everywhere() {
            assertThatThrownBy(() -> new PostgresFacts(160004, false, Map.of()).judge(DEVELOPMENT))
                    .isInstanceOf(SettingsException.class)
                    .hasMessage("holdfast.postgres.url leads to PostgreSQL 16: use version 17 or newer.");
        }

        @ParameterizedTest(name = "synchronous_commit {0}, synchronous_standby_names {1}: fit {2}")
        @CsvSource({
            "on, standby1, true",
            "remote_apply, ANY 1 (a b), true",
            "remote_write, standby1, false",
            "local, standby1, false",
            "on, '', false"
        })
        void where_nothing_may_be_lost_a_standby_must_hold_every_commit(String commit, String standbys, boolean fit) {
            var facts = facts("on", commit, "on", standbys);
            if (fit) {
                assertThat(facts.judge(SYNCHRONOUS)).isEmpty();
            } else {
                assertThatThrownBy(() -> facts.judge(SYNCHRONOUS))
                        .isInstanceOf(SettingsException.class)
                        .hasMessageStartingWith("holdfast.postgres.durability = synchronous can't be kept: ");
            }
        }

        private static PostgresFacts facts(String fsync, String commit, String pages, String standbys) {
            return new PostgresFacts(
                    180006,
                    false,
                    Map.of(
                            "fsync", fsync,
                            "synchronous_commit", commit,
                            "full_page_writes", pages,
                            "synchronous_standby_names", standbys,
                            "default_transaction_read_only", "off"));
        }
    }

    @Nested
    class Redis {

        @Test
        void one_that_keeps_what_it_has_is_fit() {
            assertThat(facts("7.2.4", "master", "noeviction", "1").judge(PRODUCTION))
                    .isEmpty();
        }

        @Test
        void one_that_would_throw_stock_away_is_refused_everywhere() {
            assertThatThrownBy(
                            () -> facts("7.2.4", "master", "allkeys-lru", "1").judge(DEVELOPMENT))
                    .isInstanceOf(SettingsException.class)
                    .hasMessage("Redis would throw stock away when it is full (maxmemory-policy is allkeys-lru): set"
                            + " maxmemory-policy noeviction there.");
        }

        @Test
        void one_that_forgets_at_restart_needs_permission_by_name() {
            var facts = facts("7.2.4", "master", "noeviction", "0");
            assertThatThrownBy(() -> facts.judge(PRODUCTION))
                    .isInstanceOf(SettingsException.class)
                    .hasMessageContaining("volatile-redis");
            assertThat(facts.judge(TOLERANT)).isPresent();
            assertThat(facts.judge(DEVELOPMENT)).isPresent();
        }

        @Test
        void one_under_sentinel_that_writes_without_replicas_needs_permission_by_name() {
            var unfenced = facts("7.2.4", "master", "noeviction", "1");
            var strict = sentinel("production", "plain-redis");
            assertThatThrownBy(() -> unfenced.judge(strict))
                    .isInstanceOf(SettingsException.class)
                    .hasMessage("In production a Redis that Sentinel has replaced may sell the same stock again: set"
                            + " min-replicas-to-write to 1 or more on every Redis that may become primary, or accept"
                            + " it by name with holdfast.security.allow = [\"unfenced-redis\"].");
            assertThat(unfenced.judge(sentinel("production", "plain-redis,unfenced-redis")))
                    .contains("A Redis that was replaced may sell the same stock again: min-replicas-to-write is 0.");
            assertThat(unfenced.judge(sentinel("development", "plain-redis"))).isPresent();

            var fenced = RedisFacts.of("redis_version:7.2.4\nrole:master\nmaxmemory_policy:noeviction\naof_enabled:1\n"
                    + "min_slaves_good_slaves:1\n");
            assertThat(fenced.judge(strict)).isEmpty();
        }

        private static Settings sentinel(String mode, String allow) {
            return TestSettings.with(Map.of(
                    "HOLDFAST_NODE_MODE",
                    mode,
                    "HOLDFAST_SECURITY_ALLOW",
                    "open-http,plain-http,plain-postgres," + allow,
                    "HOLDFAST_REDIS_URL",
                    "redis-sentinel://127.0.0.1:1,127.0.0.1:2/0#primary"));
        }

        @Test
        void a_replica_is_refused_everywhere() {
            assertThatThrownBy(() -> facts("7.2.4", "slave", "noeviction", "1").judge(DEVELOPMENT))
                    .isInstanceOf(SettingsException.class)
                    .hasMessageContaining("a replica");
        }

        @ParameterizedTest
        @ValueSource(strings = {"5.0.14", "6.0.20", "", "unknown"})
        void one_that_is_too_old_is_refused_everywhere(String version) {
            assertThatThrownBy(() -> facts(version, "master", "noeviction", "1").judge(DEVELOPMENT))
                    .isInstanceOf(SettingsException.class)
                    .hasMessageEndingWith("use version 6.2 or newer.");
        }

        @Test
        void one_that_still_reads_its_files_is_not_ready() {
            assertThat(RedisFacts.of("# Persistence\r\nloading:1\r\n").loading())
                    .isTrue();
            assertThat(RedisFacts.of("# Persistence\r\nloading:0\r\n").loading())
                    .isFalse();
        }

        @Test
        void a_node_of_a_cluster_says_so_in_the_words_of_redis_or_of_valkey() {
            assertThat(RedisFacts.of("redis_mode:cluster\r\n").inCluster()).isTrue();
            assertThat(RedisFacts.of("server_mode:cluster\r\n").inCluster()).isTrue();
            assertThat(RedisFacts.of("redis_mode:standalone\r\n").inCluster()).isFalse();
            assertThat(RedisFacts.of("server_mode:standalone\r\n").inCluster()).isFalse();
        }

        private static RedisFacts facts(String version, String role, String policy, String aof) {
            return RedisFacts.of("# Server\r\nredis_version:" + version + "\r\nrole:" + role + "\r\nmaxmemory_policy:"
                    + policy + "\r\naof_enabled:" + aof + "\r\n");
        }
    }

    private static Settings production(String allow) {
        return TestSettings.with(Map.of("HOLDFAST_NODE_MODE", "production", "HOLDFAST_SECURITY_ALLOW", allow));
    }
}
