package io.holdfast.launcher;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
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
 * processor time. The first node that serves writes it. Only where the system property {@value #FOLDER} names a folder, as it does for the
 * tests of the build, which start many nodes; and only for a program that comes from jars, since the JVM archives no others. All modules
 * share one: its class path is what lies beside the program's own jar, as a production node's does, and nothing else that tests need.
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
        if (folder == null || !Files.isExecutable(program("jcmd"))) {
            return Optional.empty();
        }
        return jarOf(mainClass).map(jar -> of(Path.of(folder), flags, jarsOfTheClassPathBeside(jar)));
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
        String where = String.join(" ", flags) + jars;
        StringBuilder what = new StringBuilder();
        try {
            for (Path jar : jars) {
                what.append(Files.size(jar))
                        .append(' ')
                        .append(Files.getLastModifiedTime(jar).toMillis())
                        .append('\n');
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new ClassArchive(
                folder.resolve(digest(where) + "-" + digest(what.toString()) + ".jsa"),
                String.join(
                        File.pathSeparator, jars.stream().map(Path::toString).toList()));
    }

    /** The class path it belongs to. */
    String classPath() {
        return classPath;
    }

    /** How a JVM uses it, or prepares for {@link #writeFrom}. */
    List<String> flags() {
        // The JVM would say of every class that can't be in it why.
        return List.of(isWritten() ? "-XX:SharedArchiveFile=" + file : "-XX:+RecordDynamicDumpInfo", "-Xlog:cds*=off");
    }

    /**
     * Writes it, unless it is written or somebody is at it. The process must have been started with {@link #flags}, and should serve.
     *
     * @return whether it tried: then the process must be ended. A JVM that has written its archive while it runs can crash when it next
     *     makes the class of a lambda.
     */
    boolean writeFrom(Process process) throws IOException, InterruptedException {
        if (isWritten()) {
            return false;
        }
        Path folder = Files.createDirectories(file.toAbsolutePath().getParent());
        try (FileChannel channel =
                        FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                @Nullable FileLock lock = channel.tryLock()) {
            if (lock == null || isWritten()) {
                return false;
            }
            removeThoseOfEarlierBuilds(folder);
            dump(process, folder.resolve(file.getFileName() + ".unfinished").toAbsolutePath());
            return true;
        } catch (OverlappingFileLockException e) {
            return false; // another thread of this JVM is at it
        }
    }

    private void dump(Process process, Path unfinished) throws IOException, InterruptedException {
        var jcmd = new ProcessBuilder(
                        program("jcmd").toString(),
                        Long.toString(process.pid()),
                        "VM.cds",
                        "dynamic_dump",
                        unfinished.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (jcmd.waitFor() == 0 && Files.exists(unfinished)) {
            Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
        } else {
            // Nodes start without it, only more slowly.
            System.err.println("The classes of process " + process.pid() + " could not be archived: " + said.strip());
        }
    }

    /** A process that has one in its memory keeps it. */
    private void removeThoseOfEarlierBuilds(Path folder) throws IOException {
        String where = file.getFileName().toString().substring(0, NAME_LENGTH);
        try (Stream<Path> files = Files.list(folder)) {
            for (Path old : files.filter(one -> one.getFileName().toString().startsWith(where))
                    .toList()) {
                Files.deleteIfExists(old);
            }
        }
    }

    private boolean isWritten() {
        return Files.isRegularFile(file);
    }

    private static Optional<Path> jarOf(String mainClass) {
        var place = ClassArchive.class.getResource("/" + mainClass.replace('.', '/') + ".class");
        if (place == null || !place.getProtocol().equals("jar")) {
            return Optional.empty();
        }
        String jar = place.getPath();
        return Optional.of(Path.of(URI.create(jar.substring(0, jar.indexOf("!/")))));
    }

    private static Path program(String name) {
        return Path.of(System.getProperty("java.home"), "bin", name);
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
