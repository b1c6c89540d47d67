package io.holdfast.it;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** What a node's metrics page says. */
final class Metrics {

    private static final Pattern LABEL = Pattern.compile("[{,]([a-z_]+)=\"");

    private Metrics() {}

    /** A counter or gauge, added up over its labels; 0 when it is not there. */
    static double sum(URI node, String name) throws IOException, InterruptedException {
        return page(node)
                .lines()
                .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    /** All that is shown by name, with the labels it has. */
    static Map<String, Set<String>> labels(URI node) throws IOException, InterruptedException {
        Map<String, Set<String>> shown = new TreeMap<>();
        page(node).lines().filter(line -> !line.startsWith("#")).forEach(line -> {
            Set<String> names = shown.computeIfAbsent(line.split("[{ ]", 2)[0], _ -> new TreeSet<>());
            LABEL.matcher(line).results().forEach(found -> names.add(found.group(1)));
        });
        return shown;
    }

    private static String page(URI node) throws IOException, InterruptedException {
        return Client.HTTP
                .send(HttpRequest.newBuilder(node.resolve("/metrics")).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }
}
