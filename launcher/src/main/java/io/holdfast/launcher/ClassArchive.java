package io.holdfast.launcher;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The classes of a program, loaded and checked once and kept in a file that later JVMs map into their memory: a node is there with half the
 * processor time. The first node that ends in order writes it, with all it has loaded while it served. Only where the system property
 * {@value #FOLDER} names a folder, as it does for the tests of the build, which start many nodes; and only for a program that comes from
 * jars, since the JVM archives no others. All modules share one: its class path is what lies beside the program's own jar, as a production
 * node's does, and nothing else that tests need.
 */
final class ClassArchive {

    static final String FOLDER = "holdfast.class-archives";

    private static final int NAME_LENGTH = 16;

    private final Path file;
    private final String classPath;

    private ClassArchive(Path file, String classPath) {
        this.file = file;
        this.classPath = classPath;
    }

    /**
     * That of this program, whether it is written already or not; empty where none is wanted or possible.
     *
     * @param flags for the JVM: one that collects garbage in another way can't map all of it
     */
    static Optional<ClassArchive> of(String mainClass, List<String> flags) {
        @Nullable String folder = System.getProperty(FOLDER);
        return folder == null
                ? Optional.empty()
                : jarOf(mainClass).map(jar -> of(Path.of(folder), flags, jarsOfTheClassPathBeside(jar)));
    }

    private static List<Path> jarsOfTheClassPathBeside(Path jar) {
        Path home = Objects.requireNonNull(jar.toAbsolutePath().getParent());
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .filter(Files::isRegularFile)
                .filter(one -> Files.exists(home.resolve(one.getFileName())))
                .sorted(Comparator.comparing(one -> one.getFileName().toString()))
                .toList();
    }

    private static ClassArchive of(Path folder, List<String> flags, List<Path> jars) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new ClassArchive(
                folder.resolve(digest(String.join(" ", flags) + jars) + ".jsa"),
                String.join(
                        File.pathSeparator, jars.stream().map(Path::toString).toList()));
    }

    /** The class path it belongs to. */
    String classPath() {
        return classPath;
    }

    /**
     * How a JVM uses it. One that is written for other versions of the jars is as good as none: the JVM compares them.
     *
     * @param serves whether what runs loads what is worth to be kept: then, where there is none, it is written when that ends in order
     */
    List<String> flags(boolean serves) {
        String use = "-XX:SharedArchiveFile=" + file;
        // The JVM would say of every class that can't be in it why.
        return serves ? List.of(use, "-XX:+AutoCreateSharedArchive", "-Xlog:cds*=off") : List.of(use, "-Xlog:cds*=off");
    }

    private static Optional<Path> jarOf(String mainClass) {
        var place = ClassArchive.class.getResource("/" + mainClass.replace('.', '/') + ".class");
        if (place == null || !place.getProtocol().equals("jar")) {
            return Optional.empty();
        }
        String jar = place.getPath();
        return Optional.of(Path.of(URI.create(jar.substring(0, jar.indexOf("!/")))));
    }

    private static String digest(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest).substring(0, NAME_LENGTH);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** What another JVM of ours must be told so that it keeps archives too. */
    static List<String> passedOn() {
        return Stream.ofNullable(System.getProperty(FOLDER))
                .map(folder -> "-D" + FOLDER + "=" + folder)
                .toList();
    }
}
