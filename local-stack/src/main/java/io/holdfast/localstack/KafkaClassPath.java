package io.holdfast.localstack;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where Kafka's own jars are. They are downloaded with this module but are on nobody's class path, lest they hide what a
 * production class path lacks; the build writes down which they are, relative to the local Maven repository.
 */
final class KafkaClassPath {

    private static final String LIST = "kafka-class-path.txt";
    private static final String REPOSITORY = "@/";
    private static final String KNOWN_JAR = "/org/postgresql/postgresql/";

    private KafkaClassPath() {}

    /** A class path for {@code java -cp}. */
    static String find() {
        List<String> jars = jars();
        List<Path> repositories = repositories().distinct().toList();
        for (Path repository : repositories) {
            List<Path> files = jars.stream().map(repository::resolve).toList();
            if (!files.isEmpty() && files.stream().allMatch(Files::isReadable)) {
                return String.join(
                        File.pathSeparator, files.stream().map(Path::toString).toList());
            }
        }
        if (KafkaClassPath.class.getResource("/kafka/Kafka.class") != null) {
            return System.getProperty("java.class.path");
        }
        throw new LocalStackException(
                "the program of Kafka is not in the Maven repository (looked in %s): run `./mvnw -pl local-stack package` once, which downloads it, or name a Kafka of your own in the configuration"
                        .formatted(repositories));
    }

    private static List<String> jars() {
        try (InputStream list = KafkaClassPath.class.getResourceAsStream(LIST)) {
            if (list == null) {
                return List.of();
            }
            return Stream.of(new String(list.readAllBytes(), StandardCharsets.UTF_8)
                            .strip()
                            .split(":"))
                    .filter(jar -> jar.startsWith(REPOSITORY))
                    .map(jar -> jar.substring(REPOSITORY.length()))
                    .toList();
        } catch (IOException e) {
            throw new LocalStackException(
                    "the list of Kafka's jars cannot be read (%s): build local-stack again".formatted(e), e);
        }
    }

    /** The repository that is named, the one our own class path comes from, Maven's default. */
    private static Stream<Path> repositories() {
        return Stream.of(
                        Optional.ofNullable(System.getProperty("maven.repo.local"))
                                .map(Path::of),
                        repositoryOfThisClassPath(),
                        Optional.of(Path.of(System.getProperty("user.home"), ".m2", "repository")))
                .flatMap(Optional::stream);
    }

    private static Optional<Path> repositoryOfThisClassPath() {
        CodeSource source = org.postgresql.Driver.class.getProtectionDomain().getCodeSource();
        if (source == null) {
            return Optional.empty();
        }
        try {
            String jar = Path.of(source.getLocation().toURI()).toString();
            int end = jar.lastIndexOf(KNOWN_JAR);
            return end < 0 ? Optional.empty() : Optional.of(Path.of(jar.substring(0, end)));
        } catch (URISyntaxException | IllegalArgumentException e) {
            return Optional.empty(); // not a file: some other way of loading
        }
    }
}
