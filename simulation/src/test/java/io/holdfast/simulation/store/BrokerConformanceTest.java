package io.holdfast.simulation.store;

import io.holdfast.messaging.conformance.MessageSinkConformance;
import io.holdfast.messaging.out.MessageSink;
import io.holdfast.messaging.out.OutTopic;
import io.holdfast.testkit.simulation.World;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The topics in memory, where nothing goes wrong, are to those who publish what Kafka is. */
class BrokerConformanceTest extends MessageSinkConformance {

    private final World world = World.of(1);
    private final Broker broker = new Broker(world, 0, false);

    @Override
    protected MessageSink sink() {
        return broker;
    }

    @Override
    protected int tooLong() {
        return 2 * Broker.LARGEST;
    }

    @Override
    protected void awaitDone(CompletableFuture<Void> answer) {
        while (!answer.isDone() && world.timeline().step()) {}
    }

    @Override
    protected List<Arrived> arrived(OutTopic topic) {
        return broker.records(topic).stream()
                .map(record -> {
                    Map<String, String> headers = new HashMap<>();
                    record.headers()
                            .forEach(header ->
                                    headers.put(header.key(), new String(header.value(), StandardCharsets.UTF_8)));
                    return new Arrived(
                            headers.get("ce_id"),
                            new String(record.key(), StandardCharsets.UTF_8),
                            headers,
                            new String(record.value(), StandardCharsets.UTF_8));
                })
                .toList();
    }
}
