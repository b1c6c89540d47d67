package io.holdfast.localstack;

import io.holdfast.localstack.Signals.Signal;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One running server program.
 *
 * <ol>
 *   <li>It is launched in a session of its own, so Ctrl-C on the terminal reaches only the JVM, which then stops things in order.
 *   <li>Before the program begins, its process writes its own identity into the data folder.
 *   <li>A guard, a tiny shell, waits on a pipe that only this JVM holds. When the JVM ends in whatever way, the pipe ends,
 *       and the guard asks the server to stop.
 *   <li>Whoever starts a server in that folder next reaps what the record names and still lives: the guard may have been
 *       killed too.
 * </ol>
 */
final class ServerProcess {

    private static final String RECORD = "process";
    static final String LOG = "server.log";
    private static final long LOG_LIMIT_BYTES = 16L * 1024 * 1024;
    private static final int GUARD_PATIENCE_SECONDS = 30;

    /** Arguments: process number, start ticks, signal, seconds. Field 20 after the program's name is the start. */
    private static final String GUARD = """
        pid=$0 ticks=$1 signal=$2 patience=$3
        same() {
          read -r stat 2>/dev/null <"/proc/$pid/stat" || return 1
          set -- ${stat##*") "}
          [ "${20}" = "$ticks" ] && [ "$1" != Z ]
        }
        while read -r _; do :; done
        waited=0
        while same; do
          [ "$((waited % 5))" -eq 0 ] && kill -"$signal" "$pid" && kill -CONT "$pid"
          [ "$waited" -eq "$((patience * 10))" ] && kill -KILL "$pid"
          waited=$((waited + 1))
          sleep 0.1
        done
        """;

    private final Service service;
    private final Process process;
    private final ProcessIdentity identity;
    private final Process guard;
    private final Path log;
    private final long logStart;

    private ServerProcess(
            Service service, Process process, ProcessIdentity identity, Process guard, Path log, long logStart) {
        this.service = service;
        this.process = process;
        this.identity = identity;
        this.guard = guard;
        this.log = log;
        this.logStart = logStart;
    }

    /**
     * Launches the program; it need not be ready yet.
     *
     * @param goodbye the signal that asks this program to stop cleanly
     */
    static ServerProcess launch(Service service, DataFolder folder, List<String> command, Signal goodbye) {
        Path record = folder.resolve(RECORD);
        Path log = folder.resolve(LOG);
        try {
            Files.deleteIfExists(record);
            long logStart = Files.exists(log) ? Files.size(log) : 0;
            if (logStart > LOG_LIMIT_BYTES) {
                Files.delete(log);
                logStart = 0;
            }
            List<String> line =
                    new ArrayList<>(List.of("setsid", "sh", "-c", ProcessIdentity.RECORD_SELF + "exec \"$@\""));
            line.add(record.toString());
            line.addAll(command);
            Process process = builder(line)
                    .directory(folder.path().toFile())
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
            // A process that is gone already has no identity any more: one that never lives stands in, so that waiting
            // ends.
            ProcessIdentity identity =
                    ProcessIdentity.of(process.pid()).orElse(new ProcessIdentity("ended at once", process.pid(), -1));
            return new ServerProcess(service, process, identity, guard(identity, goodbye), log, logStart);
        } catch (IOException e) {
            throw new LocalStackException(
                    "%s did not start (%s): make sure that `sh` and `setsid` (package util-linux) are on the PATH and %s is writable"
                            .formatted(service.title(), e.getMessage(), folder.path()),
                    e);
        }
    }

    /**
     * Ends the server that an earlier owner of the folder left behind, if there is one. Only the very process on record is
     * touched, never another one that was given its number.
     */
    static void reap(Service service, DataFolder folder, Signal goodbye, Duration patience) {
        Path record = folder.resolve(RECORD);
        ProcessIdentity.read(record)
                .filter(ProcessIdentity::isAlive)
                .ifPresent(left -> endLeftOver(service.title(), left, goodbye, patience));
        try {
            Files.deleteIfExists(record);
        } catch (IOException e) {
            throw new LocalStackException(
                    "%s cannot be removed (%s): make the folder writable".formatted(record, e), e);
        }
    }

