package io.holdfast.localstack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Finds out which process listens on a port, as far as this user is allowed to see it. */
final class PortHolder {

    private static final String LISTEN = "0A";

    private PortHolder() {}

    /** {@code " by redis-server (process 42)"}, or nothing if it cannot be seen. */
    static String describe(int port) {
        return Stream.of("/proc/net/tcp", "/proc/net/tcp6")
                .flatMap(table -> lines(Path.of(table)))
                .map(line -> line.strip().split("\\s+"))
                .filter(columns ->
                        columns.length > 9 && columns[3].equals(LISTEN) && columns[1].endsWith(":%04X".formatted(port)))
                .map(columns -> "socket:[" + columns[9] + "]")
                .flatMap(PortHolder::processesWith)
                .findFirst()
                .orElse("");
    }

    private static Stream<String> processesWith(String socket) {
        return ProcessHandle.allProcesses()
                .filter(process -> holds(process.pid(), socket))
                .map(process -> " by %s (process %d)".formatted(name(process.pid()), process.pid()));
    }

    private static boolean holds(long pid, String socket) {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/" + pid + "/fd"))) {
            return descriptors.anyMatch(descriptor -> target(descriptor).equals(socket));
        } catch (IOException e) {
            return false; // gone meanwhile, or another user's: not to be seen
        }
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException e) {
            return "";
        }
    }

    private static String name(long pid) {
        return lines(Path.of("/proc/" + pid + "/comm")).findFirst().orElse("a program");
    }

    private static Stream<String> lines(Path file) {
        try {
            return Files.readAllLines(file).stream();
        } catch (IOException e) {
            return List.<String>of().stream();
        }
    }
}
