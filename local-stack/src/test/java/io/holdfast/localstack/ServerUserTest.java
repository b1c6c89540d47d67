package io.holdfast.localstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/**
 * PostgreSQL refuses root. What can be tried depends on who runs the tests: root tries all ways there are, and other users
 * besides; anybody else can only be themselves. Each test says which it did.
 */
@DisplayNameGeneration(ReplaceUnderscores.class)
class ServerUserTest {

    private static final boolean ROOT = ServerUser.isRoot();

    private Path open;

    /** Not below the project: that may lie where another user may not go. */
    @BeforeEach
    void make_a_folder_everybody_can_enter() throws IOException {
        open = Files.createTempDirectory(Path.of("/tmp"), "local-stack-");
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    @AfterEach
    void remove_it() {
        FileTree.delete(open);
    }

    @Test
    void PostgreSQL_runs_in_every_way_that_is_open_to_us() throws IOException {
        List<ServerUser> ways = ROOT
                ? Stream.of(ServerUser.NAMESPACE, ServerUser.NOBODY)
                        .filter(ServerUser::works)
                        .toList()
                : List.of(ServerUser.OURSELVES);
        System.out.println("PostgreSQL is tried as " + ways);
        assertThat(ways).contains(ServerUser.forThisProcess());
        for (ServerUser way : ways) {
            Path folder = open.resolve(way.name());
            unpackInto(folder.resolve("programs"));
            PostgresSettings settings = PostgresSettings.in(folder);
            try (PostgresServer server = PostgresServer.start(settings, way)) {
                server.kill();
                server.start();
                assertThat(uid(server.pid()))
                        .isEqualTo(
                                way == ServerUser.NOBODY
                                        ? "65534"
                                        : uid(ProcessHandle.current().pid()));
            }
            PostgresServer.start(settings, way).close();
        }
    }

    @Test
    void the_whole_stack_runs_for_a_user_who_is_not_root() throws Exception {
        List<String> prefix = anotherUser();
        System.out.println("the stack is tried as " + (prefix.isEmpty() ? "the user of this test" : prefix));
        unpackInto(open.resolve("cache").resolve("holdfast"));
        Files.setPosixFilePermissions(
                open.resolve("cache").resolve("holdfast"), PosixFilePermissions.fromString("rwxrwxrwx"));
        Map<String, String> cache =
                Map.of("XDG_CACHE_HOME", open.resolve("cache").toString());
        try (Owner owner = Owner.launch(prefix, readableClassPath(), open.resolve("data"), cache)) {
            Owner.Running running = owner.awaitUp();
            assertThat(running.both()).allMatch(ProcessIdentity::isAlive);
            owner.exit();
            assertThat(Signals.awaitEnd(running.both(), Duration.ofSeconds(30))).isTrue();
        }
    }

    @Test
    void as_root_without_namespaces_a_folder_that_nobody_may_enter_is_named() throws IOException {
        Path closed = Files.createDirectory(
                open.resolve("closed"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        PostgresSettings settings = PostgresSettings.in(closed.resolve("postgres"));
        if (ROOT) {
            assertThatThrownBy(() -> PostgresServer.start(settings, ServerUser.NOBODY))
                    .isInstanceOf(LocalStackException.class)
                    .hasMessageContaining("the user nobody may not enter " + closed);
        } else {
            System.out.println("not root: such a folder of our own is as good as any");
            PostgresServer.start(settings).close();
        }
    }

    /** Root becomes nobody, really if Java can be reached so, in a namespace otherwise. Others are somebody else already. */
    private static List<String> anotherUser() {
        if (!ROOT) {
            return List.of();
        }
        boolean reachable = Stream.iterate(
                        Path.of(System.getProperty("java.home")), path -> path != null, Path::getParent)
                .allMatch(ServerUserTest::othersMayEnter);
        return reachable ? ServerUser.NOBODY.prefix() : ServerUser.NAMESPACE.prefix();
    }

    private static boolean othersMayEnter(Path path) {
        try {
            return PosixFilePermissions.toString(Files.getPosixFilePermissions(path))
                    .endsWith("x");
        } catch (IOException e) {
            return false;
        }
    }

    /** A copy of what is unpacked already: unpacking takes long. */
    private void unpackInto(Path programs) {
        Path unpacked = Binaries.cachedOr(open.resolve("programs")).postgres();
        FileTree.copy(unpacked, programs.resolve(unpacked.getFileName()));
    }

    /** Our class path as copies that the other user can read; Kafka is not needed for it. */
    private String readableClassPath() throws IOException {
        Path copies = Files.createDirectory(open.resolve("class-path"));
        List<String> paths = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path from = Path.of(entry);
            Path to = copies.resolve(paths.size() + "-" + from.getFileName());
            if (Files.isDirectory(from)) {
                FileTree.copy(from, to);
                paths.add(to.toString());
            } else if (Set.of("postgres", "embedded", "commons", "xz").stream()
                    .anyMatch(from.getFileName().toString()::startsWith)) {
                Files.copy(from, to);
                paths.add(to.toString());
            }
        }
        return String.join(File.pathSeparator, paths);
    }

    private static String uid(long pid) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
                .filter(line -> line.startsWith("Uid:"))
                .map(line -> line.split("\\s+")[1])
                .findFirst()
                .orElseThrow();
    }
}
