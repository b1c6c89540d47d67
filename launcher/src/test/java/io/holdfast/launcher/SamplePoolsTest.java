package io.holdfast.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class SamplePoolsTest {

    private static final LocalDate TODAY = LocalDate.of(2031, 2, 28);
    private static final String RAMEN = "noodle-bar:ramen:2031-02-28";

    /** What a GET of a pool finds. */
    private final Map<String, String> pools = new ConcurrentHashMap<>();

    private final List<String> made = new CopyOnWriteArrayList<>();
    private volatile int putAnswers = 201;
    private volatile int unknown = 404;
    private HttpServer node;
    private Api api;

    @BeforeEach
    void open() throws IOException {
        node = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        node.createContext("/v1/pools/", this::answer);
        node.start();
        api = new Api(URI.create("http://127.0.0.1:" + node.getAddress().getPort()));
    }

    @AfterEach
    void shut() {
        node.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String pool = exchange.getRequestURI().getPath().substring("/v1/pools/".length());
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        boolean put = exchange.getRequestMethod().equals("PUT");
        if (put) {
            made.add(pool + " " + body);
        }
        String problem = "{\"code\":\"SOME_CODE\",\"detail\":\"Some words.\"}";
        int status = put ? putAnswers : pools.containsKey(pool) ? 200 : unknown;
        byte[] bytes = pools.getOrDefault(pool, problem).getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private static String pool(String status, long total) {
        return "{\"status\":\"" + status + "\",\"baseline\":{\"total\":" + total + ",\"version\":1}}";
    }

    @Test
    void those_of_today_and_tomorrow_are_made() {
        SamplePools.Ready ready = SamplePools.ensure(api, TODAY);
        assertThat(ready).isEqualTo(new SamplePools.Ready(RAMEN, List.of()));
        assertThat(made)
                .containsExactly(
                        RAMEN + " {\"total\":20}",
                        "noodle-bar:gyoza:2031-02-28 {\"total\":50}",
                        "noodle-bar:chefs-table:2031-02-28 {\"total\":1}",
                        "noodle-bar:ramen:2031-03-01 {\"total\":20}",
                        "noodle-bar:gyoza:2031-03-01 {\"total\":50}",
                        "noodle-bar:chefs-table:2031-03-01 {\"total\":1}");
    }

    @Test
    void what_is_there_stays_as_it_is_and_one_line_says_so_where_it_is_not_as_new() {
        pools.put(RAMEN, pool("OPEN", 30));
        pools.put("noodle-bar:gyoza:2031-02-28", pool("CLOSED", 50));
        pools.put("noodle-bar:chefs-table:2031-02-28", pool("OPEN", 1));
        SamplePools.Ready ready = SamplePools.ensure(api, TODAY);
        assertThat(ready.remarks())
                .containsExactly(
                        "The sample pool " + RAMEN + " is there already, OPEN with a total of 30; it stays as it is.",
                        "The sample pool noodle-bar:gyoza:2031-02-28 is there already, CLOSED with a total of 50; it"
                                + " stays as it is.");
        assertThat(made).hasSize(3).allSatisfy(pool -> assertThat(pool).contains("2031-03-01"));
    }

    @Test
    void what_the_node_refuses_is_said_in_one_line_with_what_to_do() {
        putAnswers = 503;
        assertThatExceptionOfType(LaunchException.class)
                .isThrownBy(() -> SamplePools.ensure(api, TODAY))
                .withMessageContaining(RAMEN)
                .withMessageContaining("503 SOME_CODE: Some words.")
                .withMessageContaining("--folder")
                .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1));
        putAnswers = 201;
        unknown = 500;
        assertThatExceptionOfType(LaunchException.class)
                .isThrownBy(() -> SamplePools.ensure(api, TODAY))
                .withMessageContaining("500 SOME_CODE");
    }
}
