package io.holdfast.messaging.kafka;

import io.holdfast.messaging.out.MessageSink;
import io.holdfast.messaging.out.OutgoingMessage;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends messages to Kafka, acknowledged by all replicas in sync.
 *
 * <p>The producer keeps the order of a partition while nothing fails, and would go on with the next message when one does. So it is ended
 * where the first failure is told, which is before it sends anything more: the next run has a new one. It has one request at a time under
 * way to a broker, so none that follows the failed one is on its way either.
 */
public final class KafkaSink implements MessageSink, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(KafkaSink.class);
    private static final Duration GOODBYE = Duration.ofSeconds(2);

    private final KafkaSettings settings;
    private final Clients clients;
    /** Null when the last one was ended. Taken away without a lock: the producer's own thread, which others wait for, must never wait. */
    private final AtomicReference<@Nullable Producer<byte[], byte[]>> current;

    private boolean closed;

    /**
     * Connects when the first message is sent.
     *
     * @throws KafkaException if no producer can be made of the settings
     */
    public KafkaSink(KafkaSettings settings) {
        this.settings = settings;
        this.clients = new Clients(settings);
        this.current = new AtomicReference<>(clients.publishing());
    }

    @Override
    public synchronized Run begin() {
        if (closed) {
            throw new IllegalStateException("closed");
        }
        Producer<byte[], byte[]> producer = current.get();
        if (producer == null) {
            producer = clients.publishing();
            current.set(producer);
        }
        return new OneProducer(producer);
    }

    /** Lasts as long as its producer. */
    private final class OneProducer implements Run {

        private final Producer<byte[], byte[]> producer;

        private OneProducer(Producer<byte[], byte[]> producer) {
            this.producer = producer;
        }

        @Override
        public CompletableFuture<Void> send(OutgoingMessage message) {
            var answer = new CompletableFuture<Void>();
            var record = Records.of(message, settings.topics().of(message.topic()), settings.source());
            Thread caller = Thread.currentThread();
            try {
                producer.send(record, (_, failure) -> {
                    if (failure == null) {
                        answer.complete(null);
                    } else {
                        answer.completeExceptionally(judged(message, failure, Thread.currentThread() == caller));
                    }
                });
            } catch (RuntimeException e) { // it was ended meanwhile, or does not take this one
                end(e);
                answer.completeExceptionally(e);
            }
            return answer;
        }

        private RuntimeException judged(OutgoingMessage message, Exception failure, boolean atOnce) {
            boolean tooLarge = failure instanceof RecordTooLargeException;
            if (!tooLarge || !atOnce) {
                end(failure);
            }
            if (tooLarge) {
                return new Undeliverable(message.id() + " is larger than the broker takes", failure);
            }
            return failure instanceof RuntimeException known ? known : new KafkaException(failure);
        }

        private void end(Exception failure) {
            if (current.compareAndSet(producer, null)) {
                LOG.warn("the producer begins anew: {}", failure.toString());
                closeNow(producer);
            }
        }

        @Override
        public void abandon() {
            if (current.compareAndSet(producer, null)) {
                LOG.warn("the producer begins anew: what it was given takes too long");
                Thread.startVirtualThread(() -> closeNow(producer));
            }
        }
    }

    /** It sends nothing more, whether it can be closed cleanly or not. */
    private static void closeNow(Producer<byte[], byte[]> producer) {
        try {
            producer.close(Duration.ZERO);
        } catch (KafkaException e) {
            LOG.warn("a producer was not closed cleanly: {}", e.toString());
        }
    }

    /** What is not acknowledged yet is dropped: the journal has it, and the next publisher sends it. */
    @Override
    public void close() {
        Producer<byte[], byte[]> last;
        synchronized (this) {
            closed = true;
            last = current.getAndSet(null);
        }
        if (last != null) {
            last.close(GOODBYE);
        }
    }
}
