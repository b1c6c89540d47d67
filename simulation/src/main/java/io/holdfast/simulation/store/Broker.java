package io.holdfast.simulation.store;

import io.holdfast.messaging.event.Channel;
import io.holdfast.messaging.event.EventReader;
import io.holdfast.messaging.event.RawEvent;
import io.holdfast.messaging.event.Reading;
import io.holdfast.messaging.in.EventHandling;
import io.holdfast.messaging.in.Persistence;
import io.holdfast.messaging.kafka.Records;
import io.holdfast.messaging.out.MessageSink;
import io.holdfast.messaging.out.OutTopic;
import io.holdfast.messaging.out.OutgoingMessage;
import io.holdfast.order.port.RequestBacklog;
import io.holdfast.reconciliation.Run;
import io.holdfast.testkit.simulation.World;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Kafka as the fleet sees it: topics of partitions, records as their bytes, and one consumer group. What is sent may arrive twice or without
 * an answer; what was read is read again after every rebalance, while whoever read it first still works on it.
 */
public final class Broker implements MessageSink, RequestBacklog {

    private static final int PARTITIONS = 3;
    /** What it takes, and what is read, in bytes. */
    public static final int LARGEST = 64 * 1024;

    private static final String SOURCE = "/holdfast";
    private static final Duration QUICK = Duration.ofMillis(1);
    private static final Duration HOP = Duration.ofMillis(30);
    private static final Duration LATE = Duration.ofSeconds(20);
    private static final double COMMITS = 0.3;

    private final World world;
    private final double fault;
    private final boolean commitsFirst;
    private final EventReader reader = new EventReader(LARGEST, Set.of());
    private final Topic requests = new Topic(Optional.of(Channel.ORDER_REQUESTS), "order.requests");
    private final Topic orders = new Topic(Optional.of(Channel.ORDERS), "order.lifecycle");
    private final Topic told = new Topic(Optional.empty(), "inventory.lifecycle");
    private int handled;

    /** What a consumer begins to work with after a rebalance. */
    public record Handler(EventHandling handling, Persistence persistence) {}

    private record Stored(ProducerRecord<byte[], byte[]> message, Instant at) {}

    /**
     * Of a world.
     *
     * @param fault how likely each of its faults is, per message
     * @param commitsFirst whether consumers commit before they handle, as they must not
     */
    public Broker(World world, double fault, boolean commitsFirst) {
        this.world = world;
        this.commitsFirst = commitsFirst;
        this.fault = fault;
    }

    /** A topic, and the group's place in each of its partitions. */
    private final class Topic {
        private final Optional<Channel> channel;
        private final String name;
        private final List<Partition> partitions = new ArrayList<>();

        /** Empty channel: those who read it are not of the fleet. */
        private Topic(Optional<Channel> channel, String name) {
            this.channel = channel;
            this.name = name;
            for (int i = 0; i < PARTITIONS; i++) {
                partitions.add(new Partition(this, i));
            }
        }

        private Partition of(String key) {
            return partitions.get(Math.floorMod(key.hashCode(), PARTITIONS));
        }
    }

    private final class Partition {
        private final Topic topic;
        private final int number;
        private final List<Stored> log = new ArrayList<>();
        private int committed;
        private int position;
        private int consumer;
        private boolean busy;
        private @Nullable Handler handler;

        private Partition(Topic topic, int number) {
            this.topic = topic;
            this.number = number;
        }

        private void append(ProducerRecord<byte[], byte[]> message) {
            log.add(new Stored(message, world.timeline().now()));
            read();
        }

        private void read() {
            if (busy || position >= log.size() || handler == null) {
                return;
            }
            busy = true;
            int mine = consumer;
            Handler mineToUse = handler;
            int offset = position;
            after("poll " + topic.name + "/" + number + "/" + offset, () -> {
                if (mine == consumer) {
                    handle(mine, mineToUse, offset);
                }
            });
        }

        private void handle(int mine, Handler with, int offset) {
            ProducerRecord<byte[], byte[]> sent = log.get(offset).message();
            var record = new ConsumerRecord<>(topic.name, number, offset, sent.key(), sent.value());
            sent.headers().forEach(header -> record.headers().add(header));
            RawEvent raw = Records.raw(topic.channel.orElseThrow(), record);
            if (!(reader.read(raw) instanceof Reading.Understood understood)) {
                throw new AssertionError("nobody can read " + raw + ": " + reader.read(raw));
            }
            if (commitsFirst) {
                committed = offset + 1;
            }
            with.handling().handle(raw, understood.announcement()).whenComplete((ending, failure) -> {
                if (mine != consumer) {
                    return;
                }
                if (failure != null) {
                    throw new AssertionError("handling must not fail: " + raw, failure);
                }
                handled++;
                world.timeline().note(raw.place() + " " + ending);
                busy = false;
                position = offset + 1;
                if (!commitsFirst && world.chance().strikes(COMMITS)) {
                    committed = position;
                }
                read();
            });
        }

        /** Another consumer has it from now on, and begins where was committed last. */
        private void assign(Handler another) {
            if (handler != null) {
                handler.persistence().stop();
            }
            consumer++;
            handler = another;
            position = committed;
            busy = false;
            read();
        }

