package io.holdfast.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdfast.config.Settings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What is asked of events that were read before. Carried out by a node that runs: the reservations are there. */
@Command(name = "events", mixinStandardHelpOptions = true, description = "Events of other systems.")
final class EventsCommand {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(30);

    @Command(
            name = "replay",
            mixinStandardHelpOptions = true,
            description = "Reads a topic again from an earlier position and delivers each event on the usual way. What"
                    + " was delivered before does nothing twice. Ends when the run does; exit code 1 if it fails.")
    int replay(
            @Mixin ConfigOption config,
            @Option(names = "--topic", required = true, description = "Which topic.") String topic,
            @Option(names = "--from-time", description = "From the first event not older, as 2026-11-29T12:00:00Z.")
                    Optional<String> fromTime,
            @Option(names = "--from-offset", description = "From this offset, of every partition unless one is named.")
                    Optional<Long> fromOffset,
            @Option(names = "--partition", description = "Only this partition.") Optional<Integer> partition,
            @Option(
                            names = "--node",
                            description = "Address of the node; by default where the settings have it listen.")
                    Optional<URI> node)
            throws IOException, InterruptedException {
        Settings settings = config.load();
        Logging.errorsOnly();
        URI base = node.orElseGet(() -> URI.create((settings.http().tls().isPresent() ? "https" : "http") + "://"
                + settings.http().host() + ":" + settings.http().port()));
        ObjectNode wish = JSON.createObjectNode().put("topic", topic);
        fromTime.ifPresent(time -> wish.put("from_time", time));
        fromOffset.ifPresent(offset -> wish.put("from_offset", offset));
        partition.ifPresent(number -> wish.put("partition", number));
        try (var client = HttpClient.newBuilder().connectTimeout(ANSWER_WITHIN).build()) {
            JsonNode run = answer(
                    client,
                    request(base.resolve("/v1/event-replays"))
                            .header("Content-Type", "application/json")
                            .POST(HttpRequest.BodyPublishers.ofString(wish.toString()))
                            .build());
            while (run.path("state").asText().equals("RUNNING")) {
                TimeUnit.MILLISECONDS.sleep(500);
                run = answer(
                        client,
                        request(base.resolve(
                                        "/v1/event-replays/" + run.path("id").asText()))
                                .build());
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

    /** With the token of {@code HOLDFAST_TOKEN}, where the node wants one. */
    private static HttpRequest.Builder request(URI address) {
        HttpRequest.Builder request = HttpRequest.newBuilder(address).timeout(ANSWER_WITHIN);
        Optional.ofNullable(System.getenv("HOLDFAST_TOKEN"))
                .ifPresent(token -> request.header("Authorization", "Bearer " + token));
        return request;
    }

    private static JsonNode answer(HttpClient client, HttpRequest request) throws IOException, InterruptedException {
        HttpResponse<String> response;
        try {
            response = client.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw NodeApi.noAnswer(request.uri(), e);
        }
        JsonNode body = JSON.readTree(response.body());
        if (response.statusCode() >= 300) {
            throw NodeApi.refused(request.uri(), response.statusCode(), body);
        }
        return body;
    }
}
