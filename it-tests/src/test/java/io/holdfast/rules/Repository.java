package io.holdfast.rules;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The checkout the tests run in, seen as files. */
final class Repository {

    private static final Set<String> NOT_SOURCES = Set.of("target", ".git", ".holdfast", "node_modules", ".idea");

    private Repository() {}

    /** The folder that holds the root pom. */
    static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("mvnw"))) {
            folder = folder.getParent();
            if (folder == null) {
                throw new IllegalStateException("not inside a checkout of Holdfast");
            }
        }
        return folder;
    }

    /** Every file under the root that belongs to the sources and ends so, in a stable order. */
    static List<Path> files(String ending) {
        try (Stream<Path> walk = Files.walk(root())) {
            return walk.filter(Files::isRegularFile)
                    .filter(path -> path.getFileName().toString().endsWith(ending))
                    .filter(Repository::isSource)
                    .sorted()
                    .toList();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static boolean isSource(Path path) {
        for (Path part : root().relativize(path)) {
            if (NOT_SOURCES.contains(part.toString())) {
                return false;
            }
        }
        return true;
    }
}
