package io.holdfast.localstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayNameGeneration(ReplaceUnderscores.class)
class BinariesTest {

    @TempDir
    private Path folder;

    @Test
    void several_who_unpack_at_once_get_one_whole_program_and_leave_nothing_else() throws IOException {
        List<CompletableFuture<Path>> racers = Stream.generate(() -> CompletableFuture.supplyAsync(
                        () -> Binaries.in(folder).redisServer(), Thread::startVirtualThread))
                .limit(4)
                .toList();
        List<Path> programs =
                racers.stream().map(CompletableFuture::join).distinct().toList();
        assertThat(programs).hasSize(1);
        assertThat(programs.getFirst()).isExecutable();
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).containsExactly(programs.getFirst().getParent());
        }
    }

    @Test
    void what_is_unpacked_already_is_not_unpacked_again() throws IOException {
        Path program = Binaries.in(folder).redisServer();
        Files.writeString(program, "as it was");
        assertThat(Binaries.in(folder).redisServer()).isEqualTo(program).hasContent("as it was");
    }

    @Test
    void a_place_that_cannot_be_written_is_told() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        assertThatThrownBy(() -> Binaries.in(file).redisServer())
                .isInstanceOf(LocalStackException.class)
                .hasMessageContaining("Redis could not be unpacked into " + file)
                .hasMessageContaining("XDG_CACHE_HOME");
    }
}
