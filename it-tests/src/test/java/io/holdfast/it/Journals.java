package io.holdfast.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What the journals say, added up here in a second way: straight from the JSON of the events, without any of the product's code. Redis must
 * agree with it to the unit, and its version to the operation: each one moved once.
 */
final class Journals {

    private static final ObjectMapper JSON = new ObjectMapper();

    /** Events after which a reservation rests unless something new comes. */
    private static final Set<String> OWING =
            Set.of("HoldRequested", "AdmissionCameLate", "ConfirmStarted", "ReleaseStarted", "RefundStarted");

    private final Map<String, Hold> holds = new TreeMap<>();
    /** Moves of each epoch. */
    private final Map<Long, Long> moves = new HashMap<>();

    /** The version a rebuild left, by its epoch. */
    private final Map<Long, Long> rebuiltAt = new HashMap<>();

    /** A change of the pool's numbers: within an epoch every version is made once. */
    private record Moved(long epoch, long version) {}

    private static final class Hold {
        private long quantity;
        private long reserved;
        private long sold;
        private boolean confirmed;
        private String lastStep = "";
    }

    /** Reads every journal that has to do with this pool. */
    static Journals of(Connection database, String pool) throws SQLException, IOException {
        Journals journals = new Journals();
        Map<Moved, String> movedBy = new HashMap<>();
        String sql = """
            select entity_id, machine, sequence_number, type, data::text from journal_readable
            where type <> 'EffectStalled' and (machine = 'reservation' or entity_id = ?)
            order by persistence_id, sequence_number\
            """;
        try (var statement = database.prepareStatement(sql)) {
            statement.setString(1, pool);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    String entity = rows.getString(1);
                    JsonNode data = JSON.readTree(rows.getString(5));
                    String type = rows.getString(4);
                    if (rows.getString(2).equals("reservation")) {
                        journals.reservation(pool, entity, type, data, movedBy);
                    } else {
                        journals.pool(type, data, movedBy);
                    }
                }
            }
        }
        return journals;
    }

    private void reservation(String pool, String id, String type, JsonNode data, Map<Moved, String> movedBy) {
        if (type.equals("HoldRequested") || type.equals("HoldAdopted") || type.equals("AdmissionCameLate")) {
            if (!data.at("/pool").asText().equals(pool)) {
                return;
            }
            Hold hold = new Hold();
            hold.quantity = data.at("/terms/quantity").asLong();
            holds.put(id, hold);
        }
        Hold hold = holds.get(id);
        if (hold == null) {
            return;
        }
        boolean moved = true;
        switch (type) {
            case "HoldGranted", "HoldAdopted", "AdmissionCameLate" -> hold.reserved = hold.quantity;
            case "HoldConfirmed" -> {
                assertThat(data.at("/confirmed").asLong() + data.at("/released").asLong())
                        .as("confirm of %s", id)
                        .isEqualTo(hold.reserved);
                hold.reserved = 0;
                hold.sold += data.at("/confirmed").asLong();
                hold.confirmed = true;
            }
            case "HoldReleased", "AdmissionReturned" -> {
                assertThat(data.at("/released").asLong())
                        .as("release of %s", id)
                        .isEqualTo(hold.reserved);
                hold.reserved = 0;
            }
            case "HoldRefunded" -> {
                long units = data.at("/refund/quantity").asLong();
                boolean restock = data.at("/refund/restock").asBoolean();
                moved = restock || !hold.confirmed;
                if (hold.confirmed) {
                    hold.sold -= restock ? units : 0;
                } else {
                    hold.reserved -= units;
                    hold.sold += restock ? 0 : units;
                }
            }
            case "AdmissionWasLost" -> {
                hold.reserved = 0;
                moved = false;
            }
            default -> moved = false;
        }
        assertThat(hold.reserved).as("reserved by %s", id).isNotNegative();
        assertThat(hold.sold).as("sold by %s", id).isNotNegative();
        if (moved) {
            once(movedBy, data, id + " " + type);
        }
        hold.lastStep = type;
    }

    private void pool(String type, JsonNode data, Map<Moved, String> movedBy) {
        if (type.equals("PoolInitialized") || type.equals("TotalAdjusted")) {
            once(movedBy, data, "pool " + type);
        }
        if (type.equals("PoolRebuilt")) {
            rebuiltAt.put(
                    data.at("/books/epoch").asLong(), data.at("/books/version").asLong());
        }
    }

    private void once(Map<Moved, String> movedBy, JsonNode data, String what) {
        long version = data.at("/books/version").asLong(-1);
        assertThat(version).as("version of %s", what).isPositive();
        long epoch = data.at("/books/epoch").asLong(-1);
        assertThat(movedBy.put(new Moved(epoch, version), what))
                .as("also moved the stock to version %s of epoch %s: %s", version, epoch, what)
                .isNull();
        moves.merge(epoch, 1L, Long::sum);
    }

    long reserved() {
        return holds.values().stream().mapToLong(hold -> hold.reserved).sum();
    }

    long sold() {
        return holds.values().stream().mapToLong(hold -> hold.sold).sum();
    }

    /** What the version in Redis must be: that of the latest rebuild, if there was one, and one more for each move since. */
    long version() {
        long epoch =
                rebuiltAt.keySet().stream().mapToLong(Long::longValue).max().orElse(1);
        return rebuiltAt.getOrDefault(epoch, 0L) + moves.getOrDefault(epoch, 0L);
    }

    int size() {
        return holds.size();
    }

    /** Reservations whose last step owes something. */
    long unsettled() {
        return holds.values().stream()
                .filter(hold -> OWING.contains(hold.lastStep))
                .count();
    }

    /** Fails unless the pool's numbers in Redis are what the journals add up to. */
    void agreeWith(Client.Answer pool) {
        assertThat(pool.number("/redis/books/reserved"))
                .as("reserved: %s", pool.body())
                .isEqualTo(reserved());
        assertThat(pool.number("/redis/books/sold")).as("sold: %s", pool.body()).isEqualTo(sold());
        assertThat(pool.number("/redis/books/version"))
                .as("version: %s", pool.body())
                .isEqualTo(version());
        assertThat(pool.number("/redis/books/total") + pool.number("/redis/books/deficit"))
                .as("the books balance: %s", pool.body())
                .isEqualTo(pool.number("/redis/books/available")
                        + pool.number("/redis/books/reserved")
                        + pool.number("/redis/books/sold"));
    }
}
