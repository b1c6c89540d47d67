package io.holdfast.lua.redis;

import static io.holdfast.lua.redis.Calls.untilKnown;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.localstack.RedisServer;
import io.holdfast.localstack.SharedStack;
import io.holdfast.lua.TryReply;
import io.holdfast.lua.conformance.Scenario;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** A line whose answers shift by one: every caller would get the answer of the call before. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class AnswersOutOfStepTest {

    @Test
    void nobody_takes_the_answer_of_another_call_for_its_own() throws IOException {
        RedisServer server = SharedStack.redis();
        try (ShiftingProxy proxy = new ShiftingProxy(server.host(), server.port());
                RedisStockScripts scripts = new RedisStockScripts(
                        RedisUnderTest.settings("redis://127.0.0.1:" + proxy.port()), ScriptListener.NONE)) {
            Calls calls = new Calls(scripts, "p:shifted");
            calls.init(10);
            assertThat(calls.hold("r1", 1)).isEqualTo("HELD v2 10+0=9/1/0");

            proxy.repeatTheAnswerAbout("r1");

            assertThat(calls.hold("r2", 9)).startsWith("UNKNOWN answers out of step: asked try of r2");
            assertThat(untilKnown(() -> calls.hold("r2", 9))).isEqualTo("HELD again v3 10+0=0/10/0");

            // The very same call asked twice: told apart by the number of the call.
            proxy.repeatTheAnswerAbout("r2");
            assertThat(calls.hold("r2", 9)).startsWith("UNKNOWN answers out of step: asked try of r2");
        }
    }

    @Test
    void a_call_in_flight_on_the_connection_of_a_garbled_answer_may_have_been_done() throws IOException {
        RedisServer server = SharedStack.redis();
        try (ShiftingProxy proxy = new ShiftingProxy(server.host(), server.port());
                RedisStockScripts scripts = new RedisStockScripts(
                        RedisUnderTest.settings("redis://127.0.0.1:" + proxy.port()), ScriptListener.NONE)) {
            Calls calls = new Calls(scripts, "p:both-in-flight");
            calls.init(10);
            assertThat(calls.hold("first", 1)).isEqualTo("HELD v2 10+0=9/1/0");

            proxy.swallowAnswersUpToTheOneAbout("innocent");
            CompletionStage<Outcome<TryReply>> garbled = calls.trying("garbled", 2);
            CompletionStage<Outcome<TryReply>> innocent = calls.trying("innocent", 3);

            assertThat(Calls.line(Scenario.outcome(garbled))).startsWith("UNKNOWN answers out of step");
            assertThat(Calls.line(Scenario.outcome(innocent))).isEqualTo("UNKNOWN RedisException: Connection closed");
            assertThat(untilKnown(() -> calls.hold("innocent", 3)))
                    .as("it had been done")
                    .startsWith("HELD again");
        }
    }

    @Test
    void callers_that_give_up_leave_everybody_else_their_own_answers() {
        try (RedisStockScripts scripts = new RedisStockScripts(
                RedisUnderTest.settings(SharedStack.redis().uri()), ScriptListener.NONE)) {
            Calls calls = new Calls(scripts, "p:given-up");
            calls.init(1000);
            Random random = new Random(26);
            List<CompletionStage<Outcome<TryReply>>> asked = new ArrayList<>();
            for (int i = 0; i < 400; i++) {
                asked.add(calls.trying("r" + i, 1 + i % 3));
                if (random.nextBoolean()) {
                    asked.get(random.nextInt(asked.size()))
                            .toCompletableFuture()
                            .cancel(true);
                }
            }
            long answered = 0;
            for (int i = 0; i < 400; i++) {
                if (!asked.get(i).toCompletableFuture().isCancelled()) {
                    assertThat(Calls.line(Scenario.outcome(asked.get(i)))).matches("HELD v.*");
                    answered++;
                }
                assertThat(calls.look("r" + i)).startsWith("SEEN trusted OPEN RESERVED " + (1 + i % 3) + "/");
            }
            assertThat(answered).isBetween(1L, 399L);
        }
    }

    /** Forwards, and on request sends an earlier answer again, before the next one. */
    private static final class ShiftingProxy implements AutoCloseable {
        private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        private final AtomicReference<String> wanted = new AtomicReference<>("");
        private volatile byte[] lastAnswer = new byte[0];
        private volatile String swallowed = "";

        ShiftingProxy(String host, int port) throws IOException {
            Thread.ofVirtual().start(() -> {
                while (!listener.isClosed()) {
                    try {
                        Socket client = listener.accept();
                        Socket server = new Socket(host, port);
                        Thread.ofVirtual().start(() -> pump(client, server, false));
                        Thread.ofVirtual().start(() -> pump(server, client, true));
                    } catch (IOException end) {
                        assertThat(listener.isClosed()).isTrue();
                    }
                }
            });
        }

        int port() {
            return listener.getLocalPort();
        }

        void repeatTheAnswerAbout(String reservation) {
            assertThat(new String(lastAnswer, StandardCharsets.US_ASCII)).contains(reservation);
            wanted.set(reservation);
        }

        /** The repeated answer is sent when Redis has answered about this reservation, instead of that and anything later. */
        void swallowAnswersUpToTheOneAbout(String reservation) {
            swallowed = reservation;
        }

        private void pump(Socket from, Socket to, boolean answers) {
            try (from;
                    to) {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                byte[] buffer = new byte[64 * 1024];
                for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                    byte[] bytes = Arrays.copyOf(buffer, read);
                    String text = new String(bytes, StandardCharsets.US_ASCII);
                    boolean ofTry = answers && text.contains("\r\ntry\r\n");
                    if (ofTry && !swallowed.isEmpty()) {
                        if (text.contains(swallowed)) {
                            swallowed = "";
                            out.write(lastAnswer);
                            in.transferTo(OutputStream.nullOutputStream());
                            return;
                        }
                        continue;
                    }
                    if (ofTry && !wanted.getAndSet("").isEmpty()) {
                        out.write(lastAnswer);
                    }
                    lastAnswer = ofTry ? bytes : lastAnswer;
                    out.write(bytes);
                }
            } catch (IOException brokenLine) {
                // The other side has closed: so does this one, by leaving.
            }
        }

        @Override
        public void close() throws IOException {
            listener.close();
        }
    }
}
