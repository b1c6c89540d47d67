package io.holdfast.localstack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayNameGeneration(ReplaceUnderscores.class)
class SharedStackTest {

    @Test
    void there_is_one_of_each_per_JVM() {
        assertThat(SharedStack.redis()).isSameAs(SharedStack.redis());
        assertThat(SharedStack.postgres()).isSameAs(SharedStack.postgres());
    }

    @Test
    void a_name_asked_for_again_is_another_folder() {
        Path first = SharedStack.freshFolder("taken");
        Path second = SharedStack.freshFolder("taken");
        assertThat(first).isAbsolute().doesNotExist();
        assertThat(second).isAbsolute().doesNotExist().isNotEqualTo(first);
    }

    @Test
    void a_name_asked_for_again_is_another_database() {
        assertThat(SharedStack.freshDatabase("taken")).isNotEqualTo(SharedStack.freshDatabase("taken"));
    }

    @Test
    void what_a_dead_JVM_left_is_ended_and_removed_and_what_a_living_one_has_stays(@TempDir Path root)
            throws IOException {
        Process left = new ProcessBuilder("sleep", "600").start();
        try {
            Path dead = Files.createDirectories(root.resolve("jvm-999999999").resolve("redis"));
            ProcessIdentity identity = ProcessIdentity.of(left.pid()).orElseThrow();
            Files.writeString(
                    dead.resolve("process"),
                    identity.bootId() + "\n" + Files.readString(Path.of("/proc/" + left.pid() + "/stat")));
            Path living = Files.createDirectories(
                    root.resolve("jvm-" + ProcessHandle.current().pid()));

            SharedStack.removeLeftOvers(root);

            assertThat(identity.isAlive()).isFalse();
            assertThat(root).isDirectoryNotContaining(path -> path.endsWith("jvm-999999999"));
            assertThat(living).isDirectory();
        } finally {
            left.destroyForcibly();
        }
    }
}
