package io.holdfast.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;

/** A node that answers as it was told, one answer after the other, and the last one for ever. */
final class ScriptedNode implements AutoCloseable {

    /** Cuts the connection instead of answering. */
    static final Line CUT = new Line(0, "", "");

    private final HttpServer server;
    private final Deque<Line> script = new ArrayDeque<>();
    final List<Got> got = Collections.synchronizedList(new ArrayList<>());

    record Line(int status, String body, String retryAfter) {}

    record Got(String method, String target, String key, String prefer, String body) {}

    private ScriptedNode(HttpServer server) {
        this.server = server;
    }

    static ScriptedNode playing(Line... lines) {
        try {
            var node =
                    new ScriptedNode(HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
            node.script.addAll(List.of(lines));
            node.server.createContext("/", node::answer);
            node.server.start();
            return node;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Line done(int status, String body) {
        return new Line(status, body, "");
    }

    static Line problem(int status, String code) {
        return new Line(status, "{\"code\":\"" + code + "\"}", "");
    }

    static Line later(int status, String code) {
        return new Line(status, "{\"code\":\"" + code + "\"}", "0");
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    private synchronized void answer(HttpExchange exchange) throws IOException {
        var headers = exchange.getRequestHeaders();
        got.add(new Got(
                exchange.getRequestMethod(),
                exchange.getRequestURI().toString(),
                headers.getFirst("Idempotency-Key"),
                headers.getFirst("Prefer"),
                new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
        Line line = script.size() > 1 ? script.poll() : script.peek();
        if (line == null || line.equals(CUT)) {
            exchange.close();
            return;
        }
        if (!line.retryAfter().isEmpty()) {
            exchange.getResponseHeaders().set("Retry-After", line.retryAfter());
        }
        if (got.size() > 1 && line.status() < 300) {
            exchange.getResponseHeaders().set("Idempotency-Replayed", "true");
        }
        byte[] body = line.body().getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(line.status(), body.length == 0 ? -1 : body.length);
        if (body.length > 0) {
            exchange.getResponseBody().write(body);
        }
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
