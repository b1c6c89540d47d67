package io.holdfast.chaos;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Follows the stream of events as a browser does: at one node until that ends it, then at the next, from the last place it had. */
final class Follower implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration CONNECTED_WITHIN = Duration.ofSeconds(5);
    private static final int PAUSE_MILLIS = 300;
    private static final int OK = 200;
    private static final String ID = "id: ";
    private static final String DATA = "data: ";

    private final List<URI> nodes;
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECTED_WITHIN)
            .build();
    private final List<String> heard = new ArrayList<>();
    private final Thread thread;
    private String place = "0-0";
    private volatile boolean over;

    Follower(List<URI> nodes) {
        this.nodes = List.copyOf(nodes);
        this.thread = Thread.ofVirtual().name("follower").start(this::follow);
    }

    /** Ids of the events it was told, in the order in which it was. */
    List<String> heard() {
        synchronized (heard) {
            return List.copyOf(heard);
        }
    }

    private void follow() {
        try {
            for (int turn = 0; !over; turn++) {
                followAt(nodes.get(turn % nodes.size()));
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void followAt(URI node) throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(
                        node.resolve("/v1/events?type=" + String.join(",", Announced.TYPES)))
                .header("Last-Event-ID", place)
                .header("Accept", "text/event-stream")
                .timeout(CONNECTED_WITHIN)
                .build();
        try {
            HttpResponse<Stream<String>> response = http.send(request, BodyHandlers.ofLines());
            try (Stream<String> lines = response.body()) {
                if (response.statusCode() == OK) {
                    read(lines);
                }
            }
        } catch (IOException | UncheckedIOException _) {
            // What was told until then is kept, and the next node goes on from there.
        }
    }

    private void read(Stream<String> lines) {
        String[] fields = {"", ""};
        lines.forEach(line -> {
            if (line.startsWith(ID)) {
                fields[0] = line.substring(ID.length());
            } else if (line.startsWith(DATA)) {
                fields[1] = line.substring(DATA.length());
            } else if (line.isEmpty() && !fields[0].isEmpty()) {
                if (!fields[1].isEmpty()) {
                    hear(fields[1]);
                }
                place = fields[0];
                fields[1] = "";
            }
        });
    }

    private void hear(String event) {
        try {
            String id = JSON.readTree(event).path("id").asText();
            synchronized (heard) {
                heard.add(id);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        over = true;
        thread.interrupt();
        http.shutdownNow();
    }
}
