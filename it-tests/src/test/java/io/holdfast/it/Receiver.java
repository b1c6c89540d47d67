package io.holdfast.it;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Another system that is called: it believes what is signed with its secret, takes a message once, and fails as it is told to. */
final class Receiver implements AutoCloseable {

    private static final Pattern TYPE = Pattern.compile("\"type\":\"([A-Za-z]+)\"");

    private final HttpServer server;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final ConcurrentLinkedQueue<Integer> failures = new ConcurrentLinkedQueue<>();
    private final List<String> taken = new CopyOnWriteArrayList<>();
    private final Set<String> ids = ConcurrentHashMap.newKeySet();
    private final AtomicInteger calls = new AtomicInteger();
    private volatile byte[] secret = new byte[0];

    private Receiver(HttpServer server) {
        this.server = server;
    }

    static Receiver start() {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            var receiver = new Receiver(server);
            server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
            server.createContext("/hooks", receiver::called);
            server.start();
            return receiver;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    void trusts(String shown) {
        secret = Base64.getDecoder().decode(shown.substring("whsec_".length()));
    }

    /** The next calls are answered so, then each with 204; 0 is not answered at all. */
    void answers(Integer... statuses) {
        failures.addAll(List.of(statuses));
    }

    /** Types of what was taken, in order. */
    List<String> taken() {
        return List.copyOf(taken);
    }

    Set<String> ids() {
        return Set.copyOf(ids);
    }

    int calls() {
        return calls.get();
    }

    private void called(HttpExchange call) throws IOException {
        calls.incrementAndGet();
        byte[] body = call.getRequestBody().readAllBytes();
        Integer failure = failures.poll();
        if (failure != null && failure == 0) {
            try {
                closed.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return;
        }
        int status = failure != null ? failure : isSigned(call, body) ? 204 : 401;
        if (status == 204) {
            Matcher type = TYPE.matcher(new String(body, StandardCharsets.UTF_8));
            taken.add(type.find() ? type.group(1) : "?");
            ids.add(call.getRequestHeaders().getFirst("webhook-id"));
        }
        call.sendResponseHeaders(status, -1);
        call.close();
    }

    private boolean isSigned(HttpExchange call, byte[] body) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            mac.update((call.getRequestHeaders().getFirst("webhook-id") + "."
                            + call.getRequestHeaders().getFirst("webhook-timestamp") + ".")
                    .getBytes(StandardCharsets.UTF_8));
            return ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body)))
                    .equals(call.getRequestHeaders().getFirst("webhook-signature"));
        } catch (java.security.GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
    }
}
