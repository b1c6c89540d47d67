package io.holdfast.messaging.kafka;

import io.holdfast.messaging.event.Channel;
import io.holdfast.messaging.event.EventReader;
import io.holdfast.messaging.event.RawEvent;
import io.holdfast.messaging.event.Reading;
import io.holdfast.messaging.in.EventHandling;
import io.holdfast.messaging.in.Lanes;
import io.holdfast.messaging.in.MessagingListener;
import io.holdfast.messaging.in.Persistence;
import io.holdfast.messaging.in.Whom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.pekko.Done;
import org.apache.pekko.NotUsed;
import org.apache.pekko.actor.ClassicActorSystemProvider;
import org.apache.pekko.kafka.CommitterSettings;
import org.apache.pekko.kafka.ConsumerMessage.Committable;
import org.apache.pekko.kafka.ConsumerMessage.CommittableMessage;
import org.apache.pekko.kafka.ConsumerSettings;
import org.apache.pekko.kafka.Subscriptions;
import org.apache.pekko.kafka.javadsl.Committer;
import org.apache.pekko.kafka.javadsl.Consumer;
import org.apache.pekko.stream.KillSwitches;
import org.apache.pekko.stream.RestartSettings;
import org.apache.pekko.stream.UniqueKillSwitch;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.RestartSource;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Consumes the events of the group's partitions that fall to this node. Of one key they are handled in order, of different keys at once; an
 * offset moves when everything before it is done with, hence in a journal, parked, or a dead letter. An event that can't be delivered now
 * holds up its own key, and its partition only once {@link KafkaSettings#buffer} later events are taken up. Whatever breaks, the stream
 * begins again where its offsets are.
 */
public final class EventConsumer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(EventConsumer.class);
    private static final int MOST_PARTITIONS = 10_000;
    private static final int COMMIT_AFTER = 500;
    private static final Duration COMMIT_EVERY = Duration.ofMillis(500);
    private static final Duration DRAIN = Duration.ofSeconds(5);
    private static final Duration RESTART_FIRST = Duration.ofMillis(500);
    private static final Duration RESTART_LONGEST = Duration.ofSeconds(15);

    private final ClassicActorSystemProvider system;
    private final KafkaSettings settings;
    private final Clients clients;
    private final EventReader reader;
    private final EventHandling handling;
    private final Persistence persistence;
    private final MessagingListener listener;
    private final DeadLetterWriter deadLetters;
    private final Lanes lanes = new Lanes();
    private volatile Optional<Consumer.Control> control = Optional.empty();
    private Optional<Running> running = Optional.empty();

    private record Running(UniqueKillSwitch stop, CompletionStage<Done> ended) {}

    /** @param persistence stopped when this is closed */
    public EventConsumer(
            ClassicActorSystemProvider system,
            KafkaSettings settings,
            EventReader reader,
            EventHandling handling,
            Persistence persistence,
            MessagingListener listener,
            InstantSource clock) {
        this.system = system;
        this.settings = settings;
        this.clients = new Clients(settings);
        this.reader = reader;
        this.handling = handling;
        this.persistence = persistence;
        this.listener = listener;
        this.deadLetters = new DeadLetterWriter(clients, clock);
    }

    /** Begins to consume. Once. */
    public synchronized void start() {
        var restarts = RestartSettings.create(RESTART_FIRST, RESTART_LONGEST, 0.2);
        var stream = RestartSource.onFailuresWithBackoff(restarts, this::consume)
                .viaMat(KillSwitches.single(), Keep.right())
                .toMat(Sink.ignore(), Keep.both())
                .run(system);
        running = Optional.of(new Running(stream.first(), stream.second()));
    }

    private Source<Done, NotUsed> consume() {
        return Consumer.committablePartitionedSource(
                        consumerSettings(),
                        Subscriptions.topics(settings.topics().in().toArray(String[]::new))
                                .withPartitionAssignmentHandler(new Positions(listener)))
                .mapMaterializedValue(current -> {
                    control = Optional.of(current);
                    return NotUsed.getInstance();
                })
                .flatMapMerge(MOST_PARTITIONS, partition -> partition.second().mapAsync(settings.buffer(), this::take))
                .via(Committer.flow(CommitterSettings.create(system)
                        .withMaxBatch(COMMIT_AFTER)
                        .withMaxInterval(COMMIT_EVERY)))
                .mapError(Throwable.class, failure -> {
                    listener.broke("consuming", failure);
                    return failure;
                });
    }

    private ConsumerSettings<byte[], byte[]> consumerSettings() {
        ConsumerSettings<byte[], byte[]> created = ConsumerSettings.create(
                        system, new ByteArrayDeserializer(), new ByteArrayDeserializer())
                // With a drain of our own; otherwise every stop would wait for this.
                .withStopTimeout(Duration.ZERO);
        for (Map.Entry<String, String> property : clients.consuming().entrySet()) {
            created = created.withProperty(property.getKey(), property.getValue());
        }
        return created;
    }

    /** Completes when the event is done with. */
    private CompletionStage<Committable> take(CommittableMessage<byte[], byte[]> message) {
        ConsumerRecord<byte[], byte[]> record = message.record();
        Channel channel = settings.topics().channel(record.topic()).orElseThrow();
        RawEvent raw = Records.raw(channel, record);
        return handled(raw, record).thenApply(_ -> {
            listener.handled(record.topic());
            return message.committableOffset();
        });
    }

    private CompletionStage<?> handled(RawEvent raw, ConsumerRecord<byte[], byte[]> record) {
        return switch (reader.read(raw)) {
            case Reading.Understood(var announcement) ->
                lanes.run(raw.channel() + announcement.key(), () -> handling.handle(raw, announcement));
            case Reading.Ignored(String type) -> {
                listener.ignored(type);
                yield CompletableFuture.completedFuture(type);
            }
            case Reading.Poison poison ->
                persistence
                        .insist(Whom.DEAD_LETTERS, () -> deadLetters.bury(record, poison))
                        .thenAccept(_ -> listener.buried(raw, poison.reason(), poison.detail()));
        };
    }

    /** Takes no more, lets what was taken end for a few seconds, commits, and leaves the group. */
    @Override
    public synchronized void close() {
        running.ifPresent(stream -> {
            try {
                CompletableFuture<Done> ended = stream.ended().toCompletableFuture();
                control.ifPresent(Consumer.Control::stop);
                try {
                    ended.copy().get(DRAIN.toMillis(), TimeUnit.MILLISECONDS);
                } catch (TimeoutException | ExecutionException e) {
                    LOG.info("events that are not done with are left to another node");
                }
                persistence.stop();
                stream.stop().shutdown();
                control.ifPresent(Consumer.Control::shutdown);
                ended.copy().exceptionally(_ -> Done.getInstance()).get(DRAIN.toMillis(), TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (TimeoutException | ExecutionException e) {
                LOG.warn("the stream of events did not end in time");
            }
        });
        running = Optional.empty();
        persistence.stop();
        deadLetters.close();
    }
}
