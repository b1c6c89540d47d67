package io.holdfast.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads the stores straight, with plain SQL and Redis's own commands, and adds the events of journals up in a second way. */
final class PictureOfStores {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Picture.Numbers NONE = new Picture.Numbers(0, 0, 0, 0, 0);

    private final Stage stage;
    private final Shelf shelf;
    private final Follower follower;
    private final Receiver receiver;

    PictureOfStores(Stage stage, Shelf shelf, Follower follower, Receiver receiver) {
        this.stage = stage;
        this.shelf = shelf;
        this.follower = follower;
        this.receiver = receiver;
    }

    Picture take() throws SQLException, IOException, InterruptedException {
        try (Connection database = stage.database()) {
            var journals = new JournalSums();
            read(database, journals);
            Map<String, String> shown = column(database, "select reservation_id, status from reservation_view");
            Map<String, Picture.Pool> pools = new TreeMap<>();
            for (Map.Entry<String, Long> pool : shelf.totals().entrySet()) {
                if (!stage.redis().ask("EXISTS", stockKey(pool.getKey())).equals(List.of("0"))) {
                    pools.put(pool.getKey(), pool(database, pool.getKey(), pool.getValue()));
                }
            }
            return new Picture(
                    pools,
                    journals.holds(shown),
                    journals.moves(),
                    orders(database),
                    payments(),
                    new Announced(journals.announced(), follower.heard(), receiver.taken()));
        }
    }

    private static void read(Connection database, JournalSums journals) throws SQLException, IOException {
        try (Statement statement = database.createStatement();
                ResultSet rows = statement.executeQuery("""
                    select entity_id, sequence_number, type, data::text from journal_readable
                    where machine = 'reservation' order by persistence_id, sequence_number
                    """)) {
            while (rows.next()) {
                journals.event(rows.getString(1), rows.getLong(2), rows.getString(3), JSON.readTree(rows.getString(4)));
            }
        }
    }

    private static String stockKey(String pool) {
        return "hf:{" + pool + "}:stock";
    }

    private Picture.Pool pool(Connection database, String id, long total) throws SQLException {
        Picture.Numbers redis = NONE;
        Picture.Numbers ledger = NONE;
        for (String part : shelf.parts(id)) {
            redis = redis.and(inRedis(part));
            ledger = ledger.and(inLedger(database, part));
        }
        return new Picture.Pool(total, redis, ledger, taken(database, id));
    }

    private Picture.Numbers inRedis(String id) {
        List<String> parts = stage.redis().ask("HGETALL", stockKey(id));
        Map<String, String> fields = new HashMap<>();
        for (int i = 0; i + 1 < parts.size(); i += 2) {
            fields.put(parts.get(i), parts.get(i + 1));
        }
        return new Picture.Numbers(
                number(fields, "total"),
                number(fields, "deficit"),
                number(fields, "available"),
                number(fields, "reserved"),
                number(fields, "sold"));
    }

    private static long number(Map<String, String> fields, String name) {
        return Long.parseLong(fields.getOrDefault(name, "0"));
    }

    private static Picture.Numbers inLedger(Connection database, String id) throws SQLException {
        try (PreparedStatement sums = database.prepareStatement("""
            select sum(total_delta), sum(deficit_delta), sum(available_delta), sum(reserved_delta), sum(sold_delta)
            from stock_ledger l where pool = ? and epoch = (select max(epoch) from stock_ledger where pool = l.pool)
            """)) {
            sums.setString(1, id);
            try (ResultSet row = sums.executeQuery()) {
                row.next();
                return new Picture.Numbers(
                        row.getLong(1), row.getLong(2), row.getLong(3), row.getLong(4), row.getLong(5));
            }
        }
    }

    private static long taken(Connection database, String id) throws SQLException {
        try (PreparedStatement stock = database.prepareStatement(
                "select occupied_stock + sold_stock from sku_inventory where activity || ':' || sku = ?")) {
            stock.setString(1, id);
            try (ResultSet row = stock.executeQuery()) {
                return row.next() ? row.getLong(1) : -1;
            }
        }
    }

    private static Map<String, Picture.Order> orders(Connection database) throws SQLException {
        Map<String, Picture.Order> orders = new TreeMap<>();
        try (Statement statement = database.createStatement();
                ResultSet rows = statement.executeQuery("""
                    select i.reservation_id, coalesce(o.status, 'REJECTED'), coalesce(o.quantity, 0)
                    from consumer_inbox i left join orders o on o.order_id = i.reservation_id
                    """)) {
            while (rows.next()) {
                orders.put(rows.getString(1), new Picture.Order(rows.getString(2), rows.getLong(3)));
            }
        }
        return orders;
    }

    private static Map<String, String> column(Connection database, String sql) throws SQLException {
        Map<String, String> all = new HashMap<>();
        try (Statement statement = database.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                all.put(rows.getString(1), rows.getString(2));
            }
        }
        return all;
    }

    /** What the provider has of all payments. */
    private List<Picture.Payment> payments() throws IOException, InterruptedException {
        List<Picture.Payment> payments = new ArrayList<>();
        try (HttpClient http = HttpClient.newHttpClient()) {
            URI statement = URI.create(
                    stage.provider().address() + "/statement?from=2020-01-01T00:00:00Z&to=2099-01-01T00:00:00Z");
            JsonNode body =
                    JSON.readTree(http.send(HttpRequest.newBuilder(statement).build(), BodyHandlers.ofString())
                            .body());
            for (JsonNode line : body.path("payments")) {
                payments.add(new Picture.Payment(
                        line.path("payment_id").asText(),
                        line.path("order_id").asText(),
                        line.path("amount").asLong(),
                        line.path("refunded_amount").asLong()));
            }
        }
        return payments;
    }
}
