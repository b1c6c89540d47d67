package io.holdfast.localstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

@DisplayNameGeneration(ReplaceUnderscores.class)
class RedisServerTest {

    private RedisServer server;

    @BeforeEach
    void start(TestInfo test) {
        server = RedisServer.start(RedisSettings.in(SharedStack.freshFolder(
                "redis-" + test.getTestMethod().orElseThrow().getName())));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void it_says_itself_that_it_is_durable_and_never_evicts() {
        assertThat(ask("CONFIG", "GET", "appendonly")).containsExactly("appendonly", "yes");
        assertThat(ask("CONFIG", "GET", "appendfsync")).containsExactly("appendfsync", "everysec");
        assertThat(ask("CONFIG", "GET", "maxmemory-policy")).containsExactly("maxmemory-policy", "noeviction");
        assertThat(ask("CONFIG", "GET", "bind")).containsExactly("bind", "127.0.0.1");
    }

    @Test
    void it_can_be_told_to_force_every_write_to_the_disk() {
        try (RedisServer careful = RedisServer.start(
                RedisSettings.in(SharedStack.freshFolder("redis-always")).withFsync(RedisFsync.ALWAYS))) {
            assertThat(ask(careful, "CONFIG", "GET", "appendfsync")).containsExactly("appendfsync", "always");
        }
    }

    @Test
    void a_program_that_is_none_is_named_and_so_is_what_to_do() {
        Path none = Path.of("/no/such/redis-server");
        assertThatThrownBy(() -> RedisServer.start(
                        RedisSettings.in(SharedStack.freshFolder("redis-none")).withProgram(none)))
                .isInstanceOf(LocalStackException.class)
                .hasMessage("/no/such/redis-server is no program that can be run: name a redis-server, or leave out"
                        + " holdfast.redis.program to use the one that comes along");
    }

    @Test
    void a_clean_stop_keeps_port_and_data() {
        int port = server.port();
        ask("SET", "key", "value");
        server.stop();
        assertThat(server.isRunning()).isFalse();
        server.start();
        assertThat(server.port()).isEqualTo(port);
        assertThat(ask("GET", "key")).containsExactly("value");
    }

    @Test
    void what_was_answered_survives_kill_if_every_write_is_forced_to_the_disk() {
        try (RedisServer careful = RedisServer.start(
                RedisSettings.in(SharedStack.freshFolder("redis-killed")).withFsync(RedisFsync.ALWAYS))) {
            for (int n = 0; n < 100; n++) {
                ask(careful, "INCR", "count");
            }
            careful.kill();
            careful.start();
            assertThat(ask(careful, "GET", "count")).containsExactly("100");
        }
    }

    @Test
    void a_thread_that_is_told_to_stop_still_ends_its_server_cleanly() throws IOException {
        ask("SET", "key", "value");
        Thread.currentThread().interrupt();
        server.stop();
        assertThat(Thread.interrupted()).as("the interrupt is kept").isTrue();
        assertThat(server.log()).content().contains("Redis is now ready to exit, bye bye...");
        server.start();
        assertThat(ask("GET", "key")).containsExactly("value");
    }

    @Test
    void wiped_it_comes_back_empty_on_its_port() {
        String uri = server.uri();
        ask("SET", "key", "value");
        server.wipe();
        assertThat(server.uri()).isEqualTo(uri);
        assertThat(ask("DBSIZE")).containsExactly("0");
    }

    @Test
    void restored_it_knows_only_what_it_knew_at_the_backup() {
        ask("SET", "key", "before");
        Path backup = server.backup();
        ask("SET", "key", "after");
        server.restore(backup);
        assertThat(ask("GET", "key")).containsExactly("before");
        assertThatThrownBy(() -> server.restore(Path.of("nowhere"))).hasMessageContaining("no backup at nowhere");
    }

    @Test
    void paused_it_keeps_connections_and_answers_when_resumed() throws Exception {
        try (RedisWire wire = new RedisWire(server.host(), server.port())) {
            assertThat(wire.ask("PING")).containsExactly("PONG");
            server.pause();
            var answer = CompletableFuture.supplyAsync(() -> askOn(wire, "INCR", "count"), Thread::startVirtualThread);
            assertThat(answer).isNotDone();
            server.resume();
            assertThat(answer.get(10, java.util.concurrent.TimeUnit.SECONDS)).containsExactly("1");
        }
    }

    @Test
    void a_paused_one_can_be_stopped_and_killed() {
        server.pause();
        server.kill();
        server.start();
        server.pause();
        server.stop();
        assertThat(server.isRunning()).isFalse();
    }

    @Test
    void extra_lines_make_it_run_out_of_memory_on_purpose() {
        try (RedisServer small = RedisServer.start(
                RedisSettings.in(SharedStack.freshFolder("redis-small")).withExtraLines("maxmemory 1kb"))) {
            assertThat(ask(small, "SET", "key", "value").getFirst()).startsWith("-OOM");
        }
    }

    @Test
    void extra_lines_may_break_a_rule_on_purpose() {
        try (RedisServer evicting = RedisServer.start(RedisSettings.in(SharedStack.freshFolder("redis-evicting"))
                .withExtraLines("maxmemory-policy allkeys-lru"))) {
            assertThat(ask(evicting, "CONFIG", "GET", "maxmemory-policy")).contains("allkeys-lru");
        }
    }

    @Test
    void a_replica_of_another_reads_and_refuses_writes() {
        ask("SET", "key", "value");
        try (RedisServer replica = RedisServer.start(RedisSettings.in(SharedStack.freshFolder("redis-replica"))
                .withExtraLines("replicaof 127.0.0.1 " + server.port()))) {
            assertThat(ask(replica, "SET", "key", "other").getFirst()).startsWith("-READONLY");
        }
    }

    @Test
    void started_means_that_all_data_have_been_read_however_long_that_takes() throws Exception {
        RedisSettings settings = RedisSettings.in(SharedStack.freshFolder("redis-loading"));
        int port;
        try (RedisServer filled = RedisServer.start(settings.withExtraLines("rdbcompression no"))) {
            port = filled.port();
            ask(filled, "DEBUG", "POPULATE", "10000", "key", "2000");
            ask(filled, "BGREWRITEAOF");
            assertThat(Waiting.until(
                            () -> info(filled).contains("aof_rewrite_in_progress:0")
                                    && info(filled).contains("aof_rewrite_scheduled:0"),
                            Duration.ofMinutes(1)))
                    .isTrue();
        }
        RedisSettings slow = settings.withPort(port).withExtraLines("key-load-delay 50");
        CompletableFuture<RedisServer> starting =
                CompletableFuture.supplyAsync(() -> RedisServer.start(slow), Thread::startVirtualThread);
        AtomicBoolean seenLoading = new AtomicBoolean();
        boolean started = Waiting.until(
                () -> {
                    seenLoading.compareAndSet(false, answersLoading(port));
                    return starting.isDone();
                },
                Duration.ofMinutes(2));
        assertThat(started).isTrue();
        try (RedisServer loaded = starting.get()) {
            assertThat(seenLoading).as("Redis answered LOADING for a while").isTrue();
            assertThat(ask(loaded, "DBSIZE")).containsExactly("10000");
        }
    }

    private static String info(RedisServer server) {
        return ask(server, "INFO", "persistence").getFirst();
    }

    private static boolean answersLoading(int port) {
        try (RedisWire wire = new RedisWire("127.0.0.1", port)) {
            return wire.ask("PING").getFirst().startsWith("-LOADING");
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void an_extra_line_that_is_no_setting_is_shown_in_the_error() {
        assertThatThrownBy(() -> RedisServer.start(
                        RedisSettings.in(SharedStack.freshFolder("redis-wrong")).withExtraLines("no-such-setting 1")))
                .isInstanceOf(LocalStackException.class)
                .hasMessageContaining("'no-such-setting 1'")
                .hasMessageNotContaining("\n");
    }

    private List<String> ask(String... words) {
        return ask(server, words);
    }

    private static List<String> ask(RedisServer server, String... words) {
        try (RedisWire wire = new RedisWire(server.host(), server.port())) {
            return wire.ask(words);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static List<String> askOn(RedisWire wire, String... words) {
        try {
            return wire.ask(words);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
