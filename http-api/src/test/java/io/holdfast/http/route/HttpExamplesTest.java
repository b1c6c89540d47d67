package io.holdfast.http.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.http.route.TestNode.Answer;
import io.holdfast.reservation.domain.ReservationIds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class HttpExamplesTest {

    private static final Pattern ID = Pattern.compile("\\{\\{id:([^|}]+)\\|([^|}]+)\\|([^|}]+)}}");

    private static Path folder() {
        Path fromModule = Path.of("../docs/http");
        return Files.exists(fromModule) ? fromModule : Path.of("docs/http");
    }

    @ParameterizedTest
    @ValueSource(strings = {"reservation.http", "pool.http", "reconciliation.http"})
    void every_example_is_answered_as_the_page_says(String file) throws IOException {
        String[] examples = withIds(Files.readString(folder().resolve(file))).split("(?m)^### ");
        assertThat(examples.length).isGreaterThan(5);
        try (TestNode node = TestNode.start()) {
            for (int i = 1; i < examples.length; i++) {
                run(node, examples[i]);
            }
        }
    }

    private static void run(TestNode node, String example) {
        List<String> lines = new ArrayList<>(example.lines().toList());
        String title = lines.removeFirst();
        int expected = Integer.parseInt(lines.removeFirst().replace("# -> ", ""));
        String[] target = lines.removeFirst().split(" ", 2);
        List<String> headers = new ArrayList<>();
        while (!lines.isEmpty() && !lines.getFirst().isBlank()) {
            String[] header = lines.removeFirst().split(": ", 2);
            if (!header[0].equals("Content-Type")) {
                headers.addAll(List.of(header));
            }
        }
        String body = String.join("\n", lines).strip();
        String path = target[1].replace("{{host}}", "");
        String[] given = headers.toArray(String[]::new);
        Answer answer = switch (target[0]) {
            case "GET" -> node.get(path, given);
            case "PUT" -> node.put(path, body, given);
            case "POST" -> node.post(path, body, given);
            default -> throw new IllegalArgumentException(target[0]);
        };
        assertThat(answer.status()).as(title + ": " + answer.body()).isEqualTo(expected);
    }

    private static String withIds(String text) {
        return ID.matcher(text)
                .replaceAll(id ->
                        Matcher.quoteReplacement(ReservationIds.journalFirst(id.group(1), id.group(2), id.group(3))));
    }
}
