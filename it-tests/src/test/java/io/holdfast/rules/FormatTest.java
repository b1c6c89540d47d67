package io.holdfast.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.palantir.javaformat.java.Formatter;
import com.palantir.javaformat.java.JavaFormatterOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/**
 * All Java sources are formatted by palantir-java-format. It runs here and not in a Maven plugin because it reads with the compiler of
 * the JDK it runs on, and Maven itself may run on one that can't read Java 25. {@code ./mvnw -pl it-tests test -Dtest=FormatTest
 * -Dformat.write=true} formats instead of failing.
 */
@DisplayNameGeneration(ReplaceUnderscores.class)
class FormatTest {

    private static final boolean WRITE = Boolean.getBoolean("format.write");

    @Test
    void every_java_source_is_formatted() throws Exception {
        Formatter formatter = Formatter.createFormatter(JavaFormatterOptions.builder()
                .style(JavaFormatterOptions.Style.PALANTIR)
                .build());
        List<Path> unformatted = new ArrayList<>();
        List<Path> sources = Repository.files(".java");
        for (Path file : sources) {
            String source = Repository.read(file);
            String formatted = formatter.formatSourceAndFixImports(source);
            if (!formatted.equals(source)) {
                if (WRITE) {
                    Files.writeString(file, formatted);
                } else {
                    unformatted.add(Repository.root().relativize(file));
                }
            }
        }
        assertThat(sources).as("sources found").hasSizeGreaterThan(10);
        assertThat(unformatted)
                .as("not formatted; run ./mvnw -pl it-tests test -Dtest=FormatTest -Dformat.write=true")
                .isEmpty();
    }
}
