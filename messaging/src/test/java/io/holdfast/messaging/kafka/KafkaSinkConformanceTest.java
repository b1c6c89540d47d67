package io.holdfast.messaging.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.localstack.SharedStack;
import io.holdfast.messaging.conformance.MessageSinkConformance;
import io.holdfast.messaging.out.MessageSink;
import io.holdfast.messaging.out.OutTopic;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT) // each with topics of its own
class KafkaSinkConformanceTest extends MessageSinkConformance {

    private static final int LARGEST = 2_000;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private Broker broker;
    private KafkaSettings settings;
    private KafkaSink sink;

    @BeforeEach
    void start() throws Exception {
        broker = new Broker(SharedStack.kafka().bootstrapServers());
        settings = broker.freshWithin(LARGEST);
        sink = new KafkaSink(settings);
    }

    @AfterEach
    void stop() {
        sink.close();
        broker.close();
    }

    @Override
    protected MessageSink sink() {
        return sink;
    }

    @Override
    protected int tooLong() {
        return 5 * LARGEST;
    }

    @Override
    protected void awaitDone(CompletableFuture<Void> answer) {
        assertThat(answer.handle((_, _) -> true)).succeedsWithin(PATIENCE);
    }

    @Override
    protected List<Arrived> arrived(OutTopic topic) {
        return broker.read(settings.topics().of(topic)).stream()
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
