package io.holdfast.messaging.kafka;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;

/**
 * A partition as it is now.
 *
 * @param begin offset of the first record that is still there
 * @param next offset at which the reader's group goes on
 * @param end offset behind the last record
 */
record Stretch(TopicPartition partition, long begin, long next, long end) {

    /** Those of a topic; none when there is no such topic. Blocking. */
    static List<Stretch> of(Consumer<byte[], byte[]> consumer, String topic) {
        List<PartitionInfo> infos = consumer.partitionsFor(topic);
        if (infos == null || infos.isEmpty()) {
            return List.of();
        }
        Set<TopicPartition> partitions = new HashSet<>();
        infos.forEach(info -> partitions.add(new TopicPartition(info.topic(), info.partition())));
        Map<TopicPartition, OffsetAndMetadata> committed = consumer.committed(partitions);
        Map<TopicPartition, Long> begins = consumer.beginningOffsets(partitions);
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        List<Stretch> all = new ArrayList<>();
        for (TopicPartition partition : partitions) {
            OffsetAndMetadata done = committed.get(partition);
            long begin = known(begins, partition);
            long end = known(ends, partition);
            long next = done == null ? begin : Math.clamp(done.offset(), begin, Math.max(begin, end));
            all.add(new Stretch(partition, begin, next, end));
        }
        return all;
    }

    private static long known(Map<TopicPartition, Long> offsets, TopicPartition partition) {
        Long offset = offsets.get(partition);
        if (offset == null) {
            throw new KafkaException("the broker does not know " + partition);
        }
        return offset;
    }

    /** Records between there and the end. */
    long waiting() {
        return Math.max(0, end - next);
    }
}
