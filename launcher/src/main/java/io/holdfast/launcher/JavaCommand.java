package io.holdfast.launcher;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Another JVM like this one: same JDK, same class path. */
public final class JavaCommand {

    /** Soon there and small, for what does not live long. */
    private static final List<String> LIGHT = List.of("-Xmx512m", "-XX:+UseParallelGC", "-XX:TieredStopAtLevel=1");

    private JavaCommand() {}

    static ProcessBuilder of(String mainClass, List<String> arguments) {
        return of(mainClass, LIGHT, arguments);
    }

    /**
     * How to start it. No setting in this process's environment reaches it.
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
        // What the file or the caller says must hold here, not what the shell of whoever walks happens to have set.
        builder.environment().keySet().removeIf(name -> name.startsWith("HOLDFAST_"));
        return builder;
    }
}
