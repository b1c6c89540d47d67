package io.holdfast.order.view;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.config.sql.Migrations;
import io.holdfast.engine.entity.Entry;
import io.holdfast.engine.entity.Meta;
import io.holdfast.engine.journal.JournalCodec;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.projection.JournalRow;
import io.holdfast.engine.projection.Slices;
import io.holdfast.localstack.SharedStack;
import io.holdfast.order.domain.OrderEvent;
import io.holdfast.order.domain.Resolution;
import io.holdfast.order.domain.Review;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** Orders under review are in the list of what needs a person for as long as their marks stand. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class OrderReviewProjectionTest {

    private static final JournalCodec<OrderEvent> CODEC = JournalCodec.of(OrderEvent.class);
    private static final Instant NOW = Instant.parse("2026-06-25T09:00:00Z");
    private static final OrderEvent OPENED = new OrderEvent.ReviewOpened(
            new Review(Review.Trigger.CONTRADICTION, "CREATE was answered OTHER_PAYLOAD", Map.of("known", "00")));
    private static final OrderEvent LIFTED = new OrderEvent.ReviewLifted(new Resolution.Continue(), "clear");
    private static HikariDataSource database;

    private final OrderReviewProjection projection = new OrderReviewProjection();

    @BeforeAll
    static void open() {
        database = new HikariDataSource();
        database.setJdbcUrl(SharedStack.freshDatabase("order_reviews"));
        database.setUsername(SharedStack.postgres().user());
        database.setPassword(SharedStack.postgres().password());
        new Migrations(database).migrate();
    }

    @AfterAll
    static void close() {
        database.close();
    }

    private void happened(String order, long sequence, OrderEvent event) throws SQLException {
        var cause = new Cause("c-" + sequence, "", Cause.Kind.OPERATOR, "ann", Optional.empty());
        byte[] payload = CODEC.encode(new Entry.Happened<>(event, new Meta(NOW, cause, Optional.empty())));
        try (Connection connection = database.getConnection()) {
            projection.handle(connection, new JournalRow("order|" + order, sequence, 1, sequence, "", payload));
        }
    }

    private static List<String> listed() throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement s = connection.prepareStatement("""
                    select reservation_id || ' ' || found || ' ' || (gone_at is null) || ' ' || (told < found) from anomaly
                    where source = 'orders' and class = 'MANUAL' order by 1
                    """);
                ResultSet r = s.executeQuery()) {
            List<String> rows = new ArrayList<>();
            while (r.next()) {
                rows.add(r.getString(1));
            }
            return rows;
        }
    }

    @Test
    void a_mark_is_listed_until_it_is_lifted_and_rows_that_come_again_change_nothing() throws SQLException {
        happened("r-1", 1, new OrderEvent.OrderNotFound());
        assertThat(listed()).isEmpty();
        for (int again = 0; again < 2; again++) {
            happened("r-1", 2, OPENED);
            assertThat(listed()).containsExactly("r-1 1 true false");
        }
        happened("r-1", 3, LIFTED);
        for (int again = 0; again < 2; again++) {
            happened("r-1", 2, OPENED);
            happened("r-1", 3, LIFTED);
            assertThat(listed()).containsExactly("r-1 1 false false");
        }
        happened("r-1", 4, OPENED);
        happened("r-2", 1, OPENED);
        happened("r-1", 3, LIFTED);
        assertThat(listed()).as("nobody is told from here").containsExactly("r-1 2 true false", "r-2 1 true false");
        try (Connection connection = database.getConnection()) {
            projection.clear(connection, Slices.all());
        }
        assertThat(listed()).isEmpty();
    }
}
