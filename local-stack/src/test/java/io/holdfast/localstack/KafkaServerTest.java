package io.holdfast.localstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class KafkaServerTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static KafkaServer server;

    @BeforeAll
    static void start() {
        server = KafkaServer.start(KafkaSettings.in(SharedStack.freshFolder("kafka-of-this-test")));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void what_was_sent_can_be_read_after_a_clean_stop_and_after_a_kill_on_the_same_port() throws Exception {
        int port = server.port();
        send("topic", "first");
        assertThat(read("topic", 1)).containsExactly("first");

        server.stop();
        assertThat(server.isRunning()).isFalse();
        server.start();
        send("topic", "second");
        assertThat(read("topic", 2)).containsExactly("first", "second");

        server.kill();
        server.start();
        assertThat(read("topic", 2)).containsExactly("first", "second");
        assertThat(server.port()).isEqualTo(port);
    }

    @Test
    void where_the_build_keeps_a_template_it_begins_as_a_copy() throws IOException {
        String templates = System.getProperty(DataTemplate.FOLDER);
        assumeThat(templates).isNotNull();
        String mine = Files.readString(server.log().resolveSibling("data").resolve("meta.properties"));
        try (Stream<Path> all = Files.list(Path.of(templates))) {
            assertThat(all.map(template -> template.resolve("data").resolve("meta.properties"))
                            .filter(Files::exists))
                    .anySatisfy(meta ->
                            assertThat(directoryId(Files.readString(meta))).isEqualTo(directoryId(mine)));
        }
    }

    private static String directoryId(String meta) {
        return meta.lines()
                .filter(line -> line.startsWith("directory.id"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void it_can_be_the_users_own() {
        LocalStackSettings settings = LocalStackSettings.in(SharedStack.freshFolder("kafka-of-the-user"))
                .withServices(EnumSet.of(Service.KAFKA))
                .usingKafka("127.0.0.1:1," + server.bootstrapServers());
        try (LocalStack stack = LocalStack.start(settings)) {
            assertThat(stack.kafka()).isEmpty();
            assertThat(stack.kafkaBootstrapServers()).contains("127.0.0.1:1," + server.bootstrapServers());
            assertThat(stack.startKafka()).isEqualTo("127.0.0.1:1," + server.bootstrapServers());
        }
    }

    @Test
    void its_jars_are_found_without_being_on_the_class_path() {
        assertThat(KafkaClassPath.find().split(File.pathSeparator))
                .anyMatch(jar -> jar.contains("kafka_2.13"))
                .noneMatch(jar -> jar.contains("junit"));
    }

    private static void send(String topic, String value) throws ExecutionException, InterruptedException {
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", server.bootstrapServers(), "acks", "all"),
                new StringSerializer(),
                new StringSerializer())) {
            producer.send(new ProducerRecord<>(topic, value)).get();
        }
    }

    private static List<String> read(String topic, int expected) {
        try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", server.bootstrapServers(), "auto.offset.reset", "earliest"),
                new StringDeserializer(),
                new StringDeserializer())) {
            consumer.assign(List.of(new TopicPartition(topic, 0)));
            List<String> values = new ArrayList<>();
            long deadline = System.nanoTime() + PATIENCE.toNanos();
            while (values.size() < expected && System.nanoTime() < deadline) {
                consumer.poll(Duration.ofSeconds(1)).forEach(record -> values.add(record.value()));
            }
            return values;
        }
    }
}
