package io.holdfast.messaging.kafka;

import io.holdfast.messaging.event.Channel;
import io.holdfast.messaging.event.EventReader;
import io.holdfast.messaging.event.RawEvent;
import io.holdfast.messaging.event.Reading;
import io.holdfast.messaging.in.EventHandling;
import io.holdfast.messaging.in.Lanes;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a topic of events again from an earlier position, up to where it ended when the run began, and delivers each event on the usual way.
 * What was delivered before is a repeat. No offset of the group moves, and what can't be understood is passed over: it is a dead letter
 * already.
 *
 * <p>Runs are of this node and are forgotten with it; a run that was broken off is begun again.
 */
public final class EventReplays implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(EventReplays.class);
    private static final Duration POLL = Duration.ofMillis(500);
    private static final int MOST_RUNNING = 2;
    private static final int REMEMBERED = 20;

    private final KafkaSettings settings;
    private final Clients clients;
    private final EventReader reader;
    private final EventHandling handling;
    private final InstantSource clock;
    private final Supplier<String> ids;
    private final Map<String, EventReplay> runs = new LinkedHashMap<>();
    private volatile boolean closed;
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("holdfast replay ", 0).factory());

    /** @param ids makes ids of runs */
    public EventReplays(
            KafkaSettings settings,
            EventReader reader,
            EventHandling handling,
            InstantSource clock,
            Supplier<String> ids) {
        this.settings = settings;
        this.clients = new Clients(settings);
        this.reader = reader;
        this.handling = handling;
        this.clock = clock;
        this.ids = ids;
    }

    /**
     * Begins a run.
     *
     * @return how it stands; empty when too many run already
     * @throws IllegalArgumentException if the topic is none of those that are read
     */
    public Optional<EventReplay> start(String topic, EventReplay.From from) {
        Channel channel = settings.topics()
                .channel(topic)
                .orElseThrow(() -> new IllegalArgumentException(
                        "events are read from " + settings.topics().in() + ", but not from " + topic));
        EventReplay run;
        synchronized (runs) {
            if (runs.values().stream()
                            .filter(one -> one.state() == EventReplay.State.RUNNING)
                            .count()
                    >= MOST_RUNNING) {
                return Optional.empty();
            }
            run = new EventReplay(
                    ids.get(),
                    topic,
                    from,
                    EventReplay.State.RUNNING,
                    0,
                    0,
                    0,
                    0,
                    0,
                    clock.instant(),
                    Optional.empty());
            runs.put(run.id(), run);
            runs.values().stream()
                    .filter(one -> one.state() != EventReplay.State.RUNNING)
                    .map(EventReplay::id)
                    .limit(Math.max(0, runs.size() - REMEMBERED))
                    .toList()
                    .forEach(runs::remove);
        }
        threads.execute(() -> run(channel, run));
        return Optional.of(run);
    }

    /** How a run stands. */
    public Optional<EventReplay> find(String id) {
        synchronized (runs) {
            return Optional.ofNullable(runs.get(id));
        }
    }

    /** Runs of this node, the latest last. */
    public List<EventReplay> all() {
        synchronized (runs) {
            return List.copyOf(runs.values());
        }
    }

    private void run(Channel channel, EventReplay run) {
        try (var consumer = clients.reader(settings.group() + ".replay")) {
            Map<TopicPartition, Long> ends = seek(consumer, run);
            long total = 0;
            for (var end : ends.entrySet()) {
                total += end.getValue() - consumer.position(end.getKey());
            }
            long known = total;
            update(run.id(), now -> with(now, EventReplay.State.RUNNING, 0, known, 0, 0, 0, Optional.empty()));
            feed(channel, run.id(), consumer, ends);
            update(run.id(), now -> with(now, EventReplay.State.DONE, 0, 0, 0, 0, 0, Optional.empty()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            update(run.id(), now -> failed(now, "the node stopped"));
        } catch (ExecutionException | RuntimeException e) {
            if (!closed) {
                LOG.warn("replay {} of {} failed", run.id(), run.topic(), e);
            }
            update(run.id(), now -> failed(now, String.valueOf(e.getMessage())));
        }
    }

    /** Puts the consumer where the run begins, and says where it ends. */
    private static Map<TopicPartition, Long> seek(Consumer<byte[], byte[]> consumer, EventReplay run) {
        List<Stretch> stretches = Stretch.of(consumer, run.topic()).stream()
                .filter(stretch -> switch (run.from()) {
                    case EventReplay.From.Time _ -> true;
                    case EventReplay.From.Offset(Optional<Integer> only, var _) ->
                        only.isEmpty() || only.get() == stretch.partition().partition();
                })
                .toList();
        if (stretches.isEmpty()) {
            throw new IllegalArgumentException(run.topic() + " has no such partition");
        }
        consumer.assign(stretches.stream().map(Stretch::partition).toList());
        switch (run.from()) {
            case EventReplay.From.Time(var at) -> {
                var found = consumer.offsetsForTimes(
                        stretches.stream().collect(Collectors.toMap(Stretch::partition, _ -> at.toEpochMilli())));
                stretches.forEach(stretch -> {
                    var position = found.get(stretch.partition());
                    consumer.seek(stretch.partition(), position == null ? stretch.end() : position.offset());
                });
            }
            case EventReplay.From.Offset(var _, long offset) ->
                stretches.forEach(stretch -> consumer.seek(
                        stretch.partition(),
                        Math.clamp(offset, stretch.begin(), Math.max(stretch.begin(), stretch.end()))));
        }
        return stretches.stream().collect(Collectors.toMap(Stretch::partition, Stretch::end));
    }

    /** At most so many events are under way; of one key they are in order. */
    private void feed(Channel channel, String id, Consumer<byte[], byte[]> consumer, Map<TopicPartition, Long> ends)
            throws InterruptedException, ExecutionException {
        var lanes = new Lanes();
        Deque<CompletableFuture<?>> underWay = new ArrayDeque<>();
        Map<TopicPartition, Long> left = new HashMap<>(ends);
        while (!closed) {
            left.entrySet().removeIf(end -> consumer.position(end.getKey()) >= end.getValue());
            if (left.isEmpty()) {
                break;
            }
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                Long end = ends.get(new TopicPartition(record.topic(), record.partition()));
                if (end != null && record.offset() < end) {
                    underWay.add(feed(channel, id, lanes, record));
                }
                while (underWay.size() >= settings.buffer()) {
                    underWay.remove().get();
                }
            }
        }
        while (!underWay.isEmpty() && !closed) {
            underWay.remove().get();
        }
        if (closed) {
            throw new IllegalStateException("the node stops");
        }
    }

    private CompletableFuture<?> feed(Channel channel, String id, Lanes lanes, ConsumerRecord<byte[], byte[]> record) {
        RawEvent raw = Records.raw(channel, record);
        return switch (reader.read(raw)) {
            case Reading.Understood(var announcement) ->
                lanes.run(announcement.key(), () -> handling.handle(raw, announcement))
                        .thenAccept(ending -> update(id, now -> switch (ending) {
                            case EventHandling.Ending.Delivered _ ->
                                with(now, now.state(), 1, 0, 1, 0, 0, Optional.empty());
                            case EventHandling.Ending.Parked _ ->
                                with(now, now.state(), 1, 0, 0, 1, 0, Optional.empty());
                        }))
                        .toCompletableFuture();
            case Reading.Ignored _, Reading.Poison _ -> {
                update(id, now -> with(now, now.state(), 1, 0, 0, 0, 1, Optional.empty()));
                yield CompletableFuture.completedFuture(null);
            }
        };
    }

    private void update(String id, UnaryOperator<EventReplay> change) {
        synchronized (runs) {
            runs.computeIfPresent(id, (_, now) -> change.apply(now));
        }
    }

    private static EventReplay failed(EventReplay now, String why) {
        return with(now, EventReplay.State.FAILED, 0, 0, 0, 0, 0, Optional.of(why));
    }

    /** The same, further on by so much. */
    private static EventReplay with(
            EventReplay now,
            EventReplay.State state,
            long read,
            long total,
            long delivered,
            long parked,
            long passedOver,
            Optional<String> trouble) {
        return new EventReplay(
                now.id(),
                now.topic(),
                now.from(),
                state,
                now.read() + read,
                now.total() + total,
                now.delivered() + delivered,
                now.parked() + parked,
                now.passedOver() + passedOver,
                now.startedAt(),
                trouble);
    }

    /** Runs end at their next event; Kafka's client does not take interrupts well. */
    @Override
    public void close() {
        closed = true;
        threads.shutdown();
    }
}
