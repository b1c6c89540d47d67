package io.holdfast.bench.http;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Deque;
import java.util.Locale;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** Connections to one server, kept open, with one request on the way on each; one thread reads all answers. */
final class HttpConnections implements AutoCloseable {

    /** Told instead of a status when the connection is lost. */
    static final int LOST = 0;

    private static final int ANSWER_BYTES = 64 * 1024;
    private static final String LENGTH = "content-length:";

    private final Selector selector;
    private final Deque<Connection> idle = new ConcurrentLinkedDeque<>();
    private final Thread reader;
    private volatile boolean closed;

    private HttpConnections(Selector selector) {
        this.selector = selector;
        this.reader = Thread.ofPlatform().daemon().name("http-load").unstarted(this::read);
    }

    /** Opens so many. */
    static HttpConnections open(InetSocketAddress server, int count) throws IOException {
        var connections = new HttpConnections(Selector.open());
        for (int i = 0; i < count; i++) {
            SocketChannel channel = SocketChannel.open(server);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.configureBlocking(false);
            Connection connection = connections.new Connection(channel);
            channel.register(connections.selector, SelectionKey.OP_READ, connection);
            connections.idle.push(connection);
        }
        connections.reader.start();
        return connections;
    }

    /**
     * Sends a request on a connection that is idle; there must be one.
     *
     * @param answered told the status, on the reading thread, or {@link #LOST}
     */
    void send(byte[] request, IntConsumer answered) {
        Connection connection = idle.poll();
        if (connection == null) {
            answered.accept(LOST);
        } else {
            connection.send(request, answered);
        }
    }

    private void read() {
        try {
            while (!closed) {
                selector.select(key -> ((Connection) key.attachment()).read());
            }
        } catch (ClosedSelectorException e) {
            if (!closed) {
                throw e;
            }
        } catch (IOException e) {
            throw new IllegalStateException("the reading thread failed", e);
        }
    }

    @Override
    public void close() throws IOException {
        closed = true;
        for (SelectionKey key : selector.keys()) {
            key.channel().close();
        }
        selector.close();
    }

    private final class Connection {

        private final SocketChannel channel;
        private final ByteBuffer answer = ByteBuffer.allocate(ANSWER_BYTES);
        private volatile @Nullable IntConsumer answered;

        private Connection(SocketChannel channel) {
            this.channel = channel;
        }

        private void send(byte[] request, IntConsumer whenAnswered) {
            answered = whenAnswered;
            try {
                ByteBuffer bytes = ByteBuffer.wrap(request);
                while (bytes.hasRemaining()) {
                    // The socket is empty when a request is sent, and a request is small: this goes round once.
                    channel.write(bytes);
                }
            } catch (IOException e) {
                lost();
            }
        }

        private void read() {
            try {
                if (channel.read(answer) < 0) {
                    lost();
                    return;
                }
            } catch (IOException e) {
                lost();
                return;
            }
            int status = whole();
            IntConsumer waiting = answered;
            if (status != 0 && waiting != null) {
                answer.clear();
                answered = null;
                idle.push(this);
                waiting.accept(status);
            }
        }

        /** The status once the whole answer has come, 0 before. */
        private int whole() {
            byte[] bytes = answer.array();
            int length = answer.position();
            int body = endOfHead(bytes, length);
            if (body < 0) {
                return 0;
            }
            String head = new String(bytes, 0, body, StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT);
            int at = head.indexOf(LENGTH);
            if (at < 0) {
                throw new IllegalStateException("an answer without length: " + head);
            }
            int bodyLength = Integer.parseInt(
                    head.substring(at + LENGTH.length(), head.indexOf('\r', at)).strip());
            // HTTP/1.1 201 Created
            return length < body + bodyLength ? 0 : Integer.parseInt(head.substring(9, 12));
        }

        private static int endOfHead(byte[] bytes, int length) {
            for (int i = 3; i < length; i++) {
                if (bytes[i] == '\n' && bytes[i - 1] == '\r' && bytes[i - 2] == '\n' && bytes[i - 3] == '\r') {
                    return i + 1;
                }
            }
            return -1;
        }

        private void lost() {
            try {
                channel.close();
            } catch (IOException e) {
                // It is gone, which is what is told.
            }
            IntConsumer waiting = answered;
            answered = null;
            if (waiting != null) {
                waiting.accept(LOST);
            }
        }
    }
}
