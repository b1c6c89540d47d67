package io.holdfast.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Another JVM like this one: same JDK, same class path. */
public final class ChildJvm {

    private ChildJvm() {}

    /**
     * How to start it. Nothing of this process's settings reaches it.
     *
     * @param flags for the JVM, besides those everything of ours needs
     */
    public static ProcessBuilder of(String mainClass, List<String> flags, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.addAll(List.of(
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                mainClass));
        command.addAll(arguments);
        var builder = new ProcessBuilder(command);
        builder.environment().keySet().removeIf(name -> name.startsWith("HOLDFAST_"));
        return builder;
    }
}
