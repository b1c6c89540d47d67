package io.holdfast.localstack;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** Whole folders: removing and copying them. */
final class FileTree {

    private FileTree() {}

    /** Removes the folder and all in it; nothing there is fine. */
    static void delete(Path root) {
        if (!Files.exists(root)) {
            return;
        }
        walk(root, new Visitor() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failure) throws IOException {
                if (failure != null) {
                    throw failure;
                }
                Files.deleteIfExists(folder);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /** Copies the folder and all in it, with its rights, to a place where nothing is yet. What its owner removes meanwhile is left out. */
    static void copy(Path from, Path to) {
        walk(from, new Visitor() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) throws IOException {
                Path copy = Files.createDirectories(to.resolve(from.relativize(folder)));
                Files.setPosixFilePermissions(copy, Files.getPosixFilePermissions(folder));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                try {
                    Files.copy(file, to.resolve(from.relativize(file)), StandardCopyOption.COPY_ATTRIBUTES);
                    return FileVisitResult.CONTINUE;
                } catch (NoSuchFileException e) {
                    return visitFileFailed(file, e);
                }
            }
        });
    }

    /** Others may be at work in the folder too: a file that is gone when its turn comes is no failure. */
    private abstract static class Visitor extends SimpleFileVisitor<Path> {

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
            if (failure instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
            }
            throw failure;
        }
    }

    private static void walk(Path root, Visitor visitor) {
        try {
            Files.walkFileTree(root, visitor);
        } catch (IOException e) {
            throw new LocalStackException(
                    "the files under %s could not be handled (%s): look at the folder's rights and space"
                            .formatted(root, e),
                    e);
        }
    }
}
