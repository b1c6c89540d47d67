package io.holdfast.bench.http;

import io.holdfast.bench.PoolSet;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/** Confirms over HTTP of holds that were made before. */
public final class HttpConfirms {

    private static final int WAIT_SECONDS = 30;
    private static final int OK = 200;

    private HttpConfirms() {}

    /**
     * Confirms the holds of these operations, so many at a time, and waits until all are confirmed.
     *
     * @param port of the node on this machine
     * @return how many seconds that took
     * @throws IllegalStateException if one was answered otherwise
     */
    public static double confirm(int port, PoolSet pools, long from, long to, int outstanding)
            throws IOException, InterruptedException {
        var room = new Semaphore(outstanding);
        var otherwise = new AtomicLong();
        String host = "127.0.0.1:" + port;
        try (var connections = HttpConnections.open(new InetSocketAddress("127.0.0.1", port), outstanding)) {
            long began = System.nanoTime();
            for (long number = from; number < to; number++) {
                room.acquire();
                connections.send(request(host, pools, number), status -> {
                    if (status != OK) {
                        otherwise.incrementAndGet();
                    }
                    room.release();
                });
            }
            room.acquire(outstanding);
            double seconds = (System.nanoTime() - began) / 1e9;
            if (otherwise.get() > 0) {
                throw new IllegalStateException(otherwise.get() + " confirms were not answered " + OK);
            }
            return seconds;
        }
    }

    private static byte[] request(String host, PoolSet pools, long number) {
        var line = pools.line(number);
        String body = "{\"order_id\":\"" + line.orderId() + "\"}";
        return ("POST /v1/reservations/" + line.reservationId() + "/confirm HTTP/1.1\r\nHost: " + host
                        + "\r\nContent-Type: application/json\r\nPrefer: wait=" + WAIT_SECONDS + "\r\nContent-Length: "
                        + body.length() + "\r\n\r\n" + body)
                .getBytes(StandardCharsets.US_ASCII);
    }
}