    /** Kills what a dead owner left running in a folder whose data nobody wants any more. */
    static void discard(Path abandoned) {
        ProcessIdentity.read(abandoned.resolve(RECORD))
                .filter(ProcessIdentity::isAlive)
                .ifPresent(
                        left -> endLeftOver("the server in " + abandoned, left, Signal.KILL, Duration.ofSeconds(10)));
    }

    private static void endLeftOver(String what, ProcessIdentity left, Signal goodbye, Duration patience) {
        List<ProcessIdentity> all = whole(left);
        Signals.send(Signal.CONT, all);
        if (Signals.ask(goodbye, left, patience)) {
            return;
        }
        Signals.send(Signal.KILL, all);
        if (!Signals.awaitEnd(List.of(left), Duration.ofSeconds(10))) {
            throw new LocalStackException(
                    "%s of an earlier run (process %d) does not end: stop it by hand and try again"
                            .formatted(what, left.pid()));
        }
    }

    /** Runs a program to its end, its words in the server's log; fails with the reason if it ends badly. */
    static void runToEnd(Service service, DataFolder folder, List<String> command) {
        ServerProcess run = launch(service, folder, command, Signal.TERM);
        if (Waiting.exitOf(run.process) != 0) {
            throw run.whyItEnded(Path.of(command.getFirst()), 0);
        }
        run.finish();
    }

    long pid() {
        return identity.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    boolean awaitEnd(Duration patience) {
        return Signals.awaitEnd(List.of(identity), patience);
    }

    /** Signals the server and everything it has forked. */
    void signalWhole(Signal signal) {
        Signals.send(signal, whole(identity));
    }

    /** SIGSTOP for the server and everything it has forked; returns when they stand still. */
    void freeze() {
        Signals.freeze(whole(identity));
    }

    /** Asks the server to end and waits; after the patience it is killed. */
    void end(Signal signal, Duration patience) {
        if (!Signals.ask(signal, identity, patience)) {
            kill();
            return;
        }
        finish();
    }

    /** SIGKILL for the server and everything it has forked, all at once; returns when none of them lives. */
    void kill() {
        List<ProcessIdentity> all = killWhole(identity);
        if (!Signals.awaitEnd(all, Duration.ofSeconds(20))) {
            throw new LocalStackException("%s (process %d) does not end even when killed: see why with `ps`"
                    .formatted(service.title(), identity.pid()));
        }
        finish();
    }

    /** Everything the server has written since this launch. */
    String output() {
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
            file.seek(Math.min(logStart, file.length()));
            byte[] bytes = new byte[(int) Math.min(file.length() - file.getFilePointer(), 256 * 1024)];
            file.readFully(bytes);
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }

    /** Why a server that has just been launched is gone, in one line. */
    LocalStackException whyItEnded(Path program, int port) {
        finish();
        return new StartFailure(service, program, port, Waiting.exitOf(process), output(), log).explain();
    }

    private void finish() {
        try {
            guard.getOutputStream().close();
        } catch (IOException e) {
            guard.destroyForcibly();
        }
    }

    private static List<ProcessIdentity> killWhole(ProcessIdentity root) {
        List<ProcessIdentity> all = whole(root);
        Signals.send(Signal.KILL, all);
        return all;
    }

    private static List<ProcessIdentity> whole(ProcessIdentity root) {
        Stream<ProcessIdentity> forked = ProcessHandle.of(root.pid()).stream()
                .flatMap(ProcessHandle::descendants)
                .map(ProcessHandle::pid)
                .map(ProcessIdentity::of)
                .flatMap(Optional::stream);
        return root.isAlive() ? Stream.concat(Stream.of(root), forked).toList() : List.of();
    }

    private static Process guard(ProcessIdentity identity, Signal goodbye) throws IOException {
        return builder(List.of(
                        "setsid",
                        "sh",
                        "-c",
                        GUARD,
                        Long.toString(identity.pid()),
                        Long.toString(identity.startTicks()),
                        goodbye.name(),
                        Integer.toString(GUARD_PATIENCE_SECONDS)))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** Variables meant for a PostgreSQL client or another Redis of the user's must not reach ours. */
    private static ProcessBuilder builder(List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("PG") || name.startsWith("KAFKA_"));
        builder.environment().put("LC_ALL", "C");
        return builder;
    }
}
