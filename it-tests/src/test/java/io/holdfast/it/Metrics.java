package io.holdfast.it;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** What a node's metrics page says. */
final class Metrics {

    private Metrics() {}

    /** A counter or gauge, added up over its labels; 0 when it is not there. */
    static double sum(URI node, String name) throws IOException, InterruptedException {
        try (HttpClient http = HttpClient.newHttpClient()) {
            String page = http.send(
                            HttpRequest.newBuilder(node.resolve("/metrics")).build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
            return page.lines()
                    .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
                    .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                    .sum();
        }
    }
}
