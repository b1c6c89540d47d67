package io.holdfast.bench.gauge;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Processor time of a server: its first process, the children that live, and those that have ended. */
final class ProcessTree {

    private static final Path PROC = Path.of("/proc");
    /** What the kernel tells programs, whatever it counts in itself: USER_HZ is 100 on every Linux that Java runs on. */
    private static final long MICROS_PER_TICK = 10_000;

    private static final int TRIES = 10;

    private ProcessTree() {}

    /** Microseconds of processor time so far. A child that ends while it is read is counted once. */
    static long micros(long pid) {
        long ticks = 0;
        for (int i = 0; i < TRIES; i++) {
            long reaped = stat(pid).reapedTicks();
            long living = children(pid).stream().mapToLong(ProcessStat::ticks).sum();
            ProcessStat after = stat(pid);
            ticks = after.ticks() + after.reapedTicks() + living;
            if (after.reapedTicks() == reaped) {
                break;
            }
        }
        return ticks * MICROS_PER_TICK;
    }

    private static ProcessStat stat(long pid) {
        return read(PROC.resolve(Long.toString(pid)))
                .orElseThrow(() -> new IllegalStateException("process " + pid + " has ended"));
    }

    private static List<ProcessStat> children(long pid) {
        try (Stream<Path> processes = Files.list(PROC)) {
            return processes
                    .filter(path ->
                            Character.isDigit(path.getFileName().toString().charAt(0)))
                    .flatMap(path -> read(path).stream())
                    .filter(stat -> stat.parent() == pid)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Empty when the process has ended meanwhile. */
    private static Optional<ProcessStat> read(Path process) {
        try {
            return Optional.of(ProcessStat.parse(Files.readString(process.resolve("stat"))));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            // Reading the file of a process that ends at that moment fails with "No such process".
            if (Files.exists(process)) {
                throw new UncheckedIOException(e);
            }
            return Optional.empty();
        }
    }
}
