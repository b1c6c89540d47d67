package io.holdfast.localstack;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The servers' programs, unpacked once per content from the Maven artifacts that carry them into a cache of the user
 * ({@code $XDG_CACHE_HOME/holdfast} or {@code ~/.cache/holdfast}), or beside the data where there is no such place.
 */
final class Binaries {

    /** The processors that servers are brought along for. */
    enum Cpu {
        AMD64("postgres-linux-x86_64.txz", "redis-server-6.2.6-v5-linux-amd64"),
        ARM64("postgres-linux-arm_64.txz", "redis-server-6.2.7-linux-arm64");

        private final String postgres;
        private final String redis;

        Cpu(String postgres, String redis) {
            this.postgres = postgres;
            this.redis = redis;
        }

        List<String> resources() {
            return List.of(postgres, redis);
        }
    }

    /** What each resource's content is named after, once this JVM has read it whole: hundreds of servers may come of it. */
    private static final Map<String, String> DIGESTS = new ConcurrentHashMap<>();

    private final Path root;

    private Binaries(Path root) {
        this.root = root;
    }

    /** The user's cache, or {@code folder} if the user has no place for one. */
    static Binaries cachedOr(Path folder) {
        String xdg = System.getenv("XDG_CACHE_HOME");
        Path cache = xdg != null && !xdg.isBlank()
                ? Path.of(xdg, "holdfast")
                : Path.of(System.getProperty("user.home"), ".cache", "holdfast");
        if (!cache.isAbsolute()) {
            return in(folder);
        }
        try {
            return in(Files.isWritable(Files.createDirectories(cache)) ? cache : folder);
        } catch (IOException e) {
            return in(folder); // a user without a home, for example
        }
    }

    static Binaries in(Path folder) {
        return new Binaries(folder);
    }

    /** The folder that holds PostgreSQL's {@code bin}, {@code lib} and {@code share}. */
    Path postgres() {
        return unpacked(Service.POSTGRES, cpu(Service.POSTGRES).postgres, Binaries::untar);
    }

    /** The {@code redis-server} program. */
    Path redisServer() {
        return unpacked(Service.REDIS, cpu(Service.REDIS).redis, (resource, to) -> {
                    Path program = to.resolve("redis-server");
                    Files.copy(resource, program);
                    makeExecutable(program, 0755);
                })
                .resolve("redis-server");
    }

    private interface Unpack {
        void into(InputStream resource, Path folder) throws IOException;
    }

    private Path unpacked(Service service, String resource, Unpack unpack) {
        try {
            Path target = root.resolve(service.name().toLowerCase(Locale.ROOT) + "-"
                    + digestOf(service, resource).substring(0, 16));
            if (Files.isDirectory(target)) {
                return target;
            }
            Files.createDirectories(root);
            Path fresh = Files.createTempDirectory(root, "unpacking-");
            try (InputStream in = open(service, resource)) {
                Files.setPosixFilePermissions(fresh, permissions(0755));
                unpack.into(in, fresh);
                return settle(fresh, target);
            } finally {
                FileTree.delete(fresh);
            }
        } catch (IOException e) {
            throw new LocalStackException(
                    "%s could not be unpacked into %s (%s): make that folder writable with 100 MB of space, or set XDG_CACHE_HOME to one"
                            .formatted(service.title(), root, e),
                    e);
        }
    }

    /** All or nothing: the name appears only when everything is in it, and the first of several who unpack at once wins. */
    private static Path settle(Path fresh, Path target) throws IOException {
        try {
            return Files.move(fresh, target, java.nio.file.StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException e) {
            throw e;
        } catch (FileAlreadyExistsException e) {
            return target;
        } catch (FileSystemException e) {
            if (Files.isDirectory(target)) {
                return target;
            }
            throw e;
        }
    }

    private static void untar(InputStream resource, Path folder) throws IOException {
        try (TarArchiveInputStream tar =
                new TarArchiveInputStream(new XZCompressorInputStream(new BufferedInputStream(resource)))) {
            for (@Nullable TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                Path target = entry.resolveIn(folder);
                if (entry.isDirectory()) {
                    Files.createDirectories(target);
                    continue;
                }
                Files.createDirectories(parent(target));
                if (entry.isSymbolicLink()) {
                    Files.createSymbolicLink(target, Path.of(entry.getLinkName()));
                } else {
                    Files.copy(tar, target);
                    makeExecutable(target, entry.getMode());
                }
            }
        }
    }

    private static Path parent(Path path) throws IOException {
        Path parent = path.getParent();
        if (parent == null) {
            throw new IOException(path + " has no folder");
        }
        return parent;
    }

    private static void makeExecutable(Path file, int mode) throws IOException {
        Files.setPosixFilePermissions(file, permissions(mode));
    }

    /** Readable for all, because the server may run as another user; executable for all if it is for its owner. */
    private static Set<PosixFilePermission> permissions(int mode) {
        EnumSet<PosixFilePermission> granted = EnumSet.of(
                PosixFilePermission.OWNER_READ,
                PosixFilePermission.OWNER_WRITE,
                PosixFilePermission.GROUP_READ,
                PosixFilePermission.OTHERS_READ);
        if ((mode & 0100) != 0) {
            granted.add(PosixFilePermission.OWNER_EXECUTE);
            granted.add(PosixFilePermission.GROUP_EXECUTE);
            granted.add(PosixFilePermission.OTHERS_EXECUTE);
        }
        return granted;
    }

    private static String digestOf(Service service, String resource) throws IOException {
        @Nullable String known = DIGESTS.get(resource);
        if (known != null) {
            return known;
        }
        String digest = digest(service, resource);
        DIGESTS.put(resource, digest);
        return digest;
    }

    private static String digest(Service service, String resource) throws IOException {
        try (DigestInputStream in =
                new DigestInputStream(open(service, resource), MessageDigest.getInstance("SHA-256"))) {
            in.transferTo(java.io.OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(in.getMessageDigest().digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private static InputStream open(Service service, String resource) {
        InputStream in = Binaries.class.getResourceAsStream("/" + resource);
        if (in == null) {
            throw new LocalStackException(
                    "the program of %s (%s) is not on the class path: add the Maven artifact that carries it for this machine"
                            .formatted(service.title(), resource));
        }
        return in;
    }

    private static Cpu cpu(Service service) {
        return cpu(service, System.getProperty("os.name"), System.getProperty("os.arch"));
    }

    static Cpu cpu(Service service, String os, String arch) {
        if (!os.equalsIgnoreCase("linux")) {
            throw unsupported(service, os, arch);
        }
        return switch (arch) {
            case "amd64", "x86_64" -> Cpu.AMD64;
            case "aarch64", "arm64" -> Cpu.ARM64;
            default -> throw unsupported(service, os, arch);
        };
    }

    private static LocalStackException unsupported(Service service, String os, String arch) {
        return new LocalStackException(
                "no %s is brought along for %s on %s (only Linux on amd64 and arm64): name a %s of your own in the configuration"
                        .formatted(service.title(), os, arch, service.title()));
    }
}
