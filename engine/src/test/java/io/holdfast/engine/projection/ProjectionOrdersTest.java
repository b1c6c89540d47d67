package io.holdfast.engine.projection;

import static io.holdfast.engine.projection.RunningNodes.SOMEBODY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.localstack.SharedStack;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class ProjectionOrdersTest {

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

    private static void accepted(Ordered answer) {
        assertThat(answer).isInstanceOf(Ordered.Accepted.class);
    }

    private static void refused(Ordered answer, String why) {
        assertThat(answer)
                .isInstanceOfSatisfying(
                        Ordered.Refused.class,
                        refusal -> assertThat(refusal.why()).contains(why));
    }

    private ProjectionState state() throws SQLException {
        return nodes.projections.list().getFirst();
    }

    private void started() throws SQLException {
        ProjectionRunner runner = nodes.start(witness, 10);
        await().until(runner::running);
    }

    @Test
    void an_order_for_a_projection_nobody_knows_is_refused_and_not_written_down() throws SQLException {
        refused(nodes.orders.pause("nobody", SOMEBODY), "no projection named nobody");
        refused(nodes.orders.rebuild("nobody", SOMEBODY), "no projection named nobody");
        refused(nodes.orders.rewind("nobody", new JournalPosition(0), SOMEBODY), "no projection named nobody");
        refused(nodes.orders.skip("nobody", "m|1", 1, SOMEBODY), "no projection named nobody");
        refused(nodes.orders.retry("nobody", "m|1", SOMEBODY), "no projection named nobody");
        assertThat(nodes.database.query("select id from projection_order")).isEmpty();
    }

    @Test
    void who_ordered_what_and_why_stays_written_down() throws SQLException {
        started();
        accepted(nodes.orders.pause("witness", new OrderedBy("ann", "too loud")));
        accepted(nodes.orders.resume("witness", new OrderedBy("ben", "")));
        accepted(nodes.orders.rebuild("witness", new OrderedBy("ann", "a column was added")));
        assertThat(nodes.database.query(
                        "select projection || ' ' || action || ' ' || ordered_by || ' ' || reason from projection_order"
                                + " order by id"))
                .containsExactly(
                        "witness pause ann too loud", "witness resume ben ", "witness rebuild ann a column was added");
    }

    @Nested
    @DisplayNameGeneration(ReplaceUnderscores.class)
    class paused {

        @Test
        void it_handles_nothing_until_it_is_resumed_also_on_a_node_that_starts_meanwhile() throws SQLException {
            nodes.append(3, 1, 2);
            started();
            nodes.awaitSeen(6);
            accepted(nodes.orders.pause("witness", new OrderedBy("ann", "maintenance")));
            refused(nodes.orders.pause("witness", SOMEBODY), "already");
            assertThat(state().paused()).contains(new OrderedBy("ann", "maintenance"));
            awaitNoticed();
            AtomicBoolean late = new AtomicBoolean();
            nodes.start(witness, JournalDatabase.settings(10), new ProjectionListener() {
                @Override
                public void holds(String projection, List<Slices> slices) {
                    late.set(!slices.isEmpty());
                }
            });
            await().untilTrue(late);
            nodes.append(3, 3, 4);
            awaitNoticed();
            assertThat(nodes.projections.lag("witness").events()).isEqualTo(12);
            assertThat(nodes.database.one("select count(*) from seen")).isEqualTo("0");

            accepted(nodes.orders.resume("witness", SOMEBODY));
            refused(nodes.orders.resume("witness", SOMEBODY), "already");
            nodes.awaitSeen(12);
            nodes.assertEachOnceInOrder();
            assertThat(state().paused()).isEmpty();
        }

        /** A worker that obeys a rebuild and does not begin to read has noticed that it is paused. */
        private void awaitNoticed() throws SQLException {
            accepted(nodes.orders.rebuild("witness", SOMEBODY));
            nodes.database.awaitObeyed();
        }
    }

    @Nested
    @DisplayNameGeneration(ReplaceUnderscores.class)
    class set_back {

        /** Notices what it has seen, as a projection must that can be set back; counts how often it was given each event. */
        private final class Recognizing implements ProjectionHandler {

            @Override
            public String name() {
                return "recognizing";
            }

            @Override
            public boolean takesAgain() {
                return true;
            }

            @Override
            public void handle(Connection connection, JournalRow row) throws SQLException {
                if (row.entityId().equals("bad")) {
                    throw new IllegalStateException("can't");
                }
                try (PreparedStatement s = connection.prepareStatement(
                        "insert into given values (?, 1) on conflict (id) do update set times = given.times + 1")) {
                    s.setString(1, row.eventId());
                    s.executeUpdate();
                }
            }

            @Override
            public void clear(Connection connection, Slices slices) {
                throw new AssertionError("a rewind clears nothing");
            }
        }

        @BeforeEach
        void begin() throws SQLException {
            nodes.database.execute("create table given (id text primary key, times int)");
        }

        private void awaitGiven(String... expected) {
            await().untilAsserted(
                            () -> assertThat(nodes.database.query("select id || ' ' || times from given order by id"))
                                    .containsExactly(expected));
        }

        @Test
        void to_a_position_it_is_given_again_what_comes_from_there_on_and_nothing_before() throws SQLException {
            nodes.start(new Recognizing(), 10);
            nodes.append(2, 1, 1);
            long position = Long.parseLong(nodes.database.one("select pg_current_xact_id()::text"));
            nodes.append(2, 2, 2);
            awaitGiven("m|0#1 1", "m|0#2 1", "m|1#1 1", "m|1#2 1");
            accepted(nodes.orders.rewind("recognizing", new JournalPosition(position), SOMEBODY));
            awaitGiven("m|0#1 1", "m|0#2 2", "m|1#1 1", "m|1#2 2");
            nodes.append(2, 3, 3);
            awaitGiven("m|0#1 1", "m|0#2 2", "m|0#3 1", "m|1#1 1", "m|1#2 2", "m|1#3 1");
        }

        @Test
        void to_a_time_it_is_given_again_what_was_written_since_and_a_minute_before() throws SQLException {
            Instant noon = Instant.parse("2026-07-25T12:00:00Z");
            appendAt("m|early", noon.minusSeconds(3600));
            appendAt("m|minute-before", noon.minusSeconds(30));
            appendAt("m|noon", noon);
            appendAt("m|late", noon.plusSeconds(3600));
            nodes.start(new Recognizing(), 10);
            awaitGiven("m|early#1 1", "m|late#1 1", "m|minute-before#1 1", "m|noon#1 1");
            accepted(nodes.orders.rewind("recognizing", noon, SOMEBODY));
            awaitGiven("m|early#1 1", "m|late#1 2", "m|minute-before#1 2", "m|noon#1 2");
            accepted(nodes.orders.rewind("recognizing", noon.plusSeconds(1800), SOMEBODY));
            awaitGiven("m|early#1 1", "m|late#1 3", "m|minute-before#1 2", "m|noon#1 2");
        }

        private void appendAt(String id, Instant written) throws SQLException {
            nodes.database.append(id, 1, "{}");
            nodes.database.execute("update event_journal set write_timestamp = " + written.toEpochMilli()
                    + " where persistence_id = '" + id + "'");
        }

        @Test
        void it_has_not_passed_until_it_has_come_back() throws SQLException {
            nodes.start(new Recognizing(), 10);
            nodes.append(1, 1, 1);
            awaitGiven("m|0#1 1");
            accepted(nodes.orders.pause("recognizing", SOMEBODY));
            accepted(nodes.orders.rewind("recognizing", new JournalPosition(0), SOMEBODY));
            nodes.database.awaitObeyed();
            var progress = new ProgressWatch("recognizing", nodes.database.pool(), Duration.ofMillis(2));
            JournalPosition now = progress.position().toCompletableFuture().join();
            assertThat(progress.awaitPassed(now, Duration.ofMillis(50))
                            .toCompletableFuture()
                            .join())
                    .isInstanceOf(Passage.NotYet.class);
            accepted(nodes.orders.resume("recognizing", SOMEBODY));
            assertThat(progress.awaitPassed(now, Duration.ofSeconds(20))
                            .toCompletableFuture()
                            .join())
                    .isInstanceOf(Passage.Passed.class);
            awaitGiven("m|0#1 2");
        }

        @Test
        void a_parked_entity_goes_back_as_well_and_stays_parked() throws SQLException {
            nodes.start(new Recognizing(), 10);
            nodes.database.append("m|bad", 1, "{}");
            nodes.database.append("m|good", 1, "{}");
            awaitGiven("m|good#1 1");
            accepted(nodes.orders.rewind("recognizing", new JournalPosition(0), SOMEBODY));
            awaitGiven("m|good#1 2");
            assertThat(nodes.projections.parked("recognizing", 10))
                    .singleElement()
                    .satisfies(parked -> assertThat(parked.sequenceNumber()).isEqualTo(1));
        }

        @Test
        void one_that_does_not_take_events_again_can_only_be_rebuilt() throws SQLException {
            nodes.append(1, 1, 1);
            started();
            nodes.awaitSeen(1);
            refused(nodes.orders.rewind("witness", new JournalPosition(0), SOMEBODY), "only be rebuilt");
            refused(nodes.orders.rewind("witness", Instant.EPOCH, SOMEBODY), "only be rebuilt");
        }

        @Test
        void a_position_it_has_not_come_to_is_refused() throws SQLException {
            nodes.start(new Recognizing(), 10);
            nodes.append(1, 1, 1);
            awaitGiven("m|0#1 1");
            refused(
                    nodes.orders.rewind("recognizing", new JournalPosition(Long.MAX_VALUE), SOMEBODY),
                    "has not come as far");
        }
    }

    @Nested
    @DisplayNameGeneration(ReplaceUnderscores.class)
    class an_event_left_out {

        private final AtomicBoolean mended = new AtomicBoolean();

        @BeforeEach
        void begin() throws SQLException {
            witness.mishap((connection, row) -> {
                if (!mended.get() && row.persistenceId().equals("m|1") && row.sequenceNumber() == 3) {
                    throw new IllegalStateException("can't");
                }
            });
            nodes.append(2, 1, 5);
            started();
            nodes.awaitSeen(2 + 5);
        }

        private void leftOut() throws SQLException {
            accepted(nodes.orders.skip("witness", "m|1", 3, new OrderedBy("ann", "known to be broken")));
            nodes.awaitSeen(9);
            await().untilAsserted(() ->
                    assertThat(nodes.projections.parked("witness", 10)).isEmpty());
        }

        @Test
        void lets_the_entity_go_on_and_is_written_down_with_who_and_why() throws SQLException {
            leftOut();
            assertThat(Witness.seen(nodes.database))
                    .doesNotContain("m|1#3")
                    .contains("m|1#2", "m|1#4", "m|1#5", "m|0#5");
            assertThat(nodes.projections.skipped("witness", 10)).singleElement().satisfies(skipped -> {
                assertThat(skipped.persistenceId()).isEqualTo("m|1");
                assertThat(skipped.sequenceNumber()).isEqualTo(3);
                assertThat(skipped.by()).isEqualTo(new OrderedBy("ann", "known to be broken"));
                assertThat(skipped.leftOutAt()).isPresent();
            });
            assertThat(state().leftOut()).isEqualTo(1);
            assertThat(witness.leftOut()).containsExactly("m|1#3");
            nodes.append(2, 6, 6);
            nodes.awaitSeen(11);
        }

        @Test
        void is_named_to_those_who_rest_a_decision_on_what_is_shown() throws SQLException {
            leftOut();
            var progress = new ProgressWatch("witness", nodes.database.pool(), Duration.ofMillis(2));
            JournalPosition now = progress.position().toCompletableFuture().join();
            assertThat(progress.awaitPassed(now, Duration.ofSeconds(20))
                            .toCompletableFuture()
                            .join())
                    .isInstanceOfSatisfying(
                            Passage.Passed.class,
                            passed -> assertThat(passed.parked())
                                    .singleElement()
                                    .satisfies(entity -> {
                                        assertThat(entity.persistenceId()).isEqualTo("m|1");
                                        assertThat(entity.reason()).contains("ann", "known to be broken");
                                    }));
        }

        @Test
        void is_left_out_again_by_a_rebuild() throws SQLException {
            leftOut();
            accepted(nodes.orders.rebuild("witness", SOMEBODY));
            nodes.database.awaitObeyed();
            nodes.awaitSeen(9);
            await().untilAsserted(() -> assertThat(nodes.projections.skipped("witness", 10))
                    .singleElement()
                    .satisfies(skipped -> assertThat(skipped.leftOutAt()).isPresent()));
            assertThat(Witness.seen(nodes.database)).doesNotContain("m|1#3");
        }

        @Test
        void is_handled_by_a_rebuild_that_can() throws SQLException {
            leftOut();
            mended.set(true);
            accepted(nodes.orders.rebuild("witness", SOMEBODY));
            nodes.database.awaitObeyed();
            nodes.awaitSeen(10);
            nodes.assertEachOnceInOrder();
            assertThat(nodes.projections.skipped("witness", 10))
                    .singleElement()
                    .satisfies(skipped -> assertThat(skipped.leftOutAt()).isEqualTo(Optional.empty()));
        }

        @Test
        void is_handled_after_all_if_it_can_be() throws SQLException {
            mended.set(true);
            accepted(nodes.orders.skip("witness", "m|1", 3, SOMEBODY));
            nodes.awaitSeen(10);
            nodes.assertEachOnceInOrder();
        }

        @Test
        void must_be_the_one_the_entity_is_parked_at_and_needs_a_reason() throws SQLException {
            refused(nodes.orders.skip("witness", "m|1", 4, SOMEBODY), "parked at event 3");
            refused(nodes.orders.skip("witness", "m|0", 1, SOMEBODY), "m|0 is not parked");
            refused(nodes.orders.skip("witness", "m|1", 3, new OrderedBy("ann", " ")), "reason");
            assertThat(nodes.projections.skipped("witness", 10)).isEmpty();
        }

        @Test
        void that_the_handler_can_not_leave_out_stays_parked() throws SQLException {
            witness.refusesToLeaveOut();
            accepted(nodes.orders.skip("witness", "m|1", 3, SOMEBODY));
            await().untilAsserted(() -> assertThat(nodes.projections.parked("witness", 10))
                    .singleElement()
                    .satisfies(parked -> assertThat(parked.reason()).contains("can't be left out")));
            nodes.append(2, 6, 6);
            nodes.awaitSeen(8);
        }
    }

    @Test
    void a_list_says_how_each_projection_stands() throws SQLException {
        nodes.append(2, 1, 3);
        started();
        nodes.awaitSeen(6);
        assertThat(state()).satisfies(state -> {
            assertThat(state.name()).isEqualTo("witness");
            assertThat(state.exactlyOnce()).isTrue();
            assertThat(state.takesAgain()).isFalse();
            assertThat(state.ordered()).isEmpty();
            assertThat(state.reached().xid()).isPositive();
            assertThat(state.lag().events()).isZero();
            assertThat(state.parked()).isZero();
            assertThat(state.movedAt()).isPresent();
        });
        nodes.stopAll();
        accepted(nodes.orders.rebuild("witness", SOMEBODY));
        assertThat(state().ordered()).isEqualTo("rebuild");
    }
}
