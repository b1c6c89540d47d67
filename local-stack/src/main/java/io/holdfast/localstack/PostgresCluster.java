package io.holdfast.localstack;

import io.holdfast.localstack.Signals.Signal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The files of one PostgreSQL cluster and the programs that work on them. */
final class PostgresCluster {

    static final String SUPERUSER = "holdfast";

    private static final String MAJOR_VERSION = "18";
    private static final int READY_LINE = 8;

    private static final List<String> INITDB = List.of(
            "--username=" + SUPERUSER,
            "--auth=scram-sha-256",
            // Rounds make a password hard to guess that somebody chose. Ours is of 128 random bits, and every
            // connection of
            // every test would pay for them: tens of milliseconds of a young JVM.
            "--set=scram_iterations=1",
            "--encoding=UTF8",
            "--locale=C",
            "--locale-provider=builtin",
            "--builtin-locale=C.UTF-8");

    private final Path data;
    private final Path program;
    private final ServerUser user;
    private final String password;

    private PostgresCluster(Path data, Path program, ServerUser user, String password) {
        this.data = data;
        this.program = program;
        this.user = user;
        this.password = password;
    }

    /** Finds the cluster in the folder, or makes one. */
    static PostgresCluster prepare(DataFolder folder, ServerUser user) {
        Path beside = folder.resolve("programs");
        Binaries binaries = user == ServerUser.NOBODY ? Binaries.in(beside) : Binaries.cachedOr(beside);
        user.requireAccess(Service.POSTGRES, folder.path());
        Path programs = binaries.postgres();
        Path data = folder.resolve("data");
        try {
            if (!Files.exists(data)) {
                create(folder, programs, user, data);
            }
            requireVersion(data);
            String password = Files.readString(passwordFile(folder)).strip();
            return new PostgresCluster(data, programs.resolve("bin").resolve("postgres"), user, password);
        } catch (IOException e) {
            throw new LocalStackException(
                    "the PostgreSQL data in %s cannot be used (%s): make the folder writable, or choose another one"
                            .formatted(folder.path(), e),
                    e);
        }
    }

    String password() {
        return password;
    }

    Path program() {
        return program;
    }

    List<String> serverCommand(Map<String, String> parameters) {
        List<String> command = new ArrayList<>(user.prefix());
        command.addAll(List.of(program.toString(), "-D", data.toString()));
        parameters.forEach((name, value) -> command.addAll(List.of("-c", name + "=" + value)));
        return command;
    }

    /** Whether this very server process says that it accepts connections: it writes so into its own status file. */
    boolean isReady(long pid) {
        try {
            List<String> status = Files.readAllLines(data.resolve("postmaster.pid"));
            return status.size() >= READY_LINE
                    && status.getFirst().strip().equals(Long.toString(pid))
                    && status.get(READY_LINE - 1).strip().equals("ready");
        } catch (IOException e) {
            return false; // not written yet
        }
    }

    /**
     * Kills backends that have outlived their server: one in the middle of a long computation does not notice for a while,
     * and the next server refuses to start beside it. They are told by program and working folder.
     */
    void endOrphans() {
        List<ProcessIdentity> orphans = ProcessHandle.allProcesses()
                .map(ProcessHandle::pid)
                .filter(pid -> link(pid, "cwd").equals(data.toString())
                        && link(pid, "exe").equals(program.toString()))
                .map(ProcessIdentity::of)
                .flatMap(Optional::stream)
                .toList();
        Signals.send(Signal.KILL, orphans);
        if (!Signals.awaitEnd(orphans, Duration.ofSeconds(10))) {
            throw new LocalStackException(
                    "processes of an earlier PostgreSQL in %s do not end: stop them by hand".formatted(data));
        }
    }

    private static String link(long pid, String name) {
        try {
            return Files.readSymbolicLink(Path.of("/proc/" + pid + "/" + name)).toString();
        } catch (IOException e) {
            return ""; // gone meanwhile, or another user's
        }
    }

    /** Under another name until it is whole, so that an interrupted first start leaves nothing half made. */
    private static void create(DataFolder folder, Path programs, ServerUser user, Path data) throws IOException {
        Path unfinished = folder.resolve("data.unfinished");
        FileTree.delete(unfinished);
        Path passwordFile = passwordFile(folder);
        Files.deleteIfExists(passwordFile);
        // Another user could not read what we have copied.
        Optional<Path> template = user == ServerUser.NOBODY
                ? Optional.empty()
                : DataTemplate.of(
                        programs.getFileName() + "-" + Integer.toHexString(INITDB.hashCode()),
                        made -> make(folder, programs, user, made.resolve("data"), made.resolve("password")));
        if (template.isPresent()) {
            Files.copy(template.get().resolve("password"), passwordFile, StandardCopyOption.COPY_ATTRIBUTES);
            FileTree.copy(template.get().resolve("data"), unfinished);
        } else {
            make(folder, programs, user, unfinished, passwordFile);
        }
        Files.move(unfinished, data, StandardCopyOption.ATOMIC_MOVE);
    }

    private static void make(DataFolder folder, Path programs, ServerUser user, Path data, Path passwordFile)
            throws IOException {
        Files.createFile(
                passwordFile, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(passwordFile, newPassword());
        Files.createDirectory(data, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        user.own(passwordFile);
        user.own(data);
        List<String> command = new ArrayList<>(user.prefix());
        command.addAll(List.of(
                programs.resolve("bin").resolve("initdb").toString(), "--pgdata=" + data, "--pwfile=" + passwordFile));
        command.addAll(INITDB);
        ServerProcess.runToEnd(Service.POSTGRES, folder, command);
    }

    private static void requireVersion(Path data) throws IOException {
        String found = Files.readString(data.resolve("PG_VERSION")).strip();
        if (!found.equals(MAJOR_VERSION)) {
            throw new LocalStackException(
                    "the data in %s was written by PostgreSQL %s, and this is %s: choose another folder, or move the data over with pg_dump"
                            .formatted(data, found, MAJOR_VERSION));
        }
    }

    private static Path passwordFile(DataFolder folder) {
        return folder.resolve("password");
    }

    private static String newPassword() {
        byte[] bytes = new byte[16];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
