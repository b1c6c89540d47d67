package io.holdfast.localstack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One process for all time: its number, when it began and in which boot of the machine. A process number alone is given out
 * again, so nothing is ever signalled by number alone.
 *
 * @param startTicks field 22 of {@code /proc/<pid>/stat}: clock ticks from boot to the start of the process
 */
record ProcessIdentity(String bootId, long pid, long startTicks) {

    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

    /** Shell text that writes the identity of the shell itself, which its {@code exec} keeps, to {@code "$0"}. */
    static final String RECORD_SELF = "cat " + BOOT_ID + " /proc/$$/stat >\"$0\" || exit 125; ";

    /** What {@link #RECORD_SELF} wrote; empty if the file is absent or was not written to its end. */
    static Optional<ProcessIdentity> read(Path record) {
        try {
            List<String> lines = Files.readAllLines(record);
            return lines.size() < 2 ? Optional.empty() : parse(lines.get(0), lines.get(1));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    static Optional<ProcessIdentity> of(long pid) {
        try {
            return parse(Files.readString(BOOT_ID), Files.readString(stat(pid)));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Whether exactly this process still runs; one that ended and only waits to be collected does not. */
    boolean isAlive() {
        try {
            return of(pid).filter(this::equals).isPresent() && (!stateOf(pid).equals("Z") || hasOtherThreads());
        } catch (IOException e) {
            return false;
        }
    }

    /** Whether it stands still after SIGSTOP, or has ended. */
    boolean isStopped() {
        try {
            return !isAlive() || stateOf(pid).equals("T");
        } catch (IOException e) {
            return true;
        }
    }

    /** The first thread can have ended while others still do: until the last is gone, ports and locks are held. */
    private boolean hasOtherThreads() throws IOException {
        try (Stream<Path> threads = Files.list(Path.of("/proc/" + pid + "/task"))) {
            return threads.count() > 1;
        }
    }

    /** One letter: R running, S sleeping, T stopped by a signal, Z ended and not yet collected. */
    private static String stateOf(long pid) throws IOException {
        return afterName(Files.readString(stat(pid))).substring(0, 1);
    }

    private static Path stat(long pid) {
        return Path.of("/proc/" + pid + "/stat");
    }

    private static Optional<ProcessIdentity> parse(String bootId, String stat) {
        String[] fields = afterName(stat).split(" ");
        int blank = stat.indexOf(' ');
        if (fields.length < 20 || blank < 1) {
            return Optional.empty();
        }
        try {
            return Optional.of(new ProcessIdentity(
                    bootId.strip(), Long.parseLong(stat.substring(0, blank)), Long.parseLong(fields[19])));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** The fields from the third on: the second is the program's name in brackets and may hold blanks and brackets. */
    private static String afterName(String stat) {
        return stat.substring(Math.min(stat.length(), stat.lastIndexOf(')') + 2))
                .strip();
    }
}
