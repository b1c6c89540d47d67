package io.holdfast.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class OrderDeskTest {

    private static final String ID = "0123456789abcdef0123456789abcdef";

    private final List<String> told = new CopyOnWriteArrayList<>();
    private HttpServer node;
    private OrderDesk desk;

    @BeforeEach
    void open() throws IOException {
        node = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        node.createContext("/", exchange -> {
            told.add(exchange.getRequestURI() + " "
                    + new String(exchange.getRequestBody().readAllBytes()));
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        node.start();
        desk = OrderDesk.open();
    }

    @AfterEach
    void shut() {
        desk.close();
        node.stop(0);
    }

    private int send(String method, String path, String body) throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(
                            HttpRequest.newBuilder(desk.address().resolve(path))
                                    .method(method, BodyPublishers.ofString(body))
                                    .build(),
                            BodyHandlers.discarding())
                    .statusCode();
        }
    }

    private int asked(String order) throws Exception {
        return send("POST", "/orders/" + order + "/publish?reservation=" + ID, "{}");
    }

    @Test
    void it_tells_the_node_what_it_was_told_of_an_order_when_it_is_asked() throws Exception {
        desk.tells(new Api(URI.create("http://127.0.0.1:" + node.getAddress().getPort())));
        assertThat(asked("o-1")).as("it knows no such order").isEqualTo(404);
        assertThat(send("PUT", "/orders/o-1", "created")).isEqualTo(204);
        assertThat(send("PUT", "/orders/o-2", "failed")).isEqualTo(204);
        assertThat(asked("o-1")).isEqualTo(202);
        assertThat(asked("o-2")).isEqualTo(202);
        assertThat(told)
                .containsExactly(
                        "/v1/reservations/" + ID + "/confirm {\"order_id\":\"o-1\"}",
                        "/v1/reservations/" + ID + "/cancel {\"order_id\":\"o-2\"}");
    }

    @Test
    void while_it_can_tell_nobody_it_says_so() throws Exception {
        send("PUT", "/orders/o-1", "created");
        assertThat(asked("o-1")).isEqualTo(503);
        node.stop(0);
        desk.tells(new Api(URI.create("http://127.0.0.1:" + node.getAddress().getPort())));
        assertThat(asked("o-1")).isEqualTo(503);
    }

    @Test
    void what_it_does_not_understand_it_refuses() throws Exception {
        assertThat(send("PUT", "/orders/o-1", "perhaps")).isEqualTo(400);
        assertThat(send("GET", "/orders/o-1", "")).isEqualTo(405);
        assertThat(send("POST", "/orders/o-1/publish?reservation=x", "{}")).isEqualTo(400);
        assertThat(send("POST", "/else", "{}")).isEqualTo(404);
        assertThat(desk.urlForNodes()).endsWith("/orders/{order}/publish?reservation={reservation}");
    }
}
