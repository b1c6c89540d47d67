package io.holdfast.messaging.kafka;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TopicExistsException;

/** The topics as the broker has them. Blocking; throws {@link KafkaException} when the broker can't be asked. */
public final class Topics {

    private static final long ANSWER_WITHIN = 10;
    private static final long LISTED_AFTER = 50;

    private final KafkaSettings settings;
    private final Clients clients;

    public Topics(KafkaSettings settings) {
        this.settings = settings;
        this.clients = new Clients(settings);
    }

    /** Those of our topics that do not exist, in a fixed order. */
    public List<String> missing() {
        try (var admin = clients.admin()) {
            var names = admin.listTopics().names().get(ANSWER_WITHIN, TimeUnit.SECONDS);
            return settings.topics().all().stream()
                    .filter(topic -> !names.contains(topic))
                    .toList();
        } catch (ExecutionException | TimeoutException e) {
            throw notAsked(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw notAsked(e);
        }
    }

    /**
     * Creates those that do not exist, with this many partitions and the broker's own replication. What a broker has created it lists a
     * moment later: that is waited for, as long as for an answer.
     */
    public void create(int partitions) {
        List<String> missing = missing();
        try (var admin = clients.admin()) {
            var results = admin.createTopics(missing.stream()
                            .map(topic -> new NewTopic(topic, Optional.of(partitions), Optional.empty()))
                            .toList())
                    .values();
            for (Map.Entry<String, org.apache.kafka.common.KafkaFuture<Void>> result : results.entrySet()) {
                try {
                    result.getValue().get(ANSWER_WITHIN, TimeUnit.SECONDS);
                } catch (ExecutionException e) {
                    if (!(e.getCause() instanceof TopicExistsException)) {
                        throw e;
                    }
                }
            }
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(ANSWER_WITHIN);
            while (!missing().isEmpty() && System.nanoTime() < deadline) {
                TimeUnit.MILLISECONDS.sleep(LISTED_AFTER);
            }
        } catch (ExecutionException | TimeoutException e) {
            throw notAsked(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw notAsked(e);
        }
    }

    /** Topics for one line of text. */
    public static String shown(List<String> topics) {
        return topics.stream().collect(Collectors.joining(", "));
    }

    private static KafkaException notAsked(Exception e) {
        Throwable cause = e instanceof ExecutionException && e.getCause() != null ? e.getCause() : e;
        return new KafkaException("the broker can't be asked: " + cause.getMessage(), cause);
    }
}
