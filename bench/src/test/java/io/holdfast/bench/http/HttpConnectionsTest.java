package io.holdfast.bench.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class HttpConnectionsTest {

    private static final byte[] REQUEST = "GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final BlockingQueue<Integer> statuses = new LinkedBlockingQueue<>();
    private ServerSocket server;
    private HttpConnections connections;
    private Socket accepted;

    @BeforeEach
    void connect() throws IOException {
        server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        connections = HttpConnections.open(new InetSocketAddress(server.getInetAddress(), server.getLocalPort()), 1);
        accepted = server.accept();
        accepted.setTcpNoDelay(true);
    }

    @AfterEach
    void close() throws IOException {
        connections.close();
        accepted.close();
        server.close();
    }

    @Test
    void an_answer_counts_once_head_and_body_have_come_whatever_pieces_they_come_in() throws Exception {
        connections.send(REQUEST, statuses::add);
        assertThat(accepted.getInputStream().readNBytes(REQUEST.length)).isEqualTo(REQUEST);
        for (String piece : List.of("HTTP/1.1 20", "1 Created\r\nCONTENT-Length: ", "4\r\n", "\r\n12", "34")) {
            assertThat(statuses).isEmpty();
            accepted.getOutputStream().write(piece.getBytes(StandardCharsets.US_ASCII));
        }
        assertThat(statuses.poll(20, TimeUnit.SECONDS)).isEqualTo(201);
    }

    @Test
    void the_connection_is_used_again() throws Exception {
        for (int status : List.of(201, 503)) {
            connections.send(REQUEST, statuses::add);
            accepted.getInputStream().readNBytes(REQUEST.length);
            accepted.getOutputStream()
                    .write(("HTTP/1.1 " + status + " x\r\nContent-Length: 0\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            assertThat(statuses.poll(20, TimeUnit.SECONDS)).isEqualTo(status);
        }
    }

    @Test
    void a_lost_connection_is_told_at_once_and_for_every_request_after_it() throws Exception {
        connections.send(REQUEST, statuses::add);
        accepted.getInputStream().readNBytes(REQUEST.length);
        accepted.close();
        assertThat(statuses.poll(20, TimeUnit.SECONDS)).isEqualTo(HttpConnections.LOST);
        connections.send(REQUEST, statuses::add);
        assertThat(statuses.poll(20, TimeUnit.SECONDS)).isEqualTo(HttpConnections.LOST);
    }
}
