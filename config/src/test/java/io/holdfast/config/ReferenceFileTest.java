package io.holdfast.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** The reference file is the manual: it says everything there is and nothing more. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class ReferenceFileTest {

    /** With {@code -Dderived.update=true} the page is written anew; the difference then is for review. */
    private static final boolean UPDATE = Boolean.getBoolean("derived.update");

    private static final Path PAGE = Path.of("..", "docs", "configuration.md");

    @Test
    void every_setting_in_the_file_is_read_and_every_setting_read_is_in_the_file() {
        var enough = ConfigFactory.parseMap(Map.of(
                "holdfast.postgres.url", "jdbc:postgresql://db/holdfast", "holdfast.redis.url", "redis://cache"));
        var reader = new SettingsReader(enough.withFallback(SettingsFile.reference()));
        Settings.read(reader, ConfigFactory.empty());
        assertThat(reader.read()).isEqualTo(SettingsFile.names(SettingsFile.reference()));
    }

    @Test
    void every_setting_is_explained_and_names_the_variable_that_overrides_it() throws IOException {
        List<String> sections = new ArrayList<>();
        var seen = new TreeSet<String>();
        String before = "";
        for (String line : reference().split("\n")) {
            String text = line.strip();
            if (text.endsWith("{")) {
                sections.add(text.substring(0, text.length() - 1).strip());
            } else if (text.equals("}")) {
                sections.removeLast();
            } else if (text.contains("=") && !text.startsWith("#")) {
                String name = String.join(".", sections) + "."
                        + text.substring(0, text.indexOf('=')).strip();
                assertThat(text).as(name).endsWith("# " + SettingsFile.variableOf(name));
                assertThat(before)
                        .as("a comment, or a setting explained with it, above " + name)
                        .isNotEmpty();
                seen.add(name);
            }
            before = text;
        }
        assertThat(seen).isEqualTo(SettingsFile.names(SettingsFile.reference()));
    }

    @Test
    void every_danger_is_explained_beside_the_setting_that_allows_it() throws IOException {
        for (Danger danger : Danger.values()) {
            assertThat(reference()).contains("#   " + danger.word() + " ");
        }
    }

    @Test
    void the_page_in_docs_shows_the_reference_file_as_it_is() throws IOException {
        String page = "# Configuration\n\n"
                + "Every setting with its meaning, default, range and environment variable. This page is made from\n"
                + "`config/src/main/resources/" + SettingsFile.REFERENCE + "`; a test holds the two together.\n\n"
                + "```hocon\n" + reference() + "```\n";
        if (UPDATE) {
            Files.writeString(PAGE, page);
        }
        assertThat(PAGE).hasContent(page);
    }

    private static String reference() throws IOException {
        try (var in = ReferenceFileTest.class.getClassLoader().getResourceAsStream(SettingsFile.REFERENCE)) {
            return new String(java.util.Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
