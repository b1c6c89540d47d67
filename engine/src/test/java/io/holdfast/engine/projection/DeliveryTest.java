package io.holdfast.engine.projection;

import static io.holdfast.engine.projection.RunningNodes.SOMEBODY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.engine.effect.Backoff;
import io.holdfast.localstack.SharedStack;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** What a projection promises that delivers to the outside: everything at least once, and the events of an entity in order. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class DeliveryTest {

    private final Mailbox mailbox = new Mailbox();
    private RunningNodes nodes;

    @BeforeEach
    void begin() {
        nodes = new RunningNodes(JournalDatabase.on(SharedStack.postgres()));
    }

    @AfterEach
    void end() {
        nodes.close();
    }

    private void awaitReceived(int distinctEvents) {
        await().untilAsserted(() -> assertThat(mailbox.distinct()).hasSize(distinctEvents));
    }

    /** All of the journal, and no event before an earlier one of its entity. */
    private void assertAllInOrder() throws SQLException {
        assertThat(mailbox.distinct())
                .containsExactlyInAnyOrderElementsOf(
                        nodes.database.query("select persistence_id || '#' || sequence_number from event_journal"));
        Map<String, Integer> last = new HashMap<>();
        for (String event : mailbox.distinct()) {
            String entity = event.substring(0, event.indexOf('#'));
            int number = Integer.parseInt(event.substring(event.indexOf('#') + 1));
            assertThat(number).as("event after the last of %s", entity).isEqualTo(last.getOrDefault(entity, 0) + 1);
            last.put(entity, number);
        }
    }

    private long behind() throws SQLException {
        return nodes.projections.lag("mailbox").events();
    }

    @Test
    void everything_is_delivered_in_batches_and_once_while_nothing_goes_wrong() throws SQLException {
        nodes.append(7, 1, 10);
        nodes.start(mailbox, 16);
        awaitReceived(70);
        nodes.append(7, 11, 12);
        awaitReceived(84);
        assertAllInOrder();
        assertThat(mailbox.received()).doesNotHaveDuplicates();
        await().until(() -> behind() == 0);
    }

    @Test
    void the_offset_waits_for_the_acknowledgement_and_so_does_the_next_batch() throws SQLException {
        CompletableFuture<Delivery> acknowledgement = new CompletableFuture<>();
        mailbox.answers(rows -> acknowledgement);
        nodes.append(1, 1, 10);
        nodes.start(mailbox, 4);
        await().until(() -> mailbox.batches() == 1);
        assertThat(behind()).isEqualTo(10);
        acknowledgement.complete(Delivery.COMPLETE);
        awaitReceived(10);
        assertThat(mailbox.batches()).isEqualTo(3);
        await().until(() -> behind() == 0);
    }

    @Test
    void a_failed_acknowledgement_parks_nobody_and_the_same_events_come_again() throws SQLException {
        AtomicInteger failures = new AtomicInteger(3);
        mailbox.answers(rows -> failures.getAndDecrement() > 0
                ? CompletableFuture.failedFuture(new IOException("nobody there"))
                : CompletableFuture.completedFuture(Delivery.COMPLETE));
        nodes.append(3, 1, 3);
        ProjectionRunner runner = nodes.start(mailbox, 100);
        awaitReceived(9);
        assertAllInOrder();
        assertThat(mailbox.batches()).isEqualTo(4);
        assertThat(nodes.projections.parked("mailbox", 10)).isEmpty();
        await().until(() -> runner.trouble().isEmpty());
    }

    @Test
    void a_handler_that_throws_is_asked_again() throws SQLException {
        AtomicInteger failures = new AtomicInteger(2);
        mailbox.answers(rows -> {
            if (failures.getAndDecrement() > 0) {
                throw new IllegalStateException("not even begun");
            }
            return CompletableFuture.completedFuture(Delivery.COMPLETE);
        });
        nodes.append(1, 1, 3);
        nodes.start(mailbox, 100);
        awaitReceived(3);
        assertThat(nodes.projections.parked("mailbox", 10)).isEmpty();
    }

    @Test
    void an_other_side_too_slow_for_a_whole_batch_is_given_less_until_it_gets_on() throws SQLException {
        mailbox.answers(rows -> rows.size() > 5
                ? CompletableFuture.failedFuture(new IOException("not done in time"))
                : CompletableFuture.completedFuture(Delivery.COMPLETE));
        nodes.append(4, 1, 20);
        nodes.start(mailbox, 40);
        awaitReceived(80);
        assertAllInOrder();
        await().until(() -> behind() == 0);
    }

    @Test
    void an_acknowledgement_that_never_comes_is_not_waited_for_for_ever() throws SQLException {
        AtomicInteger silent = new AtomicInteger(2);
        mailbox.answers(rows -> silent.getAndDecrement() > 0
                ? new CompletableFuture<>()
                : CompletableFuture.completedFuture(Delivery.COMPLETE));
        nodes.append(2, 1, 3);
        nodes.start(
                mailbox,
                new ProjectionSettings(
                        100,
                        Duration.ofMillis(1),
                        Duration.ofMillis(5),
                        1,
                        2,
                        10,
                        new Backoff(Duration.ofHours(1), Duration.ofHours(1), 1, 0),
                        Duration.ofMillis(1300)), // longer than the session goes unchecked
                ProjectionListener.NONE);
        awaitReceived(6);
        assertThat(mailbox.batches()).isEqualTo(3);
    }

    @Test
    void a_node_that_dies_between_acknowledgement_and_offset_repeats_and_leaves_nothing_out() throws SQLException {
        AtomicInteger deaths = new AtomicInteger(3);
        mailbox.answers(rows -> {
            if (deaths.getAndDecrement() > 0) {
                cutSessions();
            }
            return CompletableFuture.completedFuture(Delivery.COMPLETE);
        });
        nodes.append(4, 1, 10);
        nodes.start(mailbox, 15);
        await().untilAsserted(() -> assertThat(behind()).isZero());
        assertAllInOrder();
        assertThat(mailbox.received())
                .as("each portion that was repeated was half of the one before")
                .hasSize(40 + 15 + 7 + 3);
    }

    private void cutSessions() {
        try {
            nodes.cutSessions("mailbox");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void whatever_acknowledgements_do_and_nodes_suffer_nothing_is_missing_and_order_holds() throws Exception {
        Random random = new Random(42);
        mailbox.answers(rows -> {
            int chance;
            synchronized (random) {
                chance = random.nextInt(10);
            }
            return switch (chance) {
                case 0 -> CompletableFuture.failedFuture(new IOException("refused"));
                case 1 -> {
                    mailbox.arrived(rows.subList(0, rows.size() / 2)); // and the rest not
                    yield CompletableFuture.failedFuture(new IOException("lost"));
                }
                case 2 -> {
                    cutSessions();
                    yield CompletableFuture.completedFuture(Delivery.COMPLETE);
                }
                default -> CompletableFuture.supplyAsync(() -> Delivery.COMPLETE);
            };
        });
        nodes.start(mailbox, 20);
        nodes.start(mailbox, 20);
        nodes.append(20, 1, 30);
        await().untilAsserted(() -> assertThat(behind()).isZero());
        assertAllInOrder();
        assertThat(nodes.projections.parked("mailbox", 10)).isEmpty();
    }

    @Test
    void a_refused_event_stops_its_entity_and_not_its_slice_until_it_is_taken() throws SQLException {
        AtomicBoolean mended = new AtomicBoolean();
        refuse("m|1#3", mended);
        nodes.append(3, 1, 5);
        nodes.start(mailbox, 100);
        awaitReceived(2 + 5 + 5);
        assertThat(nodes.projections.parked("mailbox", 10)).singleElement().satisfies(parked -> {
            assertThat(parked.persistenceId()).isEqualTo("m|1");
            assertThat(parked.sequenceNumber()).isEqualTo(3);
            assertThat(parked.reason()).isEqualTo("too large");
        });
        nodes.append(3, 6, 6);
        awaitReceived(14);
        mended.set(true);
        assertThat(nodes.orders.retry("mailbox", "m|1", SOMEBODY)).isInstanceOf(Ordered.Accepted.class);
        awaitReceived(18);
        assertAllInOrder();
        await().untilAsserted(() ->
                assertThat(nodes.projections.parked("mailbox", 10)).isEmpty());
        nodes.append(3, 7, 7);
        awaitReceived(21);
        assertAllInOrder();
        assertThat(mailbox.received()).doesNotHaveDuplicates();
    }

    private void refuse(String eventId, AtomicBoolean mended) {
        mailbox.answers(rows -> CompletableFuture.completedFuture(new Delivery(rows.stream()
                .filter(row -> !mended.get() && row.eventId().equals(eventId))
                .map(row -> new Delivery.Refused(row, "too large"))
                .toList())));
    }

    @Test
    void a_refused_event_can_be_left_out() throws SQLException {
        refuse("m|1#3", new AtomicBoolean());
        nodes.append(2, 1, 5);
        nodes.start(mailbox, 100);
        awaitReceived(7);
        await().until(() -> nodes.projections.parkedCount("mailbox") == 1);
        assertThat(nodes.orders.skip("mailbox", "m|1", 3, SOMEBODY)).isInstanceOf(Ordered.Accepted.class);
        awaitReceived(9);
        assertThat(mailbox.distinct()).doesNotContain("m|1#3").contains("m|1#4", "m|1#5");
        await().until(() -> nodes.projections.parkedCount("mailbox") == 0);
    }

    @Test
    void when_too_many_are_refused_it_stops_and_goes_on_once_they_are_taken() throws SQLException {
        AtomicBoolean mended = new AtomicBoolean();
        mailbox.answers(rows -> CompletableFuture.completedFuture(new Delivery(rows.stream()
                .filter(row -> !mended.get())
                .map(row -> new Delivery.Refused(row, "nothing is taken"))
                .toList())));
        nodes.append(20, 1, 1);
        ProjectionRunner runner = nodes.start(mailbox, 100);
        await().untilAsserted(() -> assertThat(runner.trouble())
                .hasValueSatisfying(why -> assertThat(why).contains("its limit", "nothing is taken")));
        assertThat(nodes.projections.parked("mailbox", 100)).hasSize(10);
        mended.set(true);
        awaitReceived(10);
        for (ParkedEntity parked : nodes.projections.parked("mailbox", 100)) {
            nodes.orders.retry("mailbox", parked.persistenceId(), SOMEBODY);
        }
        awaitReceived(20);
        assertAllInOrder();
    }

    @Test
    void an_answer_about_events_that_were_not_given_is_an_error() throws SQLException {
        AtomicBoolean first = new AtomicBoolean(true);
        JournalRow stranger = new JournalRow("m|x", 1, 1, 1, "", new byte[0]);
        mailbox.answers(rows -> CompletableFuture.completedFuture(
                first.getAndSet(false)
                        ? new Delivery(List.of(new Delivery.Refused(stranger, "?")))
                        : Delivery.COMPLETE));
        nodes.append(1, 1, 1);
        nodes.start(mailbox, 100);
        await().until(() -> mailbox.batches() >= 2);
        await().until(() -> behind() == 0);
        assertThat(nodes.projections.parkedCount("mailbox")).isZero();
    }

    @Test
    void set_back_it_delivers_again() throws SQLException {
        nodes.append(2, 1, 3);
        nodes.start(mailbox, 100);
        awaitReceived(6);
        await().until(() -> behind() == 0);
        assertThat(nodes.orders.rewind("mailbox", new JournalPosition(0), SOMEBODY))
                .isInstanceOf(Ordered.Accepted.class);
        await().until(() -> mailbox.received().size() == 12);
        await().until(() -> behind() == 0);
        assertThat(nodes.orders.rebuild("mailbox", SOMEBODY)).isInstanceOf(Ordered.Accepted.class);
        await().until(() -> mailbox.received().size() == 18);
        assertAllInOrder();
    }
}
