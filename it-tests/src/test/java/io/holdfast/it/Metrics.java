package io.holdfast.it;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What a node's metrics page says. */
final class Metrics {

    private Metrics() {}

    /** A counter or gauge, added up over its labels; 0 when it is not there. */
    static double sum(URI node, String name) throws IOException, InterruptedException {
        return page(node)
                .lines()
                .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    /** Names of all that is shown. */
    static Set<String> names(URI node) throws IOException, InterruptedException {
        return page(node)
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.split("[{ ]", 2)[0])
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String page(URI node) throws IOException, InterruptedException {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(
                            HttpRequest.newBuilder(node.resolve("/metrics")).build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }
}
