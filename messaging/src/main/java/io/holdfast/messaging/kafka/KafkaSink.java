package io.holdfast.messaging.kafka;

import io.holdfast.messaging.out.MessageSink;
import io.holdfast.messaging.out.OutgoingMessage;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends messages to Kafka, acknowledged by all replicas in sync. Begins with a new producer after one that broke. */
public final class KafkaSink implements MessageSink, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(KafkaSink.class);
    private static final Duration GOODBYE = Duration.ofSeconds(2);

    private final KafkaSettings settings;
    private final Clients clients;
    private Producer<byte[], byte[]> producer;
    private boolean broken;
    private boolean closed;

    /** Connects when the first message is sent. */
    public KafkaSink(KafkaSettings settings) {
        this.settings = settings;
        this.clients = new Clients(settings);
        this.producer = clients.publishing();
    }

    @Override
    public CompletableFuture<Void> send(OutgoingMessage message) {
        var answer = new CompletableFuture<Void>();
        var record = Records.of(message, settings.topics().of(message.topic()), settings.source());
        try {
            Producer<byte[], byte[]> current = current();
            current.send(record, (_, failure) -> {
                if (failure == null) {
                    answer.complete(null);
                } else {
                    answer.completeExceptionally(judged(current, message, failure));
                }
            });
        } catch (RuntimeException e) {
            answer.completeExceptionally(e);
        }
        return answer;
    }

    private synchronized Producer<byte[], byte[]> current() {
        if (closed) {
            throw new IllegalStateException("closed");
        }
        if (broken) {
            producer.close(Duration.ZERO);
            producer = clients.publishing();
            broken = false;
        }
        return producer;
    }

    private RuntimeException judged(Producer<byte[], byte[]> from, OutgoingMessage message, Exception failure) {
        if (failure instanceof RecordTooLargeException) {
            return new Undeliverable(message.id() + " is larger than the broker takes", failure);
        }
        if (!(failure instanceof RetriableException)) {
            LOG.warn("the producer begins anew: {}", failure.toString());
            synchronized (this) {
                broken |= from == producer;
            }
        }
        return failure instanceof RuntimeException known ? known : new KafkaException(failure);
    }

    /** What is not acknowledged yet is dropped: the journal has it, and the next publisher sends it. */
    @Override
    public void close() {
        Producer<byte[], byte[]> last;
        synchronized (this) {
            closed = true;
            last = producer;
        }
        last.close(GOODBYE);
    }
}
