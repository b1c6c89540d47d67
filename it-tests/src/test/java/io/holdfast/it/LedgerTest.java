package io.holdfast.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.engine.projection.Ordered;
import io.holdfast.engine.projection.OrderedBy;
import io.holdfast.engine.projection.ProjectionOrders;
import io.holdfast.engine.projection.Projections;
import io.holdfast.it.Client.Answer;
import io.holdfast.reservation.view.ReservationViewProjection;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** What the ledger says after real business is what Redis holds and what the journals add up to, however often it is read anew. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class LedgerTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final OrderedBy SOMEBODY = new OrderedBy("test", "to see the same again");
    private static final List<String> NUMBERS = List.of("total", "deficit", "available", "reserved", "sold");

    private static Site site;
    private static Client client;
    private static PGSimpleDataSource database;

    @BeforeAll
    static void open() {
        site = Site.withNode("ledger");
        client = site.client();
        database = new PGSimpleDataSource();
        database.setUrl(site.environment().get("HOLDFAST_POSTGRES_URL"));
        database.setUser(site.environment().get("HOLDFAST_POSTGRES_USER"));
        database.setPassword(site.environment().get("HOLDFAST_POSTGRES_PASSWORD"));
    }

    @AfterAll
    static void close() {
        site.close();
    }

    // ---- business

    /** Holds, confirms of wholes and parts, cancels and refunds of one dish, until told to stop. */
    private static CompletableFuture<Void> business(String dish, long seed, AtomicBoolean stop, AtomicInteger done) {
        return CompletableFuture.runAsync(() -> {
            var random = new Random(seed);
            for (int i = 0; !stop.get(); i++) {
                String item = dish + "-" + seed + "-" + i;
                if (client.hold(dish, item, 2 + random.nextInt(2)).status() == 201) {
                    switch (random.nextInt(5)) {
                        case 0 -> client.cancel(dish, item);
                        case 1 -> client.confirm(dish, item, 1);
                        case 2, 3 -> {
                            client.confirm(dish, item);
                            client.refund(dish, item, "r", 1);
                        }
                        default -> {}
                    }
                }
                if (i % 20 == 10) {
                    client.adjust(dish, 30 + random.nextInt(400), "adjust-" + seed + "-" + i);
                }
                done.incrementAndGet();
            }
        });
    }

    private static void caughtUp() {
        await().atMost(PATIENCE).until(() -> {
            var state = new Projections(database)
                    .list().stream()
                            .filter(one -> one.name().equals(ReservationViewProjection.NAME))
                            .findFirst()
                            .orElseThrow();
            return state.ordered().isEmpty() && state.lag().events() == 0;
        });
    }

    private static void rebuild() throws SQLException {
        assertThat(new ProjectionOrders(database).rebuild(ReservationViewProjection.NAME, SOMEBODY))
                .isInstanceOf(Ordered.Accepted.class);
    }

    private static Map<String, List<String>> tables() throws SQLException {
        Map<String, List<String>> tables = new LinkedHashMap<>();
        try (Connection connection = site.database();
                Statement s = connection.createStatement()) {
            for (String table :
                    List.of("stock_ledger", "stock_book", "stock_snapshot", "reservation_view", "anomaly")) {
                List<String> rows = new ArrayList<>();
                try (ResultSet r =
                        s.executeQuery("select t::text from " + table + " t order by t::text collate \"C\"")) {
                    while (r.next()) {
                        rows.add(r.getString(1));
                    }
                }
                tables.put(table, rows);
            }
        }
        return tables;
    }

    // ---- the check

    /** The latest book of the pool's ledger, page by page, added up as anybody who can read JSON would. */
    private static void theLedgerAgrees(String dish) throws Exception {
        List<JsonNode> book = new ArrayList<>();
        String next = "/v1/pools/" + Client.pool(dish) + "/ledger?limit=37";
        while (!next.isEmpty()) {
            Answer page = client.get(next);
            assertThat(page.status()).isEqualTo(200);
            for (JsonNode entry : page.body().path("entries")) {
                if (!book.isEmpty() && epoch(entry) > epoch(book.getLast())) {
                    book.clear();
                }
                book.add(entry);
            }
            next = page.text("/next");
        }
        Map<String, Long> sums = new LinkedHashMap<>();
        long version = book.getFirst().at("/after/version").asLong() - 1;
        for (JsonNode entry : book) {
            assertThat(entry.at("/after/version").asLong())
                    .as("no version is left out")
                    .isEqualTo(++version);
            for (String number : NUMBERS) {
                long sum = sums.merge(number, entry.at("/change/" + number).asLong(), Long::sum);
                assertThat(sum)
                        .as("%s after %s", number, entry)
                        .isEqualTo(entry.at("/after/" + number).asLong());
            }
        }
        Answer pool = client.lookAtPool(dish);
        Answer snapshot = client.get("/v1/pools/" + Client.pool(dish) + "/snapshot");
        for (String number : NUMBERS) {
            assertThat(sums.get(number)).as(number).isEqualTo(pool.number("/redis/books/" + number));
            assertThat(snapshot.number("/books/" + number)).as(number).isEqualTo(pool.number("/redis/books/" + number));
        }
        assertThat(version).isEqualTo(pool.number("/redis/books/version"));
        assertThat(epoch(book.getLast())).isEqualTo(pool.number("/redis/books/epoch"));
        assertThat(snapshot.body().path("complete").asBoolean()).isTrue();
        try (Connection connection = site.database()) {
            Journals.of(connection, Client.pool(dish)).agreeWith(pool);
        }
    }

    private static long epoch(JsonNode entry) {
        return entry.at("/after/epoch").asLong();
    }

    @Test
    void after_business_rebuilds_of_the_pool_and_rebuilds_of_the_projection_all_of_them_agree() throws Exception {
        List<String> dishes = List.of("soup", "stew");
        dishes.forEach(dish -> client.createPool(dish, 200));
        var stop = new AtomicBoolean();
        var done = new AtomicInteger();
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (String dish : dishes) {
            all.add(business(dish, 1, stop, done));
            all.add(business(dish, 2, stop, done));
        }
        await().atMost(PATIENCE).until(() -> done.get() > 60);
        rebuild(); // while business goes on
        await().atMost(PATIENCE).until(() -> done.get() > 120);
        assertThat(client.post(
                                "/v1/pools/" + Client.pool("stew") + "/rebuild",
                                Map.of(),
                                Map.of("Idempotency-Key", "again"))
                        .status())
                .isIn(200, 202);
        await().atMost(PATIENCE)
                .until(() -> client.lookAtPool("stew").number("/redis/books/epoch") == 2
                        && client.lookAtPool("stew").text("/status").equals("OPEN"));
        int since = done.get();
        await().atMost(PATIENCE).until(() -> done.get() > since + 40);
        stop.set(true);
        all.forEach(CompletableFuture::join);
        await().atMost(PATIENCE).untilAsserted(() -> {
            for (String dish : dishes) {
                try (Connection connection = site.database()) {
                    assertThat(Journals.of(connection, Client.pool(dish)).unsettled())
                            .isZero();
                }
            }
        });
        caughtUp();
        for (String dish : dishes) {
            theLedgerAgrees(dish);
        }
        assertThat(client.get("/v1/anomalies").body().path("anomalies")).isEmpty();
        assertThat(client.get("/v1/reservations?limit=500&pool=" + Client.pool("soup"))
                        .body()
                        .path("reservations"))
                .isNotEmpty()
                .allSatisfy(one -> {
                    assertThat(one.at("/sync/status").asText()).isEqualTo("SYNCED");
                    assertThat(one.at("/sync/synced")).isEqualTo(one.at("/sync/expected"));
                });

        Map<String, List<String>> before = tables();
        rebuild();
        caughtUp();
        assertThat(tables()).isEqualTo(before);
    }
}
