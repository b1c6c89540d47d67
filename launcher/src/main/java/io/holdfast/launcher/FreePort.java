package io.holdfast.launcher;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Finds a port to listen on. Between finding it and listening seconds go by, so it is claimed meanwhile: whoever else looks for one in
 * this way, in this process or another, is given another. The claim is the datagram port of that number, which the kernel lets go with
 * the process.
 */
public final class FreePort {

    private static final int TRIED = 100;
    static final int HIGHEST = 65_535;

    /** Held until the process ends. */
    private static final Map<Integer, DatagramSocket> CLAIMS = new ConcurrentHashMap<>();

    private FreePort() {}

    /** This port, or the next that nobody listens on or has claimed. */
    public static int from(int first) {
        for (int port = first; port < first + TRIED && port <= HIGHEST; port++) {
            if (claim(port)) {
                return port;
            }
        }
        throw new LaunchException(
                "No port from " + first + " to " + (first + TRIED - 1) + " is free: choose one with --port.");
    }

    /** Claims this port, if nobody listens on it or has claimed it. */
    static boolean claim(int port) {
        DatagramSocket claim;
        try {
            claim = new DatagramSocket(loopback(port));
        } catch (SocketException e) {
            return false;
        }
        if (!free(port)) {
            claim.close();
            return false;
        }
        CLAIMS.put(port, claim);
        return true;
    }

    private static boolean free(int port) {
        try (var socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(loopback(port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port);
    }
}
