package io.holdfast.messaging.kafka;

import io.holdfast.messaging.in.MessagingListener;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.pekko.kafka.RestrictedConsumer;
import org.apache.pekko.kafka.javadsl.PartitionAssignmentHandler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at each partition that falls to this node whether the group's position on it still means something. Where it does not, Kafka's
 * client begins at the earliest event without a word; events that were dropped before anybody was done with them are news somebody waits
 * for.
 */
final class Positions implements PartitionAssignmentHandler {

    private static final Logger LOG = LoggerFactory.getLogger(Positions.class);

    private final MessagingListener listener;

    Positions(MessagingListener listener) {
        this.listener = listener;
    }

    @Override
    public void onAssign(Set<TopicPartition> partitions, RestrictedConsumer consumer) {
        if (partitions.isEmpty()) {
            return;
        }
        try {
            Map<TopicPartition, OffsetAndMetadata> committed = consumer.committed(partitions);
            Map<TopicPartition, Long> begins = consumer.beginningOffsets(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            for (TopicPartition partition : partitions) {
                look(partition, committed.get(partition), begins.get(partition), ends.get(partition));
            }
        } catch (KafkaException e) {
            // Whoever consumes goes on or fails by itself; this only looks.
            LOG.info("whether positions on {} are lost could not be seen: {}", partitions, e.getMessage());
        }
    }

    private void look(
            TopicPartition partition, @Nullable OffsetAndMetadata committed, @Nullable Long begin, @Nullable Long end) {
        if (begin == null || end == null) {
            return;
        }
        if (committed == null) {
            // A group that is new here, or whose position has expired: which of the two can't be told.
            if (begin > 0) {
                listener.positionLost(partition.topic(), partition.partition(), 0);
            }
        } else if (committed.offset() < begin || committed.offset() > end) {
            listener.positionLost(partition.topic(), partition.partition(), Math.max(0, begin - committed.offset()));
        }
    }

    @Override
    public void onRevoke(Set<TopicPartition> partitions, RestrictedConsumer consumer) {}

    @Override
    public void onLost(Set<TopicPartition> partitions, RestrictedConsumer consumer) {}

    @Override
    public void onStop(Set<TopicPartition> partitions, RestrictedConsumer consumer) {}
}
