package io.holdfast.launcher;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The order domain of a development node, as small as it can be: told by hand what became of an order, it tells the node when it is asked
 * to. {@code PUT /orders/{order}} with {@code created} or {@code failed} as its body; {@code POST /orders/{order}/publish?reservation=...} is
 * what the node asks for an overdue hold.
 */
final class OrderDesk implements AutoCloseable {

    private static final Pattern ORDER = Pattern.compile("/orders/([A-Za-z0-9._-]{1,64})(/publish)?");
    private static final Pattern RESERVATION = Pattern.compile("reservation=([0-9a-f]{32})");

    private enum Fate {
        CREATED,
        FAILED
    }

    private final Map<String, Fate> fates = new ConcurrentHashMap<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpServer server;
    private volatile Optional<Api> node = Optional.empty();

    private OrderDesk(HttpServer server) {
        this.server = server;
    }

    /** Opens on a free port of this machine. */
    static OrderDesk open() throws IOException {
        var desk = new OrderDesk(HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
        desk.server.setExecutor(desk.threads);
        desk.server.createContext("/", desk::answer);
        desk.server.start();
        return desk;
    }

    /** Where it is. */
    URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** What {@code holdfast.orders.url} must be for it to be asked. */
    String urlForNodes() {
        return address() + "/orders/{order}/publish?reservation={reservation}";
    }

    /** Whom to tell. Before that it answers that it can't now. */
    void tells(Api api) {
        node = Optional.of(api);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try {
            exchange.sendResponseHeaders(status(exchange), -1);
        } finally {
            exchange.close();
        }
    }

    private int status(HttpExchange exchange) throws IOException {
        Matcher path = ORDER.matcher(exchange.getRequestURI().getPath());
        if (!path.matches()) {
            return 404;
        }
        String order = path.group(1);
        boolean publish = path.group(2) != null;
        return switch (exchange.getRequestMethod()) {
            case "PUT" -> publish ? 405 : note(order, exchange);
            case "POST" ->
                publish ? publish(order, String.valueOf(exchange.getRequestURI().getQuery())) : 405;
            default -> 405;
        };
    }

    private int note(String order, HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8).strip();
        switch (body) {
            case "created" -> fates.put(order, Fate.CREATED);
            case "failed" -> fates.put(order, Fate.FAILED);
            default -> {
                return 400;
            }
        }
        return 204;
    }

    private int publish(String order, String query) {
        Matcher reservation = RESERVATION.matcher(query);
        Optional<Api> told = node;
        Fate fate = fates.get(order);
        if (!reservation.matches()) {
            return 400;
        }
        if (fate == null) {
            return 404;
        }
        if (told.isEmpty()) {
            return 503;
        }
        String route = switch (fate) {
            case CREATED -> "/confirm";
            case FAILED -> "/cancel";
        };
        try {
            Api.Answer answer =
                    told.get().post("/v1/reservations/" + reservation.group(1) + route, Map.of("order_id", order));
            return answer.status() < 300 ? 202 : 503;
        } catch (Api.NoAnswer e) {
            return 503;
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
