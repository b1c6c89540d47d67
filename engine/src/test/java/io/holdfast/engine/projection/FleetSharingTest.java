package io.holdfast.engine.projection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.localstack.SharedStack;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** Several nodes work on one projection, and nodes come and go while events come in. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class FleetSharingTest {

    private final Witness witness = new Witness();
    private RunningNodes nodes;

    @BeforeEach
    void begin() throws SQLException {
        nodes = new RunningNodes(JournalDatabase.on(SharedStack.postgres()));
        nodes.database.execute(Witness.TABLE);
    }

    @AfterEach
    void end() {
        nodes.close();
    }

    /** One node, and the slices it has now. */
    private final class Member implements ProjectionListener, AutoCloseable {
        private final AtomicReference<List<Slices>> slices = new AtomicReference<>(List.of());
        private final ProjectionRunner runner;

        Member(ProjectionSettings settings) {
            runner = nodes.start(witness, settings, this);
        }

        @Override
        public void holds(String projection, List<Slices> held) {
            slices.set(held);
        }

        int share() {
            return slices.get().stream()
                    .mapToInt(range -> range.to() - range.from() + 1)
                    .sum();
        }

        @Override
        public void close() {
            runner.close();
            slices.set(List.of());
        }
    }

    private Member member() {
        return new Member(JournalDatabase.settings(10));
    }

    private static void awaitShares(int expected, Member... members) {
        await().untilAsserted(() -> assertThat(members)
                .allSatisfy(member -> assertThat(member.share()).isEqualTo(expected)));
    }

    @Test
    void slices_are_divided_equally_and_anew_when_a_node_comes_or_goes() {
        Member one = member();
        awaitShares(128, one);
        Member two = member();
        awaitShares(64, one, two);
        Member three = member();
        Member four = member();
        awaitShares(32, one, two, three, four);
        one.close();
        three.close();
        awaitShares(64, two, four);
        two.close();
        awaitShares(128, four);
    }

    @Test
    void every_event_is_handled_once_and_in_order_while_nodes_come_and_go() throws Exception {
        AtomicBoolean written = new AtomicBoolean();
        CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> {
            try (Connection c = nodes.database.connect()) {
                c.setAutoCommit(false);
                for (int n = 1; n <= 120; n++) {
                    for (int e = 0; e < 40; e++) {
                        JournalDatabase.append(c, "m|" + e, n, "{}");
                    }
                    c.commit();
                }
                written.set(true);
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });
        Member one = member();
        await().until(() -> one.share() == 128);
        Member two = member();
        awaitShares(64, one, two);
        nodes.cutSessions("witness"); // both are cut off at once
        Member three = member();
        await().until(() -> one.share() + two.share() + three.share() == 128 && three.share() > 0);
        two.close();
        awaitShares(64, one, three);
        writing.join();
        nodes.awaitSeen(40 * 120);
        nodes.assertEachOnceInOrder();
    }

    @Test
    void several_workers_of_one_node_divide_it_as_several_nodes_do() throws SQLException {
        ProjectionSettings base = JournalDatabase.settings(10);
        nodes.start(
                witness,
                new ProjectionSettings(
                        base.batchRows(),
                        base.gather(),
                        base.pollLongest(),
                        4,
                        base.rowAttempts(),
                        base.parkedLimit(),
                        base.parkedRetry(),
                        base.ackTimeout()),
                ProjectionListener.NONE);
        nodes.append(50, 1, 6);
        nodes.awaitSeen(300);
        nodes.assertEachOnceInOrder();
        await().untilAsserted(
                        () -> assertThat(nodes.database.one("select count(distinct pid) from pg_locks where locktype ="
                            + " 'advisory' and objsubid = 2 and objid::bigint < 8 and database = (select oid from"
                            + " pg_database where datname = current_database())"))
                                .isEqualTo("4"));
    }

    @Test
    void a_node_that_lost_its_slices_without_noticing_can_not_move_their_offset() throws SQLException {
        AtomicBoolean once = new AtomicBoolean();
        witness.mishap((connection, row) -> {
            if (row.persistenceId().equals("m|7") && once.compareAndSet(false, true)) {
                // As if another node had handled it while this one stood still.
                nodes.database.execute("insert into seen (persistence_id, sequence_number) values ('m|7', 1)");
                nodes.database.execute("update projection_offset set (xid, ordering) = (select xid, ordering from"
                        + " event_journal where persistence_id = 'm|7') where slice_from = (select slice / 16 * 16 from"
                        + " event_journal where persistence_id = 'm|7')");
            }
        });
        nodes.append(8, 1, 1);
        nodes.start(witness, 1);
        nodes.awaitSeen(8);
        nodes.append(8, 2, 2);
        nodes.awaitSeen(16);
        nodes.assertEachOnceInOrder();
        assertThat(once).isTrue();
    }

    @Test
    void shares_that_stand_at_different_offsets_come_level_and_lose_nothing() throws SQLException {
        nodes.append(60, 1, 10);
        nodes.database.execute(
                "insert into seen (persistence_id, sequence_number) select persistence_id, sequence_number from"
                        + " event_journal where slice < 32 and ordering <= 300",
                "insert into seen (persistence_id, sequence_number) select persistence_id, sequence_number from"
                        + " event_journal where slice >= 32 and slice < 64 and ordering <= 450",
                "insert into projection_offset (projection, slice_from, slice_to, xid, ordering) select 'witness', 16"
                    + " * n, 16 * n + 15, coalesce(j.xid, '0'), coalesce(j.ordering, 0) from generate_series(0, 7) n"
                    + " left join event_journal j on j.ordering = case n / 2 when 0 then 300 when 1 then 450 end");
        member();
        nodes.awaitSeen(600);
        nodes.assertEachOnceInOrder();
        await().untilAsserted(() -> assertThat(
                        nodes.database.one("select count(distinct (xid, ordering)) from projection_offset"))
                .isEqualTo("1"));
    }
}
