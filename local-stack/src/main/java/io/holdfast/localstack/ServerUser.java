package io.holdfast.localstack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** As whom a server runs that refuses to run as root. */
enum ServerUser {
    /** We are not root: as ourselves. */
    OURSELVES,
    /**
     * We are root and may make a user namespace: in there the process is nobody, while its files remain root's. Nothing has
     * to be handed over and every folder that root can enter will do.
     */
    NAMESPACE,
    /** We are root in a container that forbids namespaces: as the user nobody, who must be given the data. */
    NOBODY;

    private static final String NOBODY_ID = "65534";

    static ServerUser forThisProcess() {
        if (!isRoot()) {
            return OURSELVES;
        }
        return NAMESPACE.works() ? NAMESPACE : NOBODY;
    }

    /** The words to put before a command. */
    List<String> prefix() {
        return switch (this) {
            case OURSELVES -> List.of();
            case NAMESPACE -> List.of("unshare", "-U");
            case NOBODY -> List.of("setpriv", "--reuid=" + NOBODY_ID, "--regid=" + NOBODY_ID, "--clear-groups");
        };
    }

    /** Fails if this user is not to be had here or may not enter the folder. */
    void requireAccess(Service service, Path folder) {
        if (this != NOBODY) {
            return;
        }
        if (!works()) {
            throw new LocalStackException(
                    "%s does not run as root, and neither `unshare -U` nor `setpriv` works here: start as another user or install util-linux"
                            .formatted(service.title()));
        }
        requireReachable(service, folder);
    }

    /** Makes the file or folder this user's own. */
    void own(Path path) throws IOException {
        if (this == NOBODY && Files.exists(path)) {
            PosixFileAttributeView view = Files.getFileAttributeView(path, PosixFileAttributeView.class);
            UserPrincipal nobody =
                    path.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(NOBODY_ID);
            view.setOwner(nobody);
        }
    }

    private static void requireReachable(Service service, Path path) {
        for (@Nullable Path part = path; part != null; part = part.getParent()) {
            try {
                if (!Files.getPosixFilePermissions(part).contains(PosixFilePermission.OTHERS_EXECUTE)) {
                    throw new LocalStackException(
                            "%s does not run as root, and the user nobody may not enter %s: choose a folder all users can enter, or start as another user"
                                    .formatted(service.title(), part));
                }
            } catch (IOException e) {
                throw new LocalStackException(
                        "%s cannot be looked at (%s): choose another folder".formatted(part, e), e);
            }
        }
    }

    /** Whether this machine lets us run something so. */
    boolean works() {
        try {
            Process probe = new ProcessBuilder(
                            Stream.concat(prefix().stream(), Stream.of("true")).toList())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return probe.waitFor(10, TimeUnit.SECONDS) && probe.exitValue() == 0;
        } catch (IOException e) {
            return false; // no such program here
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    static boolean isRoot() {
        try {
            return Files.readAllLines(Path.of("/proc/self/status")).stream()
                    .filter(line -> line.startsWith("Uid:"))
                    .anyMatch(line -> line.split("\\s+", -1)[2].equals("0"));
        } catch (IOException e) {
            return "root".equals(System.getProperty("user.name"));
        }
    }
}
