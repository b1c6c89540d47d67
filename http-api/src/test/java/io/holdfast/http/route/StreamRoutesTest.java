package io.holdfast.http.route;

import static io.holdfast.http.route.TestFollowers.place;
import static io.holdfast.http.route.TestFollowers.told;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.http.route.TestNode.Answer;
import io.holdfast.messaging.follow.Interest;
import io.holdfast.messaging.follow.Place;
import io.holdfast.messaging.follow.Portion;
import io.holdfast.messaging.follow.Told;
import io.holdfast.messaging.follow.UnknownPlace;
import io.holdfast.messaging.out.OutgoingMessage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class StreamRoutesTest {

    /** On a machine that does much else. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static TestNode node;
    private static TestFollowers followers;

    @BeforeAll
    static void start() {
        node = TestNode.withPool(10);
        followers = node.followers;
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    private static CompletionStage<Portion> portion(boolean atRest, Object... told) {
        return CompletableFuture.completedFuture(new Portion(
                IntStream.range(0, told.length).mapToObj(i -> (Told) told[i]).toList(), place(9), atRest));
    }

    @Test
    void events_are_written_with_their_place_as_the_id_and_a_cloud_event_as_the_data() {
        followers.script = i -> switch (i) {
            case 0 -> portion(false, told(1, "InventoryReserved", Map.of("order_id", "o-1")));
            case 1 -> portion(false);
            default -> portion(true, told(2, "InventoryConfirmed", Map.of("order_id", "o-1")));
        };
        Answer answer = node.get("/v1/events?order_id=o-1&type=InventoryReserved,InventoryConfirmed&after=0-0");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("content-type")).contains("text/event-stream");
        assertThat(answer.header("cache-control")).contains("no-store");
        assertThat(answer.body()).isEqualTo("""
            retry: 1000
            id: 0-0
            : from here on

            id: 701-1
            event: InventoryReserved
            data: {"specversion":"1.0","id":"reservation|r#1","source":"/holdfast/test","type":"InventoryReserved",\
            "subject":"r","time":"2026-11-29T10:00:00Z","datacontenttype":"application/json","schemaversion":"1",\
            "sequence":"1","partitionkey":"o-1","data":{"order_id":"o-1"}}

            id: 709-9
            : alive

            id: 702-2
            event: InventoryConfirmed
            data: {"specversion":"1.0","id":"reservation|r#2","source":"/holdfast/test","type":"InventoryConfirmed",\
            "subject":"r","time":"2026-11-29T10:00:00Z","datacontenttype":"application/json","schemaversion":"1",\
            "sequence":"2","partitionkey":"o-1","data":{"order_id":"o-1"}}

            id: 709-9
            event: end
            data: {"reason":"AT_REST"}

            """);
        assertThat(followers.open).hasValue(0);
    }

    @Test
    void what_a_browser_says_it_had_last_counts_before_the_address() {
        followers.script = _ -> portion(true, told(1, "InventoryReserved", Map.of()));
        assertThat(node.get("/v1/events?after=1-1", "Last-Event-ID", "701-2-1").status())
                .isEqualTo(200);
        assertThat(followers.from.map(Place::text)).contains("701-2-1");
        assertThat(node.get("/v1/events?after=1-1").status()).isEqualTo(200);
        assertThat(followers.from.map(Place::text)).contains("1-1");
    }

    @Test
    void a_filter_holds_for_pool_order_and_type_together() {
        node.get("/v1/events?pool=m1:noodles:2026-11-29&order_id=o-1&type=InventoryReserved");
        var wanted = ((Interest.Everybody) followers.interest.orElseThrow()).wanted();
        Map<String, Object> right = Map.of("pool", "m1:noodles:2026-11-29", "order_id", "o-1");
        assertThat(wanted.test(message("InventoryReserved", right))).isTrue();
        assertThat(wanted.test(message("InventoryConfirmed", right))).isFalse();
        assertThat(wanted.test(message("InventoryReserved", Map.of("pool", "m1:noodles:2026-11-29"))))
                .isFalse();
        assertThat(wanted.test(message("InventoryReserved", Map.of("order_id", "o-1"))))
                .isFalse();
    }

    @Test
    void a_caller_kept_to_merchants_is_told_of_no_others_and_of_nothing_whose_owner_is_not_known() {
        var filter = new EventFilter(
                Optional.empty(), Optional.empty(), Set.of(), Optional.of(Set.of("m1")), Optional.of("ann"));
        assertThat(filter.test(message("A", Map.of("merchant", "m1", "user_id", "ann"))))
                .isTrue();
        assertThat(filter.test(message("A", Map.of("merchant", "m2", "user_id", "ann"))))
                .isFalse();
        assertThat(filter.test(message("A", Map.of("merchant", "m1", "user_id", "bob"))))
                .isFalse();
        assertThat(filter.test(message("A", Map.of("merchant", "m1")))).isFalse();
        assertThat(filter.test(message("A", Map.of("user_id", "ann")))).isFalse();
    }

    private static OutgoingMessage message(String type, Map<String, Object> data) {
        return ((Told.Announcement) told(1, type, data)).message();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        /v1/events?pool=nonsense        |               | query /pool bad_syntax
        /v1/events?type=StockRepaired,  |               | query /type bad_syntax
        /v1/events?type=                |               | query /type bad_syntax
        /v1/events?type=stockrepaired   |               | query /type bad_syntax
        /v1/events?order_id=a%20b       |               | query /order_id bad_syntax
        /v1/events?after=yesterday      |               | query /after bad_syntax
        /v1/events?status=RESERVED      |               | query /status unknown
        /v1/events                      | yesterday     | header /Last-Event-ID bad_syntax
        /v1/reservations/nonsense/events|               | path /reservation_id bad_syntax
        """)
    void what_is_malformed_is_named(String path, String last, String fault) {
        Answer answer = last == null ? node.get(path) : node.get(path, "Last-Event-ID", last);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.faults()).containsExactly(fault);
    }

    @Test
    void a_stream_answers_nothing_but_events() {
        assertThat(node.get("/v1/events", "Accept", "application/json").code()).isEqualTo("NOT_ACCEPTABLE");
        assertThat(node.get("/v1/events", "Accept", "text/event-stream").status())
                .isEqualTo(200);
        assertThat(node.method("DELETE", "/v1/events").code()).isEqualTo("METHOD_NOT_ALLOWED");
    }

    @Test
    void a_reservation_nobody_heard_of_has_no_stream() {
        Answer answer = node.get("/v1/reservations/00000000000000000000000000000000/events");
        assertThat(answer.code()).isEqualTo("UNKNOWN_RESERVATION");
    }

    @Test
    void whoever_comes_back_to_what_has_ended_is_told_not_to_come_again() {
        Answer held = node.post(
                "/v1/reservations",
                "{\"pool\":\"" + TestNode.POOL + "\",\"order_id\":\"o-1\",\"order_item_id\":\"back\",\"quantity\":1}");
        String address = "/v1/reservations/" + held.text("reservation_id") + "/events";
        followers.script = _ -> portion(true);
        assertThat(node.get(address, "Last-Event-ID", "701-1").status()).isEqualTo(204);
        assertThat(node.get(address).body()).contains("event: end");
        assertThat(followers.interest).contains(new Interest.Entity("reservation|" + held.text("reservation_id")));
    }

    @Test
    void more_streams_than_may_be_open_are_refused_with_when_to_come_again() {
        followers.most = 0;
        try {
            Answer answer = node.get("/v1/events");
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.code()).isEqualTo("TOO_MANY_STREAMS");
            assertThat(answer.header("retry-after")).isPresent();
        } finally {
            followers.most = 100;
        }
    }

    /** An endless stream of large events, none of which is made before the ones before it were taken. */
    private static Socket endless() throws IOException {
        String large = "x".repeat(20_000);
        followers.script = i -> portion(false, told(i + 1, "InventoryReserved", Map.of("reason", large)));
        var socket = new Socket();
        socket.setReceiveBufferSize(4096);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), node.port()));
        socket.getOutputStream().write("GET /v1/events HTTP/1.1\r\nHost: h\r\n\r\n".getBytes(StandardCharsets.UTF_8));
        return socket;
    }

    @Test
    void a_caller_that_takes_nothing_is_cut_off_and_nothing_is_kept_for_it() throws IOException {
        int before = followers.asked.get();
        try (Socket socket = endless()) {
            await().atMost(PATIENCE).until(() -> followers.open.get() == 1);
            await().atMost(PATIENCE).until(() -> followers.open.get() == 0); // the stall of this node is short
            // What was asked for fills buffers of the network, and no more than that.
            assertThat(followers.asked.get() - before).isLessThan(2000);
            String taken = new String(socket.getInputStream().readNBytes(2000), StandardCharsets.UTF_8);
            assertThat(taken).contains("id: 701-1").contains("event: InventoryReserved");
        }
    }

    @Test
    void a_caller_that_goes_away_leaves_its_place_to_others() throws IOException {
        try (Socket socket = endless()) {
            await().atMost(PATIENCE).until(() -> followers.open.get() == 1);
            assertThat(socket.getInputStream().readNBytes(100)).hasSize(100);
        }
        await().atMost(PATIENCE).until(() -> followers.open.get() == 0);
    }

    @Test
    void a_node_that_stops_ends_its_streams_as_a_server_ends_an_answer() throws Exception {
        try (TestNode stopping = TestNode.start()) {
            stopping.followers.script =
                    i -> i == 0 ? portion(false, told(1, "InventoryReserved", Map.of())) : new CompletableFuture<>();
            CompletableFuture<Answer> stream = stopping.getLater("/v1/events");
            await().atMost(PATIENCE).until(() -> stopping.followers.asked.get() == 2);
            stopping.endStreams();
            assertThat(stream.get().body()).contains("id: 701-1").endsWith("\n\n");
            assertThat(stopping.followers.open).hasValue(0);
        }
    }

    @Test
    void a_place_this_journal_has_not_reached_is_a_fault_of_whatever_named_it() {
        Answer held = node.post(
                "/v1/reservations",
                "{\"pool\":\"" + TestNode.POOL + "\",\"order_id\":\"o-1\",\"order_item_id\":\"far\",\"quantity\":1}");
        followers.script = _ -> CompletableFuture.failedFuture(unknown());
        for (String stream : List.of("/v1/events", "/v1/reservations/" + held.text("reservation_id") + "/events")) {
            for (Answer answer : List.of(
                    node.get(stream, "Last-Event-ID", "999999-1"),
                    node.get(stream + "?after=0-0", "Last-Event-ID", "999999-1"))) {
                assertThat(answer.status()).isEqualTo(400);
                assertThat(answer.faults()).containsExactly("header /Last-Event-ID out_of_range");
            }
            Answer first = node.get(stream + "?after=999999-1");
            assertThat(first.status()).isEqualTo(400);
            assertThat(first.faults()).containsExactly("query /after out_of_range");
        }
        assertThat(followers.open).hasValue(0);
    }

    @Test
    void a_type_that_is_never_announced_is_refused_with_those_that_are() {
        Answer answer = node.get("/v1/events?type=InventoryReserved,InventoryReservd");
        assertThat(answer.faults()).containsExactly("query /type bad_syntax");
        assertThat(answer.text("detail")).contains("InventoryReserved, ").contains("StockPoolPaused");
    }

    private static RuntimeException unknown() {
        return UnknownPlace.of(place(1));
    }
}