        private Optional<Instant> oldestUnread() {
            return position < log.size() ? Optional.of(log.get(position).at()) : Optional.empty();
        }
    }

    private List<Partition> all() {
        List<Partition> all = new ArrayList<>(requests.partitions);
        all.addAll(orders.partitions);
        return all;
    }

    /** The group begins to read. */
    public void consume(Supplier<Handler> handlers) {
        all().forEach(partition -> partition.assign(handlers.get()));
    }

    /** A partition moves to another consumer. */
    public void rebalance(Supplier<Handler> handlers) {
        if (world.mishaps().strike("Rebalance", 1)) {
            Partition partition = world.chance().pick(all());
            world.timeline().note("rebalance of " + partition.topic.name + "/" + partition.number);
            partition.assign(handlers.get());
        }
    }

    /** Records that were read and handled, repeats among them. */
    public int handled() {
        return handled;
    }

    /** By reservation the ids under which its order was asked for. */
    public Map<String, Set<String>> requestIds() {
        Map<String, Set<String>> ids = new TreeMap<>();
        requests.partitions.forEach(partition -> partition.log.forEach(
                stored -> ids.computeIfAbsent(text(stored.message().key()), _ -> new TreeSet<>())
                        .add(text(stored.message().headers().lastHeader("ce_id").value()))));
        return ids;
    }

    private static String text(byte[] utf8) {
        return new String(utf8, StandardCharsets.UTF_8);
    }

    /** Whether everything that was sent was read. */
    public boolean isRead() {
        return all().stream().allMatch(partition -> partition.oldestUnread().isEmpty());
    }

    /** An event that was parked comes once more. */
    public void again(RawEvent event) {
        Topic topic = event.channel() == Channel.ORDERS ? orders : requests;
        Partition partition = topic.partitions.get(event.partition());
        partition.append(partition.log.get((int) event.offset()).message());
    }

    @Override
    public Optional<String> mayHold(Instant sentBy) {
        return requests.partitions.stream()
                .flatMap(partition -> partition.oldestUnread().stream())
                .filter(at -> !at.isAfter(sentBy))
                .findFirst()
                .map(at -> "a request that was sent at " + at + " is not read yet");
    }

    @Override
    public Run begin() {
        return new OneRun();
    }

    /** Messages one after the other, until one fails: none arrives before the one that was given before it, or once the run is over. */
    private final class OneRun implements Run {
        private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);
        private boolean over;

        @Override
        public CompletableFuture<Void> send(OutgoingMessage message) {
            if (over) {
                return CompletableFuture.failedFuture(new IllegalStateException("the run is over"));
            }
            CompletableFuture<Void> answer = new CompletableFuture<>();
            CompletableFuture<Void> before = last;
            CompletableFuture<Void> through = new CompletableFuture<>();
            last = through;
            world.chance()
                    .apart(() -> before.thenRun(() -> after("send " + message.type() + " " + message.id(), () -> {
                        arrives(message, answer);
                        through.complete(null);
                    })));
            return answer;
        }

        private void arrives(OutgoingMessage message, CompletableFuture<Void> answer) {
            Topic topic = topic(message.topic());
            var record = Records.of(message, topic.name, SOURCE);
            if (over || world.mishaps().strike("BrokerRefuses", fault)) {
                fail(answer, new IllegalStateException("the broker did not take it"));
            } else if (record.value().length > LARGEST) {
                fail(answer, new Undeliverable("larger than " + LARGEST, new IllegalStateException("too large")));
            } else {
                taken(topic.of(message.key()), record, message, answer);
            }
        }

        private void taken(
                Partition partition,
                ProducerRecord<byte[], byte[]> record,
                OutgoingMessage message,
                CompletableFuture<Void> answer) {
            partition.append(record);
            if (world.mishaps().strike("LostBrokerAnswer", fault)) {
                fail(answer, new IllegalStateException("the broker did not answer"));
            } else {
                after("answer to " + message.id(), () -> answer.complete(null));
            }
            if (world.mishaps().strike("DuplicateRecord", fault)) {
                world.timeline()
                        .after(
                                world.chance().between(QUICK, LATE),
                                "second arrival of " + message.id(),
                                () -> partition.append(record));
            }
        }

        private void fail(CompletableFuture<Void> answer, RuntimeException why) {
            over = true;
            after("a message was not taken", () -> answer.completeExceptionally(why));
        }

        @Override
        public void abandon() {
            over = true;
        }
    }

    private Topic topic(OutTopic of) {
        return switch (of) {
            case ORDER_REQUESTS -> requests;
            case ORDERS -> orders;
            case LIFECYCLE -> told;
            case STOCK_CHANGE -> throw new AssertionError("nobody here tells of stock");
        };
    }

    /** Every record of a topic, partition by partition in the order in which they came. */
    public List<ProducerRecord<byte[], byte[]>> records(OutTopic of) {
        return topic(of).partitions.stream()
                .flatMap(partition -> partition.log.stream().map(Stored::message))
                .toList();
    }

    private void after(String what, Runnable run) {
        world.timeline().after(world.chance().between(QUICK, HOP), what, run);
    }
}
