package io.holdfast.localstack;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntConsumer;

/**
 * Loopback ports for servers.
 *
 * <p>Free ports are taken from below the kernel's ephemeral range: a client that keeps trying a stopped server's port could
 * otherwise be given that very port as its own source port, connect to itself, and keep the server from coming back.
 */
final class Ports {

    private static final Path EPHEMERAL_RANGE = Path.of("/proc/sys/net/ipv4/ip_local_port_range");
    private static final int LOWEST = 15_000;
    private static final int ATTEMPTS = 5;

    /** Two servers of one JVM never race for a port that was found free but is not bound yet. */
    private static final Set<Integer> GIVEN_OUT = ConcurrentHashMap.newKeySet();

    private Ports() {}

    /** A port nobody listens on now; never given out twice by this JVM. */
    static int free() {
        int beyond = Math.max(LOWEST + 1_000, ephemeralStart());
        for (int attempt = 0; attempt < 1_000; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, beyond);
            if (isFree(port) && GIVEN_OUT.add(port)) {
                return port;
            }
        }
        throw new LocalStackException("no free port was found on 127.0.0.1 between %d and %d: stop what uses them"
                .formatted(LOWEST, beyond - 1));
    }

    /**
     * Starts a server on the wanted port, or on a free one if 0 is wanted. A free port can be lost to somebody quicker
     * before the server binds it; then another is tried.
     */
    static void launchOn(Service service, int wanted, IntConsumer launch) {
        if (wanted != 0) {
            requireFree(service, wanted);
            launch.accept(wanted);
            return;
        }
        for (int attempt = 1; ; attempt++) {
            try {
                launch.accept(free());
                return;
            } catch (PortTakenException e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    static void requireFree(Service service, int port) {
        if (port < 1 || port > 65_535) {
            throw new LocalStackException(
                    "port %d for %s is not a port: choose one from 1 to 65535, or 0 for any free one"
                            .formatted(port, service.title()));
        }
        if (!isFree(port)) {
            throw new PortTakenException(service, port);
        }
    }

    private static boolean isFree(int port) {
        try (ServerSocket probe = new ServerSocket()) {
            probe.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static int ephemeralStart() {
        try {
            return Integer.parseInt(Files.readString(EPHEMERAL_RANGE).strip().split("\\s+", -1)[0]);
        } catch (IOException | NumberFormatException e) {
            return 32_768;
        }
    }
}
