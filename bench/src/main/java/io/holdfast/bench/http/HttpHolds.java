package io.holdfast.bench.http;

import io.holdfast.bench.PoolSet;
import io.holdfast.bench.load.Operation;
import io.holdfast.reservation.domain.Line;
import java.nio.charset.StandardCharsets;

/** Holds of one unit over HTTP, each for an order line of its own. */
final class HttpHolds implements Operation {

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
        connections.send(request, status -> {
            if (status == wished) {
                ended.asWished();
            } else {
                ended.otherwise(status == HttpConnections.LOST ? "connection lost" : "status " + status);
            }
        });
    }
}
