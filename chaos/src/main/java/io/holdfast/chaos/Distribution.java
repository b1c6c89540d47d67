package io.holdfast.chaos;

import io.holdfast.launcher.NodeProcess;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A version of the product that nodes are started from.
 *
 * @param name for the report
 * @param classPath of a node; empty for that of this process
 */
record Distribution(String name, Optional<String> classPath) {

    /** The one this process is of. */
    static Distribution own(String name) {
        return new Distribution(name, Optional.empty());
    }

    /**
     * One that was built elsewhere.
     *
     * @param home the folder of its sources, built as {@code ./holdfast} does
     * @throws ChaosException if nothing is built there
     */
    static Distribution in(Path home) {
        Path jars = home.resolve("http-api").resolve("target").resolve("lib");
        if (!Files.isDirectory(jars)) {
            throw new ChaosException(
                    "There is nothing built in " + home + ": run ./holdfast check-config --help there.");
        }
        try (Stream<Path> all = Files.list(jars)) {
            String classPath = all.filter(jar -> jar.toString().endsWith(".jar"))
                    .map(Path::toString)
                    .sorted()
                    .collect(Collectors.joining(File.pathSeparator));
            return new Distribution(home.toString(), Optional.of(classPath));
        } catch (IOException e) {
            throw new ChaosException("The jars in " + jars + " can't be listed: " + e.getMessage());
        }
    }

    /** How to start a node with these settings; small and soon there. No setting in this process's environment reaches it. */
    ProcessBuilder node(Path config) {
        return classPath.map(path -> other(path, config)).orElseGet(() -> NodeProcess.command(config));
    }

    private static ProcessBuilder other(String classPath, Path config) {
        var builder = new ProcessBuilder(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                classPath,
                "io.holdfast.node.NodeMain",
                "node",
                "--config",
                config.toString()));
        builder.environment().keySet().removeIf(name -> name.startsWith("HOLDFAST_"));
        return builder;
    }
}
