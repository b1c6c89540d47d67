package io.holdfast.localstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayNameGeneration(ReplaceUnderscores.class)
class DataTemplateTest {

    private static final String NAME = "program-1";

    @TempDir
    Path place;

    private final Optional<String> before = Optional.ofNullable(System.getProperty(DataTemplate.FOLDER));
    private final AtomicInteger made = new AtomicInteger();

    @BeforeEach
    void name_a_folder() {
        System.setProperty(DataTemplate.FOLDER, templates().toString());
    }

    @AfterEach
    void restore() {
        before.ifPresentOrElse(
                value -> System.setProperty(DataTemplate.FOLDER, value),
                () -> System.clearProperty(DataTemplate.FOLDER));
    }

    private Path templates() {
        return place.resolve("templates");
    }

    private void make(Path folder) throws IOException {
        Files.writeString(folder.resolve("file"), "made " + made.incrementAndGet());
    }

    private String found() throws IOException {
        return Files.readString(DataTemplate.of(NAME, this::make).orElseThrow().resolve("file"));
    }

    @Test
    void one_is_made_once_for_each_name() throws IOException {
        assertThat(found()).isEqualTo("made 1");
        assertThat(found()).isEqualTo("made 1");
        assertThat(DataTemplate.of("program-2", this::make).orElseThrow().resolve("file"))
                .hasContent("made 2");
        assertThat(found()).isEqualTo("made 1");
    }

    @Test
    void without_a_folder_for_it_there_is_none_and_nobody_else_is_told_of_one() throws IOException {
        assertThat(DataTemplate.passedOn()).containsExactly("-D" + DataTemplate.FOLDER + "=" + templates());
        System.clearProperty(DataTemplate.FOLDER);
        assertThat(DataTemplate.of(NAME, this::make)).isEmpty();
        assertThat(DataTemplate.passedOn()).isEmpty();
        assertThat(made).hasValue(0);
    }

    @Test
    void one_that_could_not_be_made_whole_is_not_there() throws IOException {
        DataTemplate.Making failing = folder -> {
            make(folder);
            throw new IOException("disk full");
        };
        assertThatThrownBy(() -> DataTemplate.of(NAME, failing)).hasMessage("disk full");
        assertThat(templates()).isEmptyDirectory();
        assertThat(found()).isEqualTo("made 2");
    }

    @Test
    void of_two_that_make_one_at_once_the_first_wins() throws IOException {
        DataTemplate.Making overtaken = folder -> {
            make(folder);
            assertThat(found()).isEqualTo("made 2");
        };
        assertThat(DataTemplate.of(NAME, overtaken).orElseThrow().resolve("file"))
                .hasContent("made 2");
        assertThat(templates().resolve(NAME)).hasParent(templates());
        try (Stream<Path> all = Files.list(templates())) {
            assertThat(all).containsExactly(templates().resolve(NAME));
        }
    }

    @Test
    void a_PostgreSQL_without_a_template_has_a_password_of_its_own() {
        String shared;
        try (PostgresServer copied = PostgresServer.start(PostgresSettings.in(place.resolve("copied")))) {
            shared = copied.password();
        }
        System.clearProperty(DataTemplate.FOLDER);
        try (PostgresServer kept = PostgresServer.start(PostgresSettings.in(place.resolve("kept")))) {
            assertThat(kept.password()).isNotEqualTo(shared);
        }
    }
}
