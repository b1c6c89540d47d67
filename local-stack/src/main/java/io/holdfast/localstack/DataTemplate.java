package io.holdfast.localstack;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The data of a server as its own tool makes them before its first start, to be copied by others: {@code initdb}, or a JVM that formats a folder,
 * takes seconds of a processor, and the tests of a build start dozens of servers. Only where the system property {@value #FOLDER} names a
 * folder, as it does for them: servers that begin as copies share identity and password.
 */
public final class DataTemplate {

    static final String FOLDER = "holdfast.data-templates";

    private DataTemplate() {}

    /** Makes the data in a folder that is there and empty. */
    @FunctionalInterface
    interface Making {
        void into(Path folder) throws IOException;
    }

    /**
     * Where the template of this name is, made now if there is none; empty where none is wanted.
     *
     * @param name says of which program it is, and how it is made
     */
    static Optional<Path> of(String name, Making making) throws IOException {
        String folder = System.getProperty(FOLDER, "");
        if (folder.isEmpty()) {
            return Optional.empty();
        }
        Path home = Path.of(folder).resolve(name);
        if (!Files.isDirectory(home)) {
            Path fresh = Files.createTempDirectory(Files.createDirectories(Path.of(folder)), "making-");
            try {
                making.into(fresh);
                settle(fresh, home);
            } finally {
                FileTree.delete(fresh);
            }
        }
        return Optional.of(home);
    }

    /** The name appears only when everything is there; the first of several that make one at once wins. */
    private static void settle(Path fresh, Path home) throws IOException {
        try {
            Files.move(fresh, home, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileSystemException e) {
            if (!Files.isDirectory(home)) {
                throw e;
            }
        }
    }

    /** What another JVM of ours must be told so that its servers begin so too. */
    public static List<String> passedOn() {
        return Stream.ofNullable(System.getProperty(FOLDER))
                .map(folder -> "-D" + FOLDER + "=" + folder)
                .toList();
    }
}
