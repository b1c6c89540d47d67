package io.holdfast.messaging.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.messaging.out.MessageSink;
import io.holdfast.messaging.out.MessageSink.Undeliverable;
import io.holdfast.messaging.out.OutTopic;
import io.holdfast.messaging.out.OutgoingMessage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** What whoever publishes relies on: order within a key, nothing behind a failure, and the same message however often it is sent. */
@DisplayNameGeneration(ReplaceUnderscores.class)
public abstract class MessageSinkConformance {

    private static final String KEY = "order-1";

    /** As the other side has it. */
    public record Arrived(String id, String key, Map<String, String> headers, String data) {}

    /** The sink; nothing was sent by it yet. */
    protected abstract MessageSink sink();

    /** A length of data that the other side does not take in one message; the sink does not know that before it sends. */
    protected abstract int tooLong();

    /** Waits until an answer is there, whatever it is. */
    protected abstract void awaitDone(CompletableFuture<Void> answer);

    /** Everything of a topic that has arrived, by key in the order in which it came. */
    protected abstract List<Arrived> arrived(OutTopic topic);

    private static OutgoingMessage message(OutTopic topic, String key, int number, String note) {
        return new OutgoingMessage(
                topic,
                "reservation|0123456789abcdef0123456789abcdef#" + number,
                "InventoryEventContradicted",
                key,
                "0123456789abcdef0123456789abcdef",
                number,
                Instant.parse("2026-07-25T12:30:00.123456Z"),
                Optional.of("0af7651916cd43dd8448eb211c80319c"),
                Map.of("note", note));
    }

    private static OutgoingMessage message(int number) {
        return message(OutTopic.LIFECYCLE, KEY, number, "n-" + number);
    }

    private List<CompletableFuture<Void>> sent(MessageSink.Run run, List<OutgoingMessage> messages) {
        List<CompletableFuture<Void>> answers = messages.stream().map(run::send).toList();
        answers.forEach(this::awaitDone);
        return answers;
    }

    private static List<OutgoingMessage> messages(int from, int to) {
        return IntStream.rangeClosed(from, to)
                .mapToObj(MessageSinkConformance::message)
                .toList();
    }

    private List<String> ids(String key) {
        return arrived(OutTopic.LIFECYCLE).stream()
                .filter(each -> each.key().equals(key))
                .map(Arrived::id)
                .toList();
    }

    private static List<String> idsOf(List<OutgoingMessage> messages) {
        return messages.stream().map(OutgoingMessage::id).toList();
    }

    @Test
    void what_is_given_one_after_the_other_arrives_in_that_order_without_waiting_for_answers() {
        List<OutgoingMessage> messages = messages(1, 30);

        assertThat(sent(sink().begin(), messages))
                .allSatisfy(answer -> assertThat(answer).isCompleted());

        assertThat(ids(KEY)).isEqualTo(idsOf(messages));
    }

    @Test
    void keys_are_apart_and_topics_too() {
        MessageSink.Run run = sink().begin();
        List<OutgoingMessage> all = new ArrayList<>();
        for (int i = 1; i <= 12; i++) {
            all.add(message(OutTopic.LIFECYCLE, "order-" + i % 3, i, "n"));
            all.add(message(OutTopic.ORDERS, "order-" + i % 3, i + 100, "n"));
        }

        sent(run, all);

        for (int i = 0; i < 3; i++) {
            String key = "order-" + i;
            assertThat(ids(key))
                    .isEqualTo(idsOf(all.stream()
                            .filter(message -> message.topic() == OutTopic.LIFECYCLE
                                    && message.key().equals(key))
                            .toList()));
        }
        assertThat(arrived(OutTopic.ORDERS)).hasSize(12);
    }

    @Test
    void what_is_sent_again_is_the_same_message() {
        sent(sink().begin(), messages(1, 1));
        sent(sink().begin(), messages(1, 1));

        List<Arrived> arrived = arrived(OutTopic.LIFECYCLE);
        assertThat(arrived).hasSize(2);
        assertThat(arrived.get(1)).isEqualTo(arrived.get(0));
        assertThat(arrived.getFirst().headers())
                .containsEntry("ce_id", message(1).id())
                .containsEntry("ce_sequence", "1");
        assertThat(arrived.getFirst().data()).contains("n-1");
    }

    @Test
    void nothing_behind_a_message_that_is_not_taken_arrives_before_a_new_run() {
        MessageSink.Run run = sink().begin();
        List<OutgoingMessage> messages = new ArrayList<>(messages(1, 60));
        messages.set(3, message(OutTopic.LIFECYCLE, KEY, 4, "x".repeat(tooLong())));

        List<CompletableFuture<Void>> answers = sent(run, messages);

        assertThat(answers.subList(0, 3))
                .allSatisfy(answer -> assertThat(answer).isCompleted());
        assertThat(whyFailed(answers.get(3))).isInstanceOf(Undeliverable.class);
        assertThat(answers.subList(4, 60))
                .allSatisfy(answer -> assertThat(answer).isCompletedExceptionally());
        assertThat(run.send(message(61))).isCompletedExceptionally();
        assertThat(ids(KEY)).isEqualTo(idsOf(messages(1, 3)));

        sent(sink().begin(), messages(5, 7));
        assertThat(ids(KEY))
                .isEqualTo(Stream.concat(idsOf(messages(1, 3)).stream(), idsOf(messages(5, 7)).stream())
                        .toList());
    }

    @Test
    void a_run_that_is_abandoned_takes_nothing_more_and_what_was_under_way_is_the_first_of_it() {
        MessageSink.Run run = sink().begin();
        List<OutgoingMessage> messages = messages(1, 20);
        List<CompletableFuture<Void>> answers = messages.stream().map(run::send).toList();
        run.abandon();
        run.abandon();
        answers.forEach(this::awaitDone);

        CompletableFuture<Void> after = run.send(message(21));
        awaitDone(after);

        assertThat(after).isCompletedExceptionally();
        sent(sink().begin(), List.of(message(OutTopic.LIFECYCLE, "another", 22, "n")));
        List<String> came = ids(KEY);
        assertThat(came).isEqualTo(idsOf(messages).subList(0, came.size()));
        assertThat(ids("another")).hasSize(1);
    }

    private static Throwable whyFailed(CompletableFuture<Void> answer) {
        try {
            answer.get();
        } catch (ExecutionException e) {
            return e.getCause();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new AssertionError("it did not fail");
    }
}
