package io.holdfast.chaos;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.random.RandomGenerator;

/** Another system that is called by a webhook, and fails now and then: before it has taken what it is told, or after. */
final class Receiver implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int ONE_IN = 8;
    private static final int TAKEN = 204;
    private static final int FAILED = 503;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final RandomGenerator chance;
    private final List<String> taken = new ArrayList<>();

    Receiver(RandomGenerator chance) throws IOException {
        this.chance = chance;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::called);
        server.setExecutor(threads);
        server.start();
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/hook");
    }

    /** Ids of what it has taken, in the order in which it has. */
    synchronized List<String> taken() {
        return List.copyOf(taken);
    }

    private void called(HttpExchange exchange) throws IOException {
        try (exchange) {
            String id = JSON.readTree(exchange.getRequestBody()).path("id").asText();
            exchange.sendResponseHeaders(take(id) ? TAKEN : FAILED, -1);
        }
    }

    /** Whether it says that it has. */
    private synchronized boolean take(String id) {
        int luck = chance.nextInt(ONE_IN);
        if (luck != 0) {
            taken.add(id);
        }
        return luck > 1;
    }

    @Override
    public void close() {
        server.stop(0);
        threads.close();
    }
}
