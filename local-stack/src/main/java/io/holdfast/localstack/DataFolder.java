package io.holdfast.localstack;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The folder of one server: its data, log, settings, password and the record of its process. Owned by one JVM at a time
 * through a file lock, which the system gives back however the owner ends.
 */
final class DataFolder implements AutoCloseable {

    /**
     * The folders this JVM owns. Asked before the lock file is opened: closing any channel on a file drops every lock the
     * process holds on it, so a second look at an owned folder must not even open it.
     */
    private static final Set<Path> OWNED_HERE = ConcurrentHashMap.newKeySet();

    private final Path path;
    private final FileChannel channel;

    private DataFolder(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    /** Makes the folder if need be and takes it. */
    static DataFolder take(Service service, Path folder) {
        Path path = prepare(service, folder.toAbsolutePath().normalize());
        if (!OWNED_HERE.add(path)) {
            throw taken(service, path, Long.toString(ProcessHandle.current().pid()));
        }
        try {
            return new DataFolder(path, lock(service, path));
        } catch (LocalStackException e) {
            OWNED_HERE.remove(path);
            throw e;
        }
    }

    Path path() {
        return path;
    }

    Path resolve(String name) {
        return path.resolve(name);
    }

    /** Gives the folder back to whoever wants it next. */
    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new LocalStackException("the lock on " + path + " could not be given back: " + e.getMessage(), e);
        } finally {
            OWNED_HERE.remove(path);
        }
    }

    private static Path prepare(Service service, Path path) {
        try {
            Files.createDirectories(path);
            return path.toRealPath();
        } catch (IOException e) {
            throw notWritable(service, path, e);
        }
    }

    private static FileChannel lock(Service service, Path path) {
        Path file = path.resolve("owner.lock");
        try {
            FileChannel channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            FileLock lock = channel.tryLock();
            if (lock == null) {
                String owner = firstLine(channel);
                channel.close();
                throw taken(service, path, owner);
            }
            channel.truncate(0);
            channel.write(
                    ByteBuffer.wrap(Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII)));
            return channel;
        } catch (IOException e) {
            throw notWritable(service, path, e);
        }
    }

    private static String firstLine(FileChannel channel) throws IOException {
        ByteBuffer text = ByteBuffer.allocate(20);
        channel.read(text, 0);
        return StandardCharsets.US_ASCII.decode(text.flip()).toString().strip();
    }

    private static LocalStackException taken(Service service, Path path, String owner) {
        return new LocalStackException(
                "the folder %s for %s is in use by process %s: stop that program or choose another folder"
                        .formatted(path, service.title(), owner.isEmpty() ? "unknown" : owner));
    }

    private static LocalStackException notWritable(Service service, Path path, IOException cause) {
        String reason = cause instanceof AccessDeniedException
                ? "permission denied on " + cause.getMessage()
                : cause.toString();
        return new LocalStackException(
                "the folder %s for %s cannot be written (%s): make it writable or choose another folder"
                        .formatted(path, service.title(), reason),
                cause);
    }
}
