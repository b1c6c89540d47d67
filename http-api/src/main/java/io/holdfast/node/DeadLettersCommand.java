package io.holdfast.node;

import io.holdfast.config.Settings;
import io.holdfast.config.SettingsException;
import io.holdfast.messaging.kafka.DeadLetter;
import io.holdfast.messaging.kafka.DeadLetters;
import io.holdfast.messaging.kafka.KafkaSettings;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.KafkaException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What is asked of dead letters. Needs the broker alone: no node has to run. */
@Command(
        name = "dlq",
        mixinStandardHelpOptions = true,
        description = "Events that could not be understood, on the dead-letter topics.")
final class DeadLettersCommand {

    @Command(name = "list", mixinStandardHelpOptions = true, description = "Those that wait, with why.")
    int list(
            @Mixin ConfigOption config,
            @Option(names = "--topic", description = "Only those read from this topic.") Optional<String> topic,
            @Option(names = "--limit", description = "At most so many of each topic.", defaultValue = "100")
                    int limit) {
        KafkaSettings kafka = kafka(config);
        var letters = new DeadLetters(kafka);
        return asked(() -> {
            for (String source : topics(kafka, topic)) {
                System.out.println(source + ": " + letters.counts().getOrDefault(source, 0L) + " waiting");
                for (DeadLetter letter : letters.list(source, limit)) {
                    System.out.printf(
                            "  %s  %s/%s  %s  %s  key %s%n      %s: %s%n",
                            letter.at(),
                            letter.sourcePartition().map(String::valueOf).orElse("?"),
                            letter.sourceOffset().map(String::valueOf).orElse("?"),
                            letter.type().orElse("(no type)"),
                            letter.eventId().orElse("(no id)"),
                            letter.key().orElse("(none)"),
                            letter.reason(),
                            letter.detail());
                }
            }
        });
    }

    @Command(
            name = "replay",
            mixinStandardHelpOptions = true,
            description = "Sends all that wait to the topic they came from, unchanged, under their own ids. What still"
                    + " can't be understood becomes a dead letter again.")
    int replay(
            @Mixin ConfigOption config,
            @Option(names = "--topic", description = "Only those read from this topic.") Optional<String> topic) {
        KafkaSettings kafka = kafka(config);
        var letters = new DeadLetters(kafka);
        return asked(() -> {
            for (String source : topics(kafka, topic)) {
                DeadLetters.Replayed done = letters.replay(source);
                System.out.println(source + ": " + done.sent() + " sent again"
                        + (done.gone() == 0
                                ? ""
                                : ", " + done.gone() + " were too large to be kept and are gone from their topic"));
            }
        });
    }

    private static KafkaSettings kafka(ConfigOption config) {
        Settings settings = config.load();
        Logging.errorsOnly();
        return KafkaLink.settings(settings)
                .orElseThrow(() -> new SettingsException(
                        "holdfast.kafka.enabled is false in these settings: there are no topics to look at."));
    }

    private static List<String> topics(KafkaSettings kafka, Optional<String> only) {
        only.filter(topic -> !kafka.topics().in().contains(topic)).ifPresent(topic -> {
            throw new UsageException("Events are read from " + kafka.topics().in() + ", but not from " + topic);
        });
        return only.map(List::of).orElse(kafka.topics().in());
    }

    private static int asked(Runnable work) {
        try {
            work.run();
            return 0;
        } catch (KafkaException e) {
            throw new StartException("Kafka does not answer: " + e.getMessage(), e);
        }
    }
}
