package io.holdfast.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A hold of whose order nothing is heard, and an order domain that is asked. */
@DisplayNameGeneration(ReplaceUnderscores.class)
@Execution(ExecutionMode.CONCURRENT) // each on a site of its own
class OverdueHoldsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** An order domain that writes down what it is asked, and answers so. */
    static HttpServer orders(List<String> asked, int status) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            asked.add(exchange.getRequestURI().getPath());
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        server.start();
        return server;
    }

    /** Settings of a node that soon misses news of an order, and asks there. */
    static Map<String, String> asking(HttpServer orders) {
        return Map.of(
                "HOLDFAST_RESERVATION_ATTENTION_AFTER", "1s",
                "HOLDFAST_ORDERS_URL", "http://127.0.0.1:" + orders.getAddress().getPort() + "/{order}/publish",
                "HOLDFAST_ORDERS_ASK_FIRST", "1s",
                "HOLDFAST_ORDERS_ASK_LONGEST", "1s",
                "HOLDFAST_ORDERS_ASKS", "3");
    }

    @Test
    void an_overdue_hold_has_its_order_asked_for_a_few_times_and_only_an_event_ends_it() throws Exception {
        List<String> asked = new CopyOnWriteArrayList<>();
        HttpServer orders = orders(asked, 202);
        try (Site site = Site.open("overdue", asking(orders))) {
            site.startNode();
            Client client = site.client();
            client.createPool("tart", 5);
            client.hold("tart", "i1", 2);
            await().atMost(PATIENCE).until(() -> asked.size() == 3);
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(client.look("tart", "i1").number("/overdue/asked"))
                            .isEqualTo(3));
            var overdue = client.look("tart", "i1");
            assertThat(overdue.text("/status")).as("it never cancels").isEqualTo("RESERVED");
            assertThat(overdue.text("/overdue/answer")).isEqualTo("PUBLISHES");
            assertThat(overdue.text("/overdue/next_at")).isEmpty();
            assertThat(asked).containsOnly("/order-i1/publish");

            client.cancel("tart", "i1");
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(client.look("tart", "i1").text("/status"))
                            .isEqualTo("CANCELED"));
        } finally {
            orders.stop(0);
        }
    }

    @Test
    void an_order_domain_that_is_down_keeps_nothing_from_going_on() throws Exception {
        List<String> asked = new CopyOnWriteArrayList<>();
        HttpServer orders = orders(asked, 503);
        try (Site site = Site.open("overduedown", asking(orders))) {
            site.startNode();
            Client client = site.client();
            client.createPool("pie", 5);
            client.hold("pie", "i1", 2);
            await().atMost(PATIENCE).until(() -> !asked.isEmpty());
            client.confirm("pie", "i1");
            await().atMost(PATIENCE)
                    .untilAsserted(() ->
                            assertThat(client.look("pie", "i1").text("/status")).isEqualTo("CONFIRMED"));
        } finally {
            orders.stop(0);
        }
    }
}
