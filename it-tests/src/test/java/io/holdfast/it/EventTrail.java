package io.holdfast.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/** What a caller has of a stream of events, over as many connections as it takes, at whichever node. */
final class EventTrail {

    private static final ObjectMapper JSON = new ObjectMapper();

    /** One event. */
    record Event(String place, String type, JsonNode document) {
        String id() {
            return document.at("/id").asText();
        }
    }

    private final String path;
    final List<Event> events = new CopyOnWriteArrayList<>();
    /** Where to go on; as a browser keeps it. */
    volatile String last;

    private final Optional<String> token;

    EventTrail(String path, String from) {
        this(path, from, Optional.empty());
    }

    /** Of a node that asks for this token. */
    EventTrail(String path, String from, Optional<String> token) {
        this.path = path;
        this.last = from;
        this.token = token;
    }

    /** Reads at this node until the stream ends or the connection is closed. */
    Reading at(URI node) {
        HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        HttpRequest.Builder asking = HttpRequest.newBuilder(node.resolve(path))
                .header("Last-Event-ID", last)
                .header("Accept", "text/event-stream");
        token.ifPresent(bearer -> asking.header("Authorization", "Bearer " + bearer));
        HttpRequest request = asking.build();
        try {
            HttpResponse<Stream<String>> response = client.send(request, BodyHandlers.ofLines());
            if (response.statusCode() != 200) {
                throw new IllegalStateException(response.statusCode() + ": "
                        + String.join("\n", response.body().toList()));
            }
            CompletableFuture<Void> over = new CompletableFuture<>();
            Thread.ofVirtual().start(() -> {
                try (Stream<String> lines = response.body()) {
                    read(lines);
                } catch (UncheckedIOException cutOff) {
                    // What was taken until then is kept.
                } finally {
                    over.complete(null);
                }
            });
            return new Reading(client, over);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private void read(Stream<String> lines) {
        String[] fields = new String[3];
        lines.forEach(line -> {
            if (line.startsWith("id: ")) {
                fields[0] = line.substring(4);
            } else if (line.startsWith("event: ")) {
                fields[1] = line.substring(7);
            } else if (line.startsWith("data: ")) {
                fields[2] = line.substring(6);
            } else if (line.isEmpty()) {
                if (fields[2] != null) {
                    events.add(new Event(fields[0], fields[1], json(fields[2])));
                }
                last = fields[0];
                fields[1] = null;
                fields[2] = null;
            }
        });
    }

    private static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<String> types() {
        return events.stream().map(Event::type).toList();
    }

    List<String> ids() {
        return events.stream().map(Event::id).toList();
    }

    /** One connection. */
    record Reading(HttpClient client, CompletableFuture<Void> over) implements AutoCloseable {
        /** Waits until the server has ended it. */
        void untilItEnds() {
            over.join();
        }

        @Override
        public void close() {
            client.shutdownNow();
            over.join();
        }
    }
}
