package io.holdfast.bench.http;

import io.holdfast.bench.PoolSet;
import io.holdfast.bench.load.Operation;
import io.holdfast.reservation.domain.Line;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Holds of one unit over HTTP, each for an order line of its own. One that is answered 503 is asked for again, as the reference tells
 * clients to do; its time goes on meanwhile.
 */
final class HttpHolds implements Operation {

    private static final int NOT_NOW = 503;
    private static final Executor LATER = CompletableFuture.delayedExecutor(200, TimeUnit.MILLISECONDS);

    private final HttpConnections connections;
    private final PoolSet pools;
    private final String head;
    private final int wished;

    /**
     * Over these connections.
     *
     * @param host as requests name it
     * @param waitSeconds how long an answer may be held back until the hold is settled
     * @param wished the status every answer should have
     */
    HttpHolds(HttpConnections connections, PoolSet pools, String host, int waitSeconds, int wished) {
        this.connections = connections;
        this.pools = pools;
        this.wished = wished;
        this.head = "POST /v1/reservations HTTP/1.1\r\nHost: " + host
                + "\r\nContent-Type: application/json\r\nPrefer: wait=" + waitSeconds + "\r\nContent-Length: ";
    }

    @Override
    public void begin(long number, Ended ended) {
        Line line = pools.line(number);
        String body = "{\"pool\":\"" + pools.pool(number).pool() + "\",\"order_id\":\"" + line.orderId()
                + "\",\"order_item_id\":\"" + line.orderItemId() + "\",\"quantity\":1}";
        byte[] request = (head + body.length() + "\r\n\r\n" + body).getBytes(StandardCharsets.US_ASCII);
        send(request, ended);
    }

    private void send(byte[] request, Ended ended) {
        connections.send(request, status -> {
            if (status == wished) {
                ended.asWished();
            } else if (status == NOT_NOW) {
                LATER.execute(() -> send(request, ended));
            } else {
                ended.otherwise(status == HttpConnections.LOST ? "connection lost" : "status " + status);
            }
        });
    }
}
