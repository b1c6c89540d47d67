package io.holdfast.bench.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.localstack.PostgresAddress;
import io.holdfast.localstack.SharedStack;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** That sums which do not agree are found, whoever of the three is wrong. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class SumsTest {

    private static final String POOL = "bench:d0:2030-05-17";
    private static final long BY_THE_POOL = 1;

    private static PostgresAddress database;

    private final Map<String, Sums.Told> told = new HashMap<>(Map.of(POOL, new Sums.Told(1, 1)));
    /** One held, one sold; the pool's creation, two holds and a confirm were a version each. */
    private final Map<String, RedisBooks> redis = new HashMap<>(Map.of(POOL, new RedisBooks(10, 0, 8, 1, 1, 4)));

    @BeforeAll
    static void make() throws SQLException {
        var server = SharedStack.postgres();
        database = new PostgresAddress(server.createDatabase("bench_sums"), server.user(), server.password());
        sql("create table event_journal (persistence_id text, event_payload bytea)");
    }

    @BeforeEach
    void begin() throws SQLException {
        sql("truncate event_journal");
        requested("r1");
        granted("r1", 2);
        requested("r2");
        granted("r2", 3);
        journaled("r2", "ConfirmStarted", "{}");
        confirmed("r2", 4);
    }

    private static Connection connect() throws SQLException {
        return DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
    }

    private static void sql(String statement) throws SQLException {
        try (Connection c = connect();
                var s = c.createStatement()) {
            s.execute(statement);
        }
    }

    private static void requested(String id) throws SQLException {
        journaled(id, "HoldRequested", "{\"pool\":\"" + POOL + "\",\"terms\":{\"quantity\":1}}");
    }

    private static void granted(String id, long version) throws SQLException {
        journaled(id, "HoldGranted", "{\"books\":{\"version\":" + version + "}}");
    }

    private static void confirmed(String id, long version) throws SQLException {
        journaled(id, "HoldConfirmed", "{\"books\":{\"version\":" + version + "}}");
    }

    private static void journaled(String id, String type, String data) throws SQLException {
        try (Connection c = connect();
                var s = c.prepareStatement("insert into event_journal values (?, ?)")) {
            s.setString(1, "reservation|" + id);
            s.setBytes(2, ("{\"type\":\"" + type + "\",\"data\":" + data + "}").getBytes(StandardCharsets.UTF_8));
            s.executeUpdate();
        }
    }

    private List<String> off() throws Exception {
        JournalSums journal = JournalSums.of(database);
        List<String> off = new ArrayList<>(journal.faults());
        off.addAll(Sums.compare(told, journal, redis, BY_THE_POOL));
        return off;
    }

    @Test
    void sums_that_agree_are_not_off() throws Exception {
        assertThat(off()).isEmpty();
    }

    static Stream<Arguments> what_callers_were_told_must_be_in_the_journals() {
        return Stream.of(new Sums.Told(2, 1), new Sums.Told(0, 1), new Sums.Told(1, 2), new Sums.Told(1, 0))
                .map(Arguments::of);
    }

    @ParameterizedTest
    @MethodSource
    void what_callers_were_told_must_be_in_the_journals(Sums.Told wrong) throws Exception {
        told.put(POOL, wrong);
        assertThat(off()).singleElement().asString().contains("acknowledged");
    }

    static Stream<Arguments> redis_must_hold_what_the_journals_say() {
        return Stream.of(
                Arguments.of("one more is held", new RedisBooks(10, 0, 7, 2, 1, 4)),
                Arguments.of("one more is sold", new RedisBooks(10, 0, 7, 1, 2, 4)),
                Arguments.of("a unit is lost", new RedisBooks(10, 0, 7, 1, 1, 4)),
                Arguments.of("a unit comes from nowhere", new RedisBooks(10, 0, 9, 1, 1, 4)),
                Arguments.of("something has moved that nobody journaled", new RedisBooks(10, 0, 8, 1, 1, 5)),
                Arguments.of("a move is missing", new RedisBooks(10, 0, 8, 1, 1, 3)),
                Arguments.of("there is no such pool", new RedisBooks(-1, -1, -1, -1, -1, -1)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void redis_must_hold_what_the_journals_say(String what, RedisBooks wrong) throws Exception {
        redis.put(POOL, wrong);
        assertThat(off()).isNotEmpty().allSatisfy(one -> assertThat(one).contains(POOL));
    }

    @Test
    void a_pool_that_was_not_read_is_off() throws Exception {
        redis.clear();
        assertThat(off()).isNotEmpty();
    }

    @Test
    void a_hold_that_was_granted_twice_is_off() throws Exception {
        granted("r1", 5);
        assertThat(off()).contains("a hold was granted twice");
    }

    @Test
    void a_hold_that_was_confirmed_twice_is_off() throws Exception {
        confirmed("r2", 5);
        assertThat(off()).contains("a hold was confirmed twice");
    }

    @Test
    void two_moves_to_one_version_are_off() throws Exception {
        requested("r3");
        granted("r3", 3);
        assertThat(off()).contains("two operations moved " + POOL + " to version 3");
    }

    @Test
    void an_event_nobody_asked_for_is_off() throws Exception {
        journaled("r1", "HoldReleased", "{}");
        assertThat(off()).contains("nobody caused an event HoldReleased");
    }

    @Test
    void a_grant_of_what_was_never_asked_for_is_off() throws Exception {
        granted("r9", 5);
        assertThat(off()).contains("reservation|r9 was never asked for");
    }

    @Test
    void many_that_are_off_are_shown_in_part_and_counted_whole() throws Exception {
        for (int i = 1; i <= 14; i++) {
            told.put("p" + i, new Sums.Told(1, 0));
        }
        assertThat(off()).hasSize(11).last().asString().isEqualTo("and 4 more");
    }
}
