package io.holdfast.localstack.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.localstack.PostgresServer;
import io.holdfast.localstack.RedisServer;
import io.holdfast.localstack.RedisSettings;
import io.holdfast.localstack.SharedStack;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class FaultProxyTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static int tests;

    private final String key = "proxied-" + tests++;
    private FaultProxy proxy;

    @AfterEach
    void close() {
        proxy.close();
    }

    @Nested
    class before_Redis {

        private Client direct;

        @BeforeEach
        void open() throws IOException {
            RedisServer redis = SharedStack.redis();
            proxy = FaultProxy.to(redis.host(), redis.port());
            direct = new Client(redis.port());
        }

        @AfterEach
        void leave() throws IOException {
            direct.close();
        }

        @Test
        void it_passes_everything_on() throws IOException {
            try (Client client = new Client(proxy.port())) {
                assertThat(client.ask("INCR " + key)).isEqualTo(":1");
                assertThat(client.ask("INCR " + key)).isEqualTo(":2");
                assertThat(proxy.connections()).isEqualTo(1);
            }
            assertThat(direct.ask("INCR " + key)).isEqualTo(":3");
        }

        @Test
        void cut_connections_break_and_new_ones_work() throws IOException {
            try (Client client = new Client(proxy.port())) {
                client.ask("PING");
                proxy.cut();
                assertThatBreaks(client, "PING");
            }
            try (Client client = new Client(proxy.port())) {
                assertThat(client.ask("PING")).isEqualTo("+PONG");
            }
        }

        @Test
        void refused_until_healed() throws IOException {
            proxy.refuse();
            assertThatThrownBy(() -> {
                        try (Client client = new Client(proxy.port())) {
                            client.ask("PING");
                        }
                    })
                    .isInstanceOf(IOException.class);
            proxy.heal();
            try (Client client = new Client(proxy.port())) {
                assertThat(client.ask("PING")).isEqualTo("+PONG");
            }
        }

        @Test
        void refused_to_one_address_and_to_no_other() throws IOException {
            InetAddress shut = InetAddress.ofLiteral("127.0.0.2");
            try (Client one = new Client(proxy.port(), shut);
                    Client other = new Client(proxy.port())) {
                assertThat(one.ask("PING")).isEqualTo("+PONG");
                assertThat(other.ask("PING")).isEqualTo("+PONG");
                proxy.refuseFrom(shut);
                assertThatBreaks(one, "PING");
                assertThat(other.ask("PING")).isEqualTo("+PONG");
                assertThatThrownBy(() -> {
                            try (Client again = new Client(proxy.port(), shut)) {
                                again.ask("PING");
                            }
                        })
                        .isInstanceOf(IOException.class);
                proxy.heal();
                try (Client again = new Client(proxy.port(), shut)) {
                    assertThat(again.ask("PING")).isEqualTo("+PONG");
                }
            }
        }

        @Test
        void a_server_that_is_down_looks_down() throws IOException {
            try (RedisServer other = RedisServer.start(RedisSettings.in(SharedStack.freshFolder("redis-" + key)))) {
                proxy.target(other.host(), other.port());
                other.stop();
                try (Client client = new Client(proxy.port())) {
                    assertThatBreaks(client, "PING");
                }
            }
        }

        @Test
        void retargeted_new_connections_reach_the_other_server() throws IOException {
            try (RedisServer other = RedisServer.start(RedisSettings.in(SharedStack.freshFolder("redis-" + key)));
                    Client before = new Client(proxy.port())) {
                before.ask("SET " + key + " first");
                proxy.target(other.host(), other.port());
                try (Client after = new Client(proxy.port())) {
                    assertThat(after.ask("EXISTS " + key)).isEqualTo(":0");
                    assertThat(before.ask("EXISTS " + key)).isEqualTo(":1");
                }
            }
        }

        @Test
        void a_black_hole_holds_the_request_back_and_healing_delivers_it() throws Exception {
            try (Client client = new Client(proxy.port())) {
                client.ask("PING");
                proxy.blackhole();
                CompletableFuture<String> answer = client.askLater("INCR " + key);
                assertThat(direct.ask("EXISTS " + key)).isEqualTo(":0");
                assertThat(answer).isNotDone();
                proxy.heal();
                assertThat(answer.get(20, TimeUnit.SECONDS)).isEqualTo(":1");
            }
        }

        @Test
        void what_a_black_hole_holds_is_done_later_even_if_the_client_has_left() throws IOException {
            try (Client client = new Client(proxy.port())) {
                client.ask("PING");
                proxy.blackhole();
                client.send("RPUSH " + key + " late");
            }
            assertThat(direct.ask("EXISTS " + key)).isEqualTo(":0");
            proxy.heal();
            assertThat(direct.ask("BLPOP " + key + " 20"))
                    .as("waits in Redis until it is there")
                    .isEqualTo("*2");
        }

        @Test
        void what_a_black_hole_holds_is_gone_when_the_line_is_cut() throws IOException {
            try (Client client = new Client(proxy.port())) {
                client.ask("PING");
                proxy.blackhole();
                client.send("INCR " + key);
                proxy.cut();
                assertThatBreaks(client, "PING");
            }
            proxy.heal();
            assertThat(direct.ask("EXISTS " + key)).isEqualTo(":0");
        }

        @Test
        void with_dropped_replies_the_request_is_done_and_the_client_sees_a_broken_line() throws IOException {
            proxy.dropReplies();
            try (Client client = new Client(proxy.port())) {
                assertThatBreaks(client, "INCR " + key);
            }
            assertThat(direct.ask("GET " + key)).isEqualTo("$1");
            proxy.heal();
            try (Client client = new Client(proxy.port())) {
                assertThat(client.ask("INCR " + key)).isEqualTo(":2");
            }
        }

        @Test
        void a_lost_reply_hits_only_the_request_it_waits_for_and_only_once() throws IOException {
            Trap trap = proxy.loseReplyTo("INCR " + key);
            try (Client other = new Client(proxy.port());
                    Client client = new Client(proxy.port())) {
                assertThat(other.ask("PING")).isEqualTo("+PONG");
                assertThat(trap.hasSprung()).isFalse();
                assertThatBreaks(client, "INCR " + key);
                trap.await(PATIENCE);
                assertThat(other.ask("INCR " + key)).isEqualTo(":2");
            }
        }

        @Test
        void a_lost_request_is_never_done() throws IOException {
            Trap trap = proxy.loseRequest(key);
            try (Client client = new Client(proxy.port())) {
                assertThatBreaks(client, "INCR " + key);
            }
            trap.await(PATIENCE);
            assertThat(direct.ask("EXISTS " + key)).isEqualTo(":0");
        }

        @Test
        void a_held_request_is_done_when_released_after_its_retry() throws IOException {
            Trap trap = proxy.holdRequest("SETNX " + key);
            assertThatThrownBy(trap::release).isInstanceOf(IllegalStateException.class);
            try (Client client = new Client(proxy.port())) {
                assertThatBreaks(client, "SETNX " + key + " first");
            }
            trap.await(PATIENCE);
            assertThat(direct.ask("EXISTS " + key)).isEqualTo(":0");
            try (Client retry = new Client(proxy.port())) {
                assertThat(retry.ask("SETNX " + key + " retry")).isEqualTo(":1");
            }
            trap.release();
            assertThat(direct.ask("STRLEN " + key)).isEqualTo(":" + "retry".length());
        }

        @Test
        void a_text_torn_between_two_reads_still_springs_the_trap() throws IOException {
            Trap trap = proxy.loseRequest("INCR " + key);
            try (Client client = new Client(proxy.port())) {
                client.ask("PING");
                client.sendRaw("INC");
                client.sendRaw("R " + key + "\r\n");
                assertThatThrownBy(client::read).isInstanceOf(IOException.class);
            }
            trap.await(PATIENCE);
            assertThat(direct.ask("EXISTS " + key)).isEqualTo(":0");
        }

        @Test
        void healing_takes_traps_away() throws IOException {
            Trap trap = proxy.loseRequest(key);
            proxy.heal();
            try (Client client = new Client(proxy.port())) {
                assertThat(client.ask("INCR " + key)).isEqualTo(":1");
            }
            assertThat(trap.hasSprung()).isFalse();
            assertThatThrownBy(() -> trap.await(Duration.ofMillis(1)))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining(key);
        }

        @Test
        void muted_after_a_text_the_server_does_what_it_is_asked_and_the_client_hears_of_it_when_healed()
                throws Exception {
            proxy.muteAfter("INCR " + key);
            try (Client client = new Client(proxy.port());
                    Client other = new Client(proxy.port());
                    Client waiting = new Client(SharedStack.redis().port())) {
                assertThat(client.ask("PING")).isEqualTo("+PONG");
                client.send("INCR " + key);
                CompletableFuture<String> answer = client.askLater("RPUSH " + key + "-done it");
                assertThat(waiting.ask("BLPOP " + key + "-done 20"))
                        .as("what follows is done too")
                        .isEqualTo("*2");
                assertThat(other.ask("PING")).isEqualTo("+PONG");
                assertThat(answer).isNotDone();
                proxy.heal();
                assertThat(answer.get(20, TimeUnit.SECONDS)).isEqualTo(":1");
                assertThat(client.read()).isEqualTo(":1");
                assertThat(client.ask("INCR " + key)).isEqualTo(":2");
            }
        }

        @Test
        void what_a_muted_client_that_left_had_asked_for_is_done_once() throws IOException {
            proxy.muteAfter("INCR " + key);
            try (Client client = new Client(proxy.port());
                    Client waiting = new Client(SharedStack.redis().port())) {
                client.send("INCR " + key);
                client.send("RPUSH " + key + "-done it");
                assertThat(waiting.ask("BLPOP " + key + "-done 20")).isEqualTo("*2");
            }
            proxy.cut();
            proxy.heal();
            assertThat(direct.ask("INCR " + key)).isEqualTo(":2");
        }

        @Test
        void a_delayed_request_waits_until_the_delay_is_taken_away() throws Exception {
            try (Client client = new Client(proxy.port())) {
                client.ask("PING");
                proxy.delayRequests(Duration.ofHours(1));
                CompletableFuture<String> answer = client.askLater("INCR " + key);
                assertThat(direct.ask("EXISTS " + key)).isEqualTo(":0");
                proxy.heal();
                assertThat(answer.get(20, TimeUnit.SECONDS)).isEqualTo(":1");
            }
        }

        @Test
        void a_delayed_request_is_done_after_the_delay() throws IOException {
            proxy.delayRequests(Duration.ofMillis(50));
            try (Client client = new Client(proxy.port())) {
                assertThat(client.ask("INCR " + key)).isEqualTo(":1");
            }
        }
    }

    @Nested
    class before_PostgreSQL {

        private final PostgresServer postgres = SharedStack.postgres();
        private final String direct = postgres.createDatabase("proxied_" + tests++);

        @BeforeEach
        void open() throws SQLException {
            proxy = FaultProxy.to(postgres.host(), postgres.port());
            try (Connection connection = connect(direct);
                    Statement statement = connection.createStatement()) {
                statement.execute("create table word (word text)");
            }
        }

        @Test
        void a_commit_whose_answer_is_lost_is_committed() throws SQLException {
            Trap trap = proxy.loseReplyTo("COMMIT");
            assertThatThrownBy(() -> insert("lost answer")).isInstanceOf(SQLException.class);
            trap.await(PATIENCE);
            assertThat(count()).isEqualTo(1);
        }

        @Test
        void a_commit_that_never_arrives_is_rolled_back() throws SQLException {
            Trap trap = proxy.loseRequest("COMMIT");
            assertThatThrownBy(() -> insert("lost request")).isInstanceOf(SQLException.class);
            trap.await(PATIENCE);
            assertThat(count()).isZero();
        }

        @Test
        void without_faults_it_passes_everything_on() throws SQLException {
            insert("passed");
            assertThat(count()).isEqualTo(1);
        }

        private void insert(String word) throws SQLException {
            String url = direct.replace(":" + postgres.port(), ":" + proxy.port()) + "?prepareThreshold=0";
            try (Connection connection = connect(url);
                    Statement statement = connection.createStatement()) {
                connection.setAutoCommit(false);
                statement.execute("insert into word values ('" + word + "')");
                connection.commit();
            }
        }

        private int count() throws SQLException {
            try (Connection connection = connect(direct);
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("select count(*) from word")) {
                row.next();
                return row.getInt(1);
            }
        }

        private Connection connect(String url) throws SQLException {
            return DriverManager.getConnection(url, postgres.user(), postgres.password());
        }
    }

    private static void assertThatBreaks(Client client, String command) {
        assertThatThrownBy(() -> client.ask(command)).isInstanceOf(IOException.class);
    }

    /** Speaks Redis's inline commands and reads the first line of each answer. */
    private static final class Client implements AutoCloseable {

        private final Socket socket;
        private final BufferedReader in;

        Client(int port) throws IOException {
            this(port, InetAddress.getLoopbackAddress());
        }

        /** Calls from this address. */
        Client(int port, InetAddress from) throws IOException {
            socket = new Socket(InetAddress.getLoopbackAddress(), port, from, 0);
            socket.setSoTimeout((int) PATIENCE.toMillis());
            in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        }

        String ask(String command) throws IOException {
            send(command);
            return read();
        }

        CompletableFuture<String> askLater(String command) throws IOException {
            send(command);
            return CompletableFuture.supplyAsync(
                    () -> {
                        try {
                            return read();
                        } catch (IOException e) {
                            throw new AssertionError(e);
                        }
                    },
                    Thread::startVirtualThread);
        }

        void send(String command) throws IOException {
            sendRaw(command + "\r\n");
        }

        void sendRaw(String text) throws IOException {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
        }

        String read() throws IOException {
            String line = in.readLine();
            if (line == null) {
                throw new IOException("closed");
            }
            return line;
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
