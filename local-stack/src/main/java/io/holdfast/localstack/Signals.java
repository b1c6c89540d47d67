package io.holdfast.localstack;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Signals to processes, and waiting for their end. Java itself can send only two of them. */
final class Signals {

    private static final Duration AGAIN = Duration.ofMillis(500);

    private Signals() {}

    enum Signal {
        TERM,
        INT,
        QUIT,
        KILL,
        STOP,
        CONT
    }

    /** Sends the signal to those that still live, all at once; a process that ends meanwhile is no error. */
    static void send(Signal signal, List<ProcessIdentity> processes) {
        List<String> alive = processes.stream()
                .filter(ProcessIdentity::isAlive)
                .map(process -> Long.toString(process.pid()))
                .toList();
        if (alive.isEmpty()) {
            return;
        }
        try {
            // The shell's own kill: /bin/kill is missing on small systems.
            Process kill = new ProcessBuilder("sh", "-c", "kill -" + signal + " " + String.join(" ", alive))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            Waiting.exitOf(kill); // not 0 if one of them has ended meanwhile
        } catch (IOException e) {
            throw new LocalStackException("no shell could be started to signal " + alive + ": put `sh` on the PATH", e);
        }
    }

    /**
     * Asks a process to end, again every half second, and waits. Redis forgets the request if it comes while it writes its
     * first append-only file. A stopped process is woken, or it would never hear.
     *
     * @return whether it has ended
     */
    static boolean ask(Signal goodbye, ProcessIdentity process, Duration patience) {
        long deadline = System.nanoTime() + patience.toNanos();
        do {
            send(goodbye, List.of(process));
            send(Signal.CONT, List.of(process));
            if (awaitEnd(List.of(process), AGAIN)) {
                return true;
            }
        } while (System.nanoTime() < deadline);
        return false;
    }

    /** Waits until none of the processes lives. False if some still do after the patience. */
    static boolean awaitEnd(List<ProcessIdentity> processes, Duration patience) {
        return Waiting.until(() -> processes.stream().noneMatch(ProcessIdentity::isAlive), patience);
    }

    /** Stops the processes, and returns when they stand still. */
    static void freeze(List<ProcessIdentity> processes) {
        send(Signal.STOP, processes);
        if (!Waiting.until(() -> processes.stream().allMatch(ProcessIdentity::isStopped), Duration.ofSeconds(10))) {
            throw new LocalStackException(
                    "the processes %s did not stop when told to: see why with `ps`".formatted(processes));
        }
    }
}
