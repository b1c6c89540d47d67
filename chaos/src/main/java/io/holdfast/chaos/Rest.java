package io.holdfast.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.client.Result;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** Whether everything has come to rest: what still moves, in words. */
final class Rest {

    private static final int KAFKA_SECONDS = 10;
    private static final int NOT_FOUND = 404;

    /** What is counted, and must be 0. */
    private static final Map<String, String> COUNTS = new LinkedHashMap<>(Map.of(
            "reservations on their way",
            "select count(*) from reservation_view where status in ('PREPARING', 'CREATED_RESERVED', 'CONFIRMING',"
                    + " 'CANCELING', 'REFUNDING')",
            "orders not at their end",
            "select count(*) from orders where status in ('CREATED', 'CANCEL_PENDING')",
            "admitted holds without an order",
            "select count(*) from reservation_view where status = 'RESERVED' and pool like 'spring:%'",
            "journal entries not projected",
            "select coalesce(max((select count(*) from event_journal j where (j.xid, j.ordering) > (o.xid, o.ordering)"
                    + " and j.slice between o.slice_from and o.slice_to)), 0) from projection_offset o",
            "entities set aside by a projection",
            "select count(*) from projection_parked",
            "events parked",
            "select count(*) from parked_event where settled_at is null",
            "compensations under way",
            "select count(*) from compensation_view where status in ('APPLYING', 'APPLIED')",
            "payments to go back",
            "select count(*) from payment_record where status = 'SURPLUS'",
            "webhook deliveries not taken",
            "select count(*) from webhook_delivery where status = 'PENDING'"));

    private static final String ANNOUNCED = "select count(*) from journal_readable where machine = 'reservation' and"
            + " type in ('" + String.join("', '", Announced.ENTRIES) + "')";

    private final Stage stage;
    private final Fleet fleet;
    private final Shelf shelf;
    private final Follower follower;

    Rest(Stage stage, Fleet fleet, Shelf shelf, Follower follower) {
        this.stage = stage;
        this.fleet = fleet;
        this.shelf = shelf;
        this.follower = follower;
    }

    /** What has not come to rest; empty when all has. */
    List<String> moving() throws InterruptedException {
        List<String> moving = new ArrayList<>();
        stage.members().stream()
                .filter(member -> !member.ready())
                .forEach(member -> moving.add(member.name() + " does not serve"));
        if (moving.isEmpty()) {
            moving.addAll(inTables());
        }
        if (moving.isEmpty()) {
            moving.addAll(inTopics());
        }
        if (moving.isEmpty()) {
            moving.addAll(inPools());
        }
        return moving;
    }

    private List<String> inTables() {
        List<String> moving = new ArrayList<>();
        try (Connection connection = stage.database();
                Statement statement = connection.createStatement()) {
            for (Map.Entry<String, String> count : COUNTS.entrySet()) {
                try (ResultSet row = statement.executeQuery(count.getValue())) {
                    row.next();
                    if (row.getLong(1) > 0) {
                        moving.add(row.getLong(1) + " " + count.getKey());
                    }
                }
            }
            try (ResultSet row = statement.executeQuery(ANNOUNCED)) {
                row.next();
                long untold = row.getLong(1) - follower.heard().size();
                if (untold > 0) {
                    moving.add(untold + " events not told");
                }
            }
        } catch (SQLException e) {
            moving.add("PostgreSQL does not answer: " + e.getMessage());
        }
        return moving;
    }

    private List<String> inTopics() throws InterruptedException {
        try (Admin admin = Admin.create(Map.of(
                "bootstrap.servers",
                stage.broker().bootstrapServers(),
                "request.timeout.ms",
                4000,
                "default.api.timeout.ms",
                8000))) {
            Map<TopicPartition, OffsetAndMetadata> read = admin.listConsumerGroupOffsets(Stage.group())
                    .partitionsToOffsetAndMetadata()
                    .get(KAFKA_SECONDS, TimeUnit.SECONDS);
            Map<TopicPartition, OffsetSpec> ends = new LinkedHashMap<>();
            read.keySet().forEach(partition -> ends.put(partition, OffsetSpec.latest()));
            Map<TopicPartition, ListOffsetsResultInfo> written =
                    admin.listOffsets(ends).all().get(KAFKA_SECONDS, TimeUnit.SECONDS);
            long unread = 0;
            for (Map.Entry<TopicPartition, OffsetAndMetadata> position : read.entrySet()) {
                ListOffsetsResultInfo end = written.get(position.getKey());
                unread += end == null
                        ? 0
                        : Math.max(0, end.offset() - position.getValue().offset());
            }
            return unread == 0 ? List.of() : List.of(unread + " records not read");
        } catch (ExecutionException | TimeoutException e) {
            return List.of("Kafka does not answer: " + e);
        }
    }

    private List<String> inPools() throws InterruptedException {
        List<String> moving = new ArrayList<>();
        for (String id : shelf.totals().keySet().stream()
                .flatMap(pool -> shelf.parts(pool).stream())
                .toList()) {
            switch (fleet.get("/v1/pools/" + id)) {
                case Result.Done(var _, JsonNode pool, var _) -> {
                    if (!serves(pool)) {
                        moving.add("pool " + id + " is " + pool.path("status").asText() + ", trusted "
                                + pool.at("/redis/trusted").asText("nobody knows whether"));
                    }
                }
                case Result.Refused(int status, var _, var _) when status == NOT_FOUND -> {} // it was never made
                case Result.Refused _, Result.Open _, Result.Unknown _, Result.NotTaken _ ->
                    moving.add("pool " + id + " does not answer");
            }
        }
        return moving;
    }

    private static boolean serves(JsonNode pool) {
        return pool.path("status").asText().equals("OPEN")
                && pool.at("/redis/trusted").asBoolean()
                && pool.path("waiting").isEmpty()
                && pool.at("/sale/hand_off_backlog").asLong(0) == 0;
    }
}
