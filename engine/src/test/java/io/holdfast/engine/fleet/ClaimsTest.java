package io.holdfast.engine.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.localstack.SharedStack;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class ClaimsTest {

    private static final SortedSet<Integer> EIGHT = units(8);

    private final List<Connection> sessions = new ArrayList<>();
    private final List<Claims> members = new ArrayList<>();

    @AfterEach
    void end() throws SQLException {
        for (Connection session : sessions) {
            session.close();
        }
    }

    private static SortedSet<Integer> units(int count) {
        return IntStream.range(0, count).boxed().collect(Collectors.toCollection(TreeSet::new));
    }

    private void join(String work, SortedSet<Integer> units) throws SQLException {
        var server = SharedStack.postgres();
        Connection session = DriverManager.getConnection(server.jdbcUrl(), server.user(), server.password());
        sessions.add(session);
        var claims = new Claims(session, work, units);
        claims.join();
        members.add(claims);
    }

    /** Everybody looks in turn until a whole turn changes nothing; at most so many turns. */
    private void settle(int turns) throws SQLException {
        for (int turn = 0; turn < turns; turn++) {
            boolean changed = false;
            for (Claims member : members) {
                changed |= member.tend();
            }
            assertHeldOnce();
            if (!changed) {
                return;
            }
        }
        throw new AssertionError("still changing after " + turns + " turns: " + parts());
    }

    private void assertHeldOnce() {
        List<Integer> held = members.stream().flatMap(m -> m.mine().stream()).toList();
        assertThat(held).doesNotHaveDuplicates();
    }

    private List<Integer> parts() {
        return members.stream().map(m -> m.mine().size()).sorted().toList();
    }

    @ParameterizedTest
    @CsvSource({"8, 1", "8, 2", "8, 3", "8, 5", "8, 8", "8, 11", "1, 1", "1, 3"})
    void members_that_come_one_after_another_end_with_equal_parts(int units, int count) throws SQLException {
        for (int i = 0; i < count; i++) {
            join("equal " + units + " " + count, units(units));
            settle(20);
        }
        assertThat(parts().getLast() - parts().getFirst()).isLessThanOrEqualTo(1);
        assertThat(parts().stream().mapToInt(Integer::intValue).sum()).isEqualTo(units);
    }

    @Test
    void what_a_lost_session_held_is_taken_by_the_others() throws SQLException {
        for (int i = 0; i < 3; i++) {
            join("lost", EIGHT);
        }
        settle(20);
        sessions.removeFirst().close();
        members.removeFirst();
        await().untilAsserted(
                        () -> { // the server notices in its own time
                            settle(20);
                            assertThat(parts()).containsExactly(4, 4);
                        });
        sessions.removeFirst().close();
        members.removeFirst();
        await().untilAsserted(
                        () -> { // the server notices in its own time
                            settle(20);
                            assertThat(parts()).containsExactly(8);
                        });
    }

    @Test
    void another_work_is_another_matter() throws SQLException {
        join("one work", EIGHT);
        settle(20);
        Claims one = members.removeFirst();
        join("other work", EIGHT);
        settle(20);
        assertThat(parts()).containsExactly(8);
        assertThat(one.tend()).isFalse();
        assertThat(one.mine()).isEqualTo(EIGHT);
    }
}
