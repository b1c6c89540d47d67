package io.holdfast.bench.http;

import io.holdfast.bench.SaleSet;
import io.holdfast.bench.load.Operation;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Users who ask a gate over HTTP for a unit, each once. Let in or turned away as sold out, they have ended as they should. */
final class HttpAdmissions implements Operation {

    private static final int QUEUED = 202;
    private static final int SOLD_OUT = 409;

    private final HttpConnections connections;
    private final SaleSet sales;
    private final String host;
    private final Map<Integer, LongAdder> answers = new ConcurrentHashMap<>();

    /** @param host as requests name it */
    HttpAdmissions(HttpConnections connections, SaleSet sales, String host) {
        this.connections = connections;
        this.sales = sales;
        this.host = host;
    }

    @Override
    public void begin(long number, Ended ended) {
        String body = sales.body(number);
        String request = "POST " + sales.path(number) + " HTTP/1.1\r\nHost: " + host
                + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
        connections.send(request.getBytes(StandardCharsets.US_ASCII), status -> {
            answers.computeIfAbsent(status, _ -> new LongAdder()).increment();
            if (status == QUEUED || status == SOLD_OUT) {
                ended.asWished();
            } else {
                ended.otherwise(status == HttpConnections.LOST ? "connection lost" : "status " + status);
            }
        });
    }

    /** How many were let in. */
    long letIn() {
        LongAdder queued = answers.get(QUEUED);
        return queued == null ? 0 : queued.sum();
    }
}
