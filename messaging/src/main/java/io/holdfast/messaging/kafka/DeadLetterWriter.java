package io.holdfast.messaging.kafka;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.messaging.event.Reading;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * Puts what can't be understood on the dead-letter topic of the topic it came from: key, headers and value as they were, with why and whence
 * in headers of their own. A value too large for that topic stays where it is, and only its place is told.
 */
final class DeadLetterWriter implements AutoCloseable {

    static final String REASON = "hf_dlq_reason";
    static final String DETAIL = "hf_dlq_detail";
    static final String TOPIC = "hf_dlq_topic";
    static final String PARTITION = "hf_dlq_partition";
    static final String OFFSET = "hf_dlq_offset";
    static final String AT = "hf_dlq_at";
    static final String LEFT_OUT = "hf_dlq_value_left_out";
    static final String OURS = "hf_dlq_";

    private static final Duration GOODBYE = Duration.ofSeconds(2);

    private final Producer<byte[], byte[]> producer;
    private final InstantSource clock;
    /** Sending may block while the broker's metadata are awaited. */
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("holdfast dead letters ", 0).factory());

    DeadLetterWriter(Clients clients, InstantSource clock) {
        this.producer = clients.forwarding();
        this.clock = clock;
    }

    /** True when it is safe on the dead-letter topic. Never completes exceptionally. */
    CompletionStage<Outcome<Boolean>> bury(ConsumerRecord<byte[], byte[]> record, Reading.Poison poison) {
        Instant now = clock.instant();
        return send(letter(record, poison, now, true))
                .thenCompose(failure -> failure.isPresent() && failure.get() instanceof RecordTooLargeException
                        ? send(letter(record, poison, now, false))
                        : CompletableFuture.completedFuture(failure))
                .thenApply(failure -> failure.<Outcome<Boolean>>map(thrown -> Outcome.unknown(thrown.toString()))
                        .orElseGet(() -> Outcome.known(true)));
    }

    /** How it failed, if it did. */
    private CompletionStage<Optional<Exception>> send(ProducerRecord<byte[], byte[]> record) {
        var answer = new CompletableFuture<Optional<Exception>>();
        threads.execute(() -> {
            try {
                producer.send(record, (_, failure) -> answer.complete(Optional.ofNullable(failure)));
            } catch (RuntimeException e) {
                answer.complete(Optional.of(e));
            }
        });
        return answer;
    }

    private static ProducerRecord<byte[], byte[]> letter(
            ConsumerRecord<byte[], byte[]> record, Reading.Poison poison, Instant now, boolean whole) {
        var headers = new RecordHeaders();
        for (Header header : record.headers()) {
            if (!header.key().startsWith(OURS)) {
                headers.add(header);
            }
        }
        Records.add(headers, REASON, poison.reason().name());
        Records.add(headers, DETAIL, poison.detail());
        Records.add(headers, TOPIC, record.topic());
        Records.add(headers, PARTITION, Integer.toString(record.partition()));
        Records.add(headers, OFFSET, Long.toString(record.offset()));
        Records.add(headers, AT, now.toString());
        if (!whole) {
            Records.add(headers, LEFT_OUT, "true");
        }
        return new ProducerRecord<>(
                TopicNames.deadLettersOf(record.topic()), null, record.key(), whole ? record.value() : null, headers);
    }

    @Override
    public void close() {
        producer.close(GOODBYE);
        threads.shutdownNow();
    }
}
