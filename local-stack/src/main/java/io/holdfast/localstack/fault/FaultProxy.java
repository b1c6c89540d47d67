package io.holdfast.localstack.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A test tool: stands between a client and a real server (PostgreSQL, Redis) on loopback and breaks the line on
 * request. Point the client at {@link #port()}.
 *
 * <p>Faults last until {@link #heal()}; traps wait for the one request that contains a text and happen once. Requests are
 * taken for what is read from the client at a time, so a trap is exact for a client that has one request under way on the
 * connection, as a JDBC driver has, and a Redis client whose commands are not pipelined. With the PostgreSQL driver set
 * {@code prepareThreshold=0}, or the text of a statement (also {@code COMMIT}) is not sent again once it is prepared.
 */
public final class FaultProxy implements AutoCloseable {

    private final ServerSocket listener;
    private final Faults faults = new Faults();
    private final Set<Link> links = ConcurrentHashMap.newKeySet();
    private final Set<InetAddress> refused = ConcurrentHashMap.newKeySet();
    private volatile InetSocketAddress target;

    private FaultProxy(ServerSocket listener, InetSocketAddress target) {
        this.listener = listener;
        this.target = target;
    }

    /** Listens on a free loopback port and forwards to the target, faultlessly to begin with. */
    public static FaultProxy to(String host, int port) {
        try {
            ServerSocket listener = new ServerSocket(0, 512, InetAddress.getLoopbackAddress());
            FaultProxy proxy = new FaultProxy(listener, new InetSocketAddress(host, port));
            Thread.ofVirtual().name("proxy-accept").start(proxy::accept);
            return proxy;
        } catch (IOException e) {
            throw new UncheckedIOException("no loopback port could be opened", e);
        }
    }

    /** 127.0.0.1. */
    public String host() {
        return listener.getInetAddress().getHostAddress();
    }

    /** Where clients connect. */
    public int port() {
        return listener.getLocalPort();
    }

    /** How many connections are open through the proxy. */
    public int connections() {
        return links.size();
    }

    /** New connections go there from now on; those that are open stay where they are. */
    public void target(String host, int port) {
        target = new InetSocketAddress(host, port);
    }

    /** Ends every fault and takes every trap away. What a black hole held back flows on, also from clients that have left. */
    public void heal() {
        refused.clear();
        faults.heal();
    }

    /** Closes all connections now, and what was on the way is gone. New ones are served. */
    public void cut() {
        links.forEach(Link::cut);
    }

    /** As {@link #cut()}, and new connections are closed as soon as they are made: the server seems down. */
    public void refuse() {
        faults.refuse();
        cut();
    }

    /** As {@link #refuse()}, for clients that call from this address alone; others are not disturbed. */
    public void refuseFrom(InetAddress address) {
        refused.add(address);
        links.stream().filter(link -> link.isFrom(address)).forEach(Link::cut);
    }

    /** Nothing passes in either direction and nothing is closed: the line seems dead. New connections are accepted. */
    public void blackhole() {
        faults.blackhole();
    }

    /** Requests arrive and are done; instead of its answer every client sees its connection break. */
    public void dropReplies() {
        faults.dropReplies();
    }

    /**
     * On each connection, the first request with this text and what follows it is done, and nothing comes back and nothing breaks: the
     * server has done it, and the client can't know. Healing lets the answers through.
     */
    public void muteAfter(String text) {
        faults.mute(new Mute(text));
    }

    /** Every request arrives later by this much. */
    public void delayRequests(Duration each) {
        faults.delay(each);
    }

    /** The first request with this text is done by the server; instead of the answer its client sees the connection break. */
    public Trap loseReplyTo(String text) {
        return set(new Trap(Trap.Kind.LOSE_REPLY, text));
    }

    /** The first request with this text never arrives; its client sees the connection break. */
    public Trap loseRequest(String text) {
        return set(new Trap(Trap.Kind.LOSE_REQUEST, text));
    }

    /**
     * The first request with this text is held, its client sees the connection break, and the request arrives when
     * {@link Trap#release()} says so: long after its retry, for example.
     */
    public Trap holdRequest(String text) {
        return set(new Trap(Trap.Kind.HOLD_REQUEST, text));
    }

    /** Closes everything. */
    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException("the proxy's port could not be closed", e);
        }
        cut();
    }

    private Trap set(Trap trap) {
        faults.set(trap);
        return trap;
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                open(listener.accept());
            } catch (IOException e) {
                if (!listener.isClosed()) {
                    throw new UncheckedIOException("the proxy can no longer accept connections", e);
                }
            }
        }
    }

    private void open(Socket client) throws IOException {
        if (refuses(client)) {
            reset(client);
            return;
        }
        Socket server = new Socket();
        try {
            server.connect(target, 5_000);
            server.setTcpNoDelay(true);
            client.setTcpNoDelay(true);
        } catch (IOException e) {
            server.close();
            reset(client); // as the server itself would have refused it
            return;
        }
        Link link = new Link(faults, client, server, links::remove);
        links.add(link);
        link.start();
        if (refuses(client) || listener.isClosed()) {
            link.cut(); // it came up while all others were cut
        }
    }

    private boolean refuses(Socket client) {
        return faults.refuses() || refused.contains(client.getInetAddress());
    }

    private static void reset(Socket client) throws IOException {
        client.setSoLinger(true, 0);
        client.close();
    }
}
