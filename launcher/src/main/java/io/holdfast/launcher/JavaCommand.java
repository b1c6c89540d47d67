package io.holdfast.launcher;

import io.holdfast.localstack.DataTemplate;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Another JVM like this one: same JDK, same class path. */
public final class JavaCommand {

    /** Soon there and small, for what does not live long. */
    static final List<String> LIGHT = List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private JavaCommand() {}

    /** How to start what serves, light, with its classes from an archive where there is one. */
    public static ProcessBuilder serving(String mainClass, List<String> arguments) {
        return light(mainClass, arguments, true);
    }

    /** How to start what answers and ends, likewise. */
    static ProcessBuilder answering(String mainClass, List<String> arguments) {
        return light(mainClass, arguments, false);
    }

    private static ProcessBuilder light(String mainClass, List<String> arguments, boolean serves) {
        Optional<ClassArchive> archive = ClassArchive.of(mainClass, LIGHT);
        List<String> flags = new ArrayList<>(LIGHT);
        flags.addAll(ClassArchive.passedOn());
        flags.addAll(DataTemplate.passedOn());
        archive.ifPresent(kept -> flags.addAll(kept.flags(serves)));
        return of(
                mainClass,
                flags,
                arguments,
                archive.map(ClassArchive::classPath).orElseGet(JavaCommand::classPath));
    }

    /**
     * How to start it. No setting in this process's environment reaches it.
     *
     * @param flags for the JVM, besides those everything of ours needs
     */
    public static ProcessBuilder of(String mainClass, List<String> flags, List<String> arguments) {
        return of(mainClass, flags, arguments, classPath());
    }

    private static String classPath() {
        return System.getProperty("java.class.path");
    }

    private static ProcessBuilder of(String mainClass, List<String> flags, List<String> arguments, String classPath) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.addAll(List.of(
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                classPath,
                mainClass));
        command.addAll(arguments);
        var builder = new ProcessBuilder(command);
        // What the file or the caller says must hold here, not what the shell of whoever walks happens to have set.
        builder.environment().keySet().removeIf(name -> name.startsWith("HOLDFAST_"));
        return builder;
    }
}
