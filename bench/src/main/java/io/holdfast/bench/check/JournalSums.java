package io.holdfast.bench.check;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.localstack.PostgresAddress;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the journals of reservations add up to, pool by pool. */
public final class JournalSums {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int ROWS_AT_A_TIME = 5000;
    /** What happens to reservations here without moving a unit. */
    private static final Set<String> OF_NO_UNITS =
            Set.of("ConfirmStarted", "HoldDenied", "HandedOff", "OrderRequestSent");

    private final Map<String, Pool> pools = new HashMap<>();
    private final List<String> faults = new ArrayList<>();
    private long events;

    /** Units and moves of one pool. */
    public static final class Pool {
        private long reserved;
        private long sold;
        private final BitSet versions = new BitSet();

        /** Held and not confirmed. */
        public long reserved() {
            return reserved;
        }

        /** Confirmed. */
        public long sold() {
            return sold;
        }

        /** How many operations moved stock, each to a version of its own. */
        public long moves() {
            return versions.cardinality();
        }
    }

    /** Of one reservation: what was asked for, and what moved. */
    private static final class Hold {
        private String pool = "";
        private long quantity;
        private boolean granted;
        private boolean confirmed;
        private final List<Long> versions = new ArrayList<>(2);
    }

    private JournalSums() {}

    /** Reads the whole journal. */
    public static JournalSums of(PostgresAddress database) throws SQLException, IOException {
        JournalSums sums = new JournalSums();
        Map<String, Hold> holds = new HashMap<>();
        try (Connection connection =
                        DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
                var statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.setFetchSize(ROWS_AT_A_TIME);
            try (ResultSet rows = statement.executeQuery(
                    "select persistence_id, event_payload from event_journal where persistence_id like"
                            + " 'reservation|%'")) {
                while (rows.next()) {
                    sums.events++;
                    sums.read(
                            holds.computeIfAbsent(rows.getString(1), _ -> new Hold()), JSON.readTree(rows.getBytes(2)));
                }
            }
        }
        holds.forEach(sums::add);
        return sums;
    }

    /** One pool; one of which the journals say nothing has no moves. */
    public Pool pool(String id) {
        return pools.getOrDefault(id, new Pool());
    }

    /** Journaled events of reservations. */
    public long events() {
        return events;
    }

    /** What can't be: a hold granted twice, two moves of one version. */
    public List<String> faults() {
        return List.copyOf(faults);
    }

    private void read(Hold hold, JsonNode event) {
        JsonNode data = event.path("data");
        switch (event.path("type").asText()) {
            case "HoldRequested" -> {
                hold.pool = data.path("pool").asText();
                hold.quantity = data.at("/terms/quantity").asLong();
            }
            case "HoldAdopted" -> {
                if (hold.granted) {
                    faults.add("a hold was adopted twice");
                }
                hold.pool = data.path("pool").asText();
                hold.quantity = data.at("/terms/quantity").asLong();
                hold.granted = true;
                hold.versions.add(data.at("/books/version").asLong());
            }
            case "HoldGranted" -> {
                if (hold.granted) {
                    faults.add("a hold was granted twice");
                }
                hold.granted = true;
                hold.versions.add(data.at("/books/version").asLong());
            }
            case "HoldConfirmed" -> {
                if (hold.confirmed) {
                    faults.add("a hold was confirmed twice");
                }
                hold.confirmed = true;
                hold.versions.add(data.at("/books/version").asLong());
            }
            case String other -> {
                if (!OF_NO_UNITS.contains(other)) {
                    faults.add("nobody caused an event " + other);
                }
            }
        }
    }

    private void add(String id, Hold hold) {
        if (hold.pool.isEmpty()) {
            faults.add(id + " was never asked for");
            return;
        }
        Pool pool = pools.computeIfAbsent(hold.pool, _ -> new Pool());
        if (hold.confirmed) {
            pool.sold += hold.quantity;
        } else if (hold.granted) {
            pool.reserved += hold.quantity;
        }
        for (long version : hold.versions) {
            int bit = Math.toIntExact(version);
            if (pool.versions.get(bit)) {
                faults.add("two operations moved " + hold.pool + " to version " + version);
            }
            pool.versions.set(bit);
        }
    }
}
