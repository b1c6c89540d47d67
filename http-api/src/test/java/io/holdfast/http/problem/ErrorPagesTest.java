package io.holdfast.http.problem;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class ErrorPagesTest {

    private static Path folder() {
        Path fromModule = Path.of("../docs/errors");
        return Files.exists(fromModule) ? fromModule : Path.of("docs/errors");
    }

    private static String list() {
        return Stream.of(ProblemCode.values())
                .map(code -> "| [`" + code.name() + "`](" + code.name() + ".md) | " + code.status() + " | "
                        + code.title() + " |\n")
                .collect(Collectors.joining(
                        "",
                        "# Problem codes\n\n"
                                + "A page for each, which the `type` of a problem names and every node serves at"
                                + " `/errors/CODE`. Made from the code; a test holds them to it.\n\n"
                                + "| code | status | |\n"
                                + "|---|---|---|\n",
                        ""));
    }

    private static Map<String, String> pages() {
        Map<String, String> pages = new TreeMap<>();
        for (ProblemCode code : ProblemCode.values()) {
            pages.put(code.name() + ".md", code.page());
        }
        pages.put("README.md", list());
        return pages;
    }

    @Test
    void every_code_has_its_page_and_every_page_its_code() throws IOException {
        Map<String, String> pages = pages();
        if (Boolean.getBoolean("derived.update")) {
            for (var page : pages.entrySet()) {
                Files.writeString(folder().resolve(page.getKey()), page.getValue());
            }
        }
        Map<String, String> found = new TreeMap<>();
        try (Stream<Path> files = Files.list(folder())) {
            for (Path file : files.toList()) {
                found.put(file.getFileName().toString(), Files.readString(file));
            }
        }
        assertThat(found)
                .as("run this test with -Dderived.update=true, review the difference, and remove pages without a code")
                .isEqualTo(pages);
    }

    @ParameterizedTest
    @EnumSource(ProblemCode.class)
    void a_page_says_what_happened_whether_to_ask_again_and_what_to_do(ProblemCode code) {
        assertThat(code.meaning()).endsWith(".");
        assertThat(code.remedy()).endsWith(".");
        assertThat(code.title()).doesNotEndWith(".");
        assertThat(code.again() == Again.YES)
                .as("what is ours to mend, or passes by itself, is worth asking again, and nothing else")
                .isEqualTo(code.status() >= 500 || code.status() == 408 || code.status() == 429);
    }
}
