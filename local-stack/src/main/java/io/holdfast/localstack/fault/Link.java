package io.holdfast.localstack.fault;

import io.holdfast.localstack.fault.Trap.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One client's connection and the one to the server that belongs to it. */
final class Link {

    private static final int BUFFER = 64 * 1024;
    private static final int ANSWER_PATIENCE_SECONDS = 30;

    private final Faults faults;
    private final Socket client;
    private final Socket server;
    private final InputStream fromClient;
    private final OutputStream toClient;
    private final InputStream fromServer;
    private final OutputStream toServer;
    private final Consumer<Link> onEnd;
    private final CountDownLatch answered = new CountDownLatch(1);

    private volatile boolean cut;
    private volatile boolean detached;
    private volatile Optional<Mute> muted = Optional.empty();
    private volatile @Nullable Trap loseReply;

    /** Takes the streams at once: a socket that is closed gives none, and one side may be cut before the other is served. */
    Link(Faults faults, Socket client, Socket server, Consumer<Link> onEnd) throws IOException {
        this.faults = faults;
        this.client = client;
        this.server = server;
        this.fromClient = client.getInputStream();
        this.toClient = client.getOutputStream();
        this.fromServer = server.getInputStream();
        this.toServer = server.getOutputStream();
        this.onEnd = onEnd;
    }

    void start() {
        Thread.ofVirtual().name("proxy-requests").start(() -> pump(this::requests));
        Thread.ofVirtual().name("proxy-replies").start(() -> pump(this::replies));
    }

    /** Whether its client calls from this address. */
    boolean isFrom(InetAddress address) {
        return address.equals(client.getInetAddress());
    }

    /** Closes both sides at once; what was on the way is gone. */
    void cut() {
        cut = true;
        faults.change(() -> {});
        close(client);
        if (!detached) {
            close(server);
        }
        onEnd.accept(this);
    }

    private interface Pump {
        void run() throws IOException, InterruptedException;
    }

    /** A connection that breaks is what this proxy is about: it ends the link, and the two sides see it for themselves. */
    private void pump(Pump pump) {
        try {
            pump.run();
        } catch (IOException e) {
            cut();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            cut();
        }
    }

    private void requests() throws IOException, InterruptedException {
        Recent stream = new Recent();
        byte[] buffer = new byte[BUFFER];
        for (int length = fromClient.read(buffer); length >= 0; length = fromClient.read(buffer)) {
            if (!faults.passRequest(() -> cut)) {
                return;
            }
            Trap trap = faults.sprungBy(stream, buffer, length).orElse(null);
            faults.mutedBy(stream, buffer, length).ifPresent(mute -> muted = Optional.of(mute));
            stream.add(buffer, length);
            if (trap != null && trap.kind() != Kind.LOSE_REPLY) {
                keep(trap, Arrays.copyOf(buffer, length));
                return;
            }
            if (trap != null) {
                loseReply = trap;
            }
            toServer.write(buffer, 0, length);
        }
        server.shutdownOutput();
    }

    private void replies() throws IOException, InterruptedException {
        byte[] buffer = new byte[BUFFER];
        for (int length = fromServer.read(buffer); length >= 0; length = fromServer.read(buffer)) {
            if (detached) {
                answered.countDown();
                return;
            }
            if (loseReply != null || faults.dropsReplies()) {
                swallow(buffer);
                return;
            }
            if (!faults.passReply(muted, () -> cut)) {
                return;
            }
            reply(buffer, length);
        }
        if (!detached) {
            cut();
        }
    }

    /**
     * The server has answered. It is told that no more will come and may finish what it has; when it closes, everything it
     * was asked is done, and only then the client sees its connection break.
     */
    private void swallow(byte[] buffer) throws IOException {
        try {
            server.shutdownOutput();
            int length;
            do {
                length = fromServer.read(buffer);
            } while (length >= 0);
        } finally {
            // First the trap, then the cut: whoever sees the connection break must also see why.
            Trap trap = loseReply;
            if (trap != null) {
                trap.spring(() -> {});
            }
            cut();
        }
    }

    /** A client that is gone ends the link, unless the server still has a held request to answer. */
    private void reply(byte[] buffer, int length) throws IOException {
        try {
            toClient.write(buffer, 0, length);
        } catch (IOException e) {
            if (!detached) {
                throw e;
            }
        }
    }

    private void keep(Trap trap, byte[] request) {
        switch (trap.kind()) {
            case LOSE_REQUEST, LOSE_REPLY -> {
                trap.spring(() -> {});
                cut();
            }
            case HOLD_REQUEST -> {
                detached = true;
                trap.spring(() -> deliver(request));
                cut();
            }
        }
    }

    private void deliver(byte[] request) {
        try (server) {
            toServer.write(request);
            if (!answered.await(ANSWER_PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("the server did not answer the held request");
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the server could not be given the held request", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while the held request was done", e);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
