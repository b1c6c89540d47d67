package io.holdfast.node;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.config.Settings;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What is asked of events that were read before. Carried out by a node that runs: the reservations are there. */
@Command(name = "events", mixinStandardHelpOptions = true, description = "Events of other systems.")
final class EventsCommand {

    private static final Duration LOOK_AGAIN_AFTER = Duration.ofMillis(500);

    @Command(
            name = "replay",
            mixinStandardHelpOptions = true,
            description = "Reads a topic again from an earlier position and delivers each event on the usual way. What"
                    + " was delivered before does nothing twice. Ends when the run does; exit code 1 if it fails.")
    int replay(
            @Mixin ConfigOption config,
            @Mixin NodeOptions node,
            @Option(names = "--topic", required = true, description = "Which topic.") String topic,
            @Option(names = "--from-time", description = "From the first event not older, as 2026-11-29T12:00:00Z.")
                    Optional<String> fromTime,
            @Option(names = "--from-offset", description = "From this offset, of every partition unless one is named.")
                    Optional<Long> fromOffset,
            @Option(names = "--partition", description = "Only this partition.") Optional<Integer> partition)
            throws IOException, InterruptedException {
        Settings settings = config.load();
        Logging.errorsOnly();
        NodeApi api = node.api(settings);
        Map<String, Object> wish = new LinkedHashMap<>();
        wish.put("topic", topic);
        fromTime.ifPresent(time -> wish.put("from_time", time));
        fromOffset.ifPresent(offset -> wish.put("from_offset", offset));
        partition.ifPresent(number -> wish.put("partition", number));
        JsonNode run = api.post("/v1/event-replays", wish);
        while (run.path("state").asText().equals("RUNNING")) {
            Thread.sleep(LOOK_AGAIN_AFTER);
            run = api.get("/v1/event-replays/" + run.path("id").asText());
        }
        System.out.printf(
                "%s: %d of %d read, %d delivered, %d parked, %d passed over%s%n",
                run.path("state").asText(),
                run.path("read").asLong(),
                run.path("total").asLong(),
                run.path("delivered").asLong(),
                run.path("parked").asLong(),
                run.path("passed_over").asLong(),
                run.has("trouble") ? ": " + run.get("trouble").asText() : "");
        return run.path("state").asText().equals("DONE") ? 0 : 1;
    }
}
