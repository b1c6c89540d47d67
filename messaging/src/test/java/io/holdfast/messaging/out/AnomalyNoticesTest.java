package io.holdfast.messaging.out;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.reservation.conformance.MigratedDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** What only a person can judge is told each time it comes about, at least once, under an id that stays. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class AnomalyNoticesTest {

    static final OutgoingMessage MESSAGE = AnomalyNotices.message(
            "a-1",
            1,
            "messaging",
            "DEAD_LETTER",
            Optional.empty(),
            Optional.empty(),
            "An event was not understood.",
            Instant.parse("2026-11-29T10:00:00Z"));

    static final OutgoingMessage OF_A_HOLD = AnomalyNotices.message(
            "a-2",
            3,
            "systems",
            "PAID_ORDER_GIVEN_BACK",
            Optional.of("sale:phone"),
            Optional.of("8ced73660b864d5b8352084950e45ef7"),
            "The order is paid; its units went back.",
            Instant.parse("2026-11-29T10:00:00Z"));

    private static HikariDataSource database;

    private final List<String> sent = new ArrayList<>();
    private Optional<RuntimeException> trouble = Optional.empty();

    private final MessageSink sink = () -> new MessageSink.Run() {
        @Override
        public CompletableFuture<Void> send(OutgoingMessage message) {
            sent.add(message.id());
            return trouble.<CompletableFuture<Void>>map(CompletableFuture::failedFuture)
                    .orElseGet(() -> CompletableFuture.completedFuture(null));
        }

        @Override
        public void abandon() {
            sent.add("abandoned");
        }
    };

    @BeforeAll
    static void open() {
        database = MigratedDatabase.fresh("notices");
    }

    @AfterAll
    static void close() {
        database.close();
    }

    @BeforeEach
    void clean() throws SQLException {
        execute("truncate anomaly");
    }

    private static void execute(String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement s = connection.prepareStatement(sql)) {
            s.execute();
        }
    }

    private static void found(String id, String kind) throws SQLException {
        execute("insert into anomaly (id, source, type, summary, evidence, at, class) values ('" + id
                + "', 'systems', 'X', 's', '{}', timestamptz '2026-01-01' + " + id.length()
                + " * interval '1 s', " + kind + ")");
    }

    private List<String> told() throws SQLException {
        sent.clear();
        try (Connection connection = database.getConnection()) {
            assertThat(new AnomalyNotices(sink, Duration.ofSeconds(5)).tell(connection))
                    .isFalse();
        }
        return List.copyOf(sent);
    }

    @Test
    void each_is_told_once_while_only_a_person_can_judge_it_and_again_when_it_comes_back() throws SQLException {
        found("m", "'MANUAL'");
        found("ww", "'WAIT'");
        found("rrr", "'REPAIR'");
        found("nnnn", "null");
        assertThat(told()).containsExactly("anomaly|m#1", "anomaly|nnnn#1");
        assertThat(told()).isEmpty();
        execute("update anomaly set class = 'MANUAL' where id = 'ww'");
        assertThat(told()).as("what did not go by itself").containsExactly("anomaly|ww#1");
        execute("update anomaly set gone_at = now(), found = 2 where id = 'm'");
        assertThat(told()).isEmpty();
        execute("update anomaly set gone_at = null where id = 'm'");
        assertThat(told()).containsExactly("anomaly|m#2");
    }

    @Test
    void what_the_broker_may_not_have_is_told_again_under_its_id() throws SQLException {
        found("m", "'MANUAL'");
        trouble = Optional.of(new IllegalStateException("away"));
        assertThat(told()).containsExactly("anomaly|m#1", "abandoned");
        assertThat(told()).containsExactly("anomaly|m#1", "abandoned");
        trouble = Optional.empty();
        assertThat(told()).containsExactly("anomaly|m#1");
        assertThat(told()).isEmpty();
    }

    @Test
    void one_that_is_never_taken_holds_up_no_other() throws SQLException {
        found("m", "'MANUAL'");
        trouble = Optional.of(new MessageSink.Undeliverable("too large", new IllegalStateException()));
        assertThat(told()).containsExactly("anomaly|m#1");
        assertThat(told()).isEmpty();
    }

    @Test
    void what_follows_in_its_pool_or_of_its_hold_has_the_same_key() {
        assertThat(MESSAGE.key()).isEqualTo("a-1");
        assertThat(OF_A_HOLD.key()).isEqualTo("8ced73660b864d5b8352084950e45ef7");
        assertThat(OF_A_HOLD.id()).isEqualTo("anomaly|a-2#3");
    }
}
