package io.holdfast.http.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.holdfast.http.route.TestNode.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class HttpExamplesTest {

    private static final Pattern VARIABLE = Pattern.compile("(?m)^@(\\w+) = (.*)$");

    private static Path folder() {
        Path fromModule = Path.of("../docs/http");
        return Files.exists(fromModule) ? fromModule : Path.of("docs/http");
    }

    /** Whoever copies them does so on some day: each file, on more than one. */
    static List<Arguments> filesAndDays() throws IOException {
        List<Arguments> all = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder())) {
            for (Path file : files.sorted().toList()) {
                for (String day : List.of("2026-11-29", "2031-02-28")) {
                    all.add(arguments(file.getFileName().toString(), LocalDate.parse(day)));
                }
            }
        }
        assertThat(all).hasSizeGreaterThanOrEqualTo(6);
        return all;
    }

    @ParameterizedTest
    @MethodSource("filesAndDays")
    void every_example_is_answered_as_the_page_says(String file, LocalDate day) throws IOException {
        String[] examples = filledIn(Files.readString(folder().resolve(file))).split("(?m)^### ");
        assertThat(examples.length).isGreaterThan(5);
        try (TestNode node = TestNode.onDay(day)) {
            TestTill.order(node.orders, "8ced73660b864d5b8352084950e45ef7", "ann");
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

    /** With the file's variables in their places, as editors that run such files do it; the host is the test's own. */
    private static String filledIn(String text) {
        String filled = text;
        Matcher variable = VARIABLE.matcher(text);
        while (variable.find()) {
            if (!variable.group(1).equals("host")) {
                filled = filled.replace("{{" + variable.group(1) + "}}", variable.group(2));
            }
        }
        assertThat(filled.replace("{{host}}", "")).doesNotContain("{{");
        return filled;
    }
}
