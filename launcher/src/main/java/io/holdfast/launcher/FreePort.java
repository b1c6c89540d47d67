package io.holdfast.launcher;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** Finds a port to listen on. */
public final class FreePort {

    private static final int TRIED = 100;

    private FreePort() {}

    /** This port, or the next that nobody listens on. */
    public static int from(int first) {
        for (int port = first; port < first + TRIED && port <= 65535; port++) {
            if (free(port)) {
                return port;
            }
        }
        throw new LaunchException(
                "No port from " + first + " to " + (first + TRIED - 1) + " is free: choose one with --port.");
    }

    static boolean free(int port) {
        try (var socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
