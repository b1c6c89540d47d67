package io.holdfast.launcher;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Another JVM like this one: same JDK, same class path. */
final class JavaCommand {

    private JavaCommand() {}

    static ProcessBuilder of(String mainClass, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:+UseParallelGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                mainClass));
        command.addAll(arguments);
        var builder = new ProcessBuilder(command);
        // What the file says must hold here, not what the shell of whoever walks happens to have set.
        builder.environment().keySet().removeIf(name -> name.startsWith("HOLDFAST_"));
        return builder;
    }
}
