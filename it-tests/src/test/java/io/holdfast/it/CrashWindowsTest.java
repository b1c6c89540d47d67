package io.holdfast.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.it.Client.Answer;
import io.holdfast.it.CrashWindow.Doors;
import io.holdfast.it.CrashWindow.Journaled;
import io.holdfast.launcher.NodeProcess;
import io.holdfast.localstack.fault.FaultProxy;
import java.net.URI;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A node killed with SIGKILL exactly at each point between two steps, for each operation, and started again. Then: what was accepted comes
 * to its end though nobody asks, what was not did not happen, the request repeated gets its first answer, and everything moved once. All
 * operations are brought to a point together, since a start takes seconds; each has a pool of its own, so each is judged alone.
 */
@ParameterizedClass
@MethodSource("io.holdfast.it.Crash#all")
@DisplayNameGeneration(ReplaceUnderscores.class)
class CrashWindowsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static Site site;
    private static NodeProcess node;
    private static FaultProxy toNode;

    @Parameter
    private Crash crash;

    @BeforeAll
    static void open() throws Exception {
        site = Site.open("windows", Map.of());
        node = site.startProcess("""
            redis { command-timeout = 500ms, connect-timeout = 500ms }
              reservation.attempt-timeout = 600ms
              sweeper { grace = 1s, interval = 1s }\
            """);
        toNode = FaultProxy.to("127.0.0.1", node.address().getPort());
    }

    @AfterAll
    static void close() {
        toNode.close();
        node.close();
        site.close();
    }

    @BeforeParameterizedClassInvocation
    static void die(Crash crash) throws Exception {
        CrashWindow window = crash.window();
        Client beforehand = new Client(node.address());
        all().forEach(operation -> operation.prepare(beforehand, crash));
        Client client = new Client(URI.create("http://127.0.0.1:" + toNode.port()));
        Stores stores = new Stores(crash);
        try (var journal = new HeldJournal(site.database(), site.database())) {
            var doors = new Doors(site, toNode, journal);
            Map<Operation, CompletableFuture<Answer>> asked = new EnumMap<>(Operation.class);
            window.shut(doors);
            for (Operation operation : Operation.values()) {
                asked.put(operation, operation.ask(client, crash));
                window.reach(doors, stores, operation);
            }
            window.letOn(doors);
            node.kill();
            toNode.cut();
            asked.forEach((operation, answer) -> assertThat(answer.join().status())
                    .as("answer to %s", operation)
                    .isZero());
        }
        assertThat(stores.journals()).isEqualTo(expected(operation -> operation.journal(window.journaled)));
        assertThat(stores.versions()).isEqualTo(expected(operation -> operation.version(window.ran)));
        for (FaultProxy line : List.of(site.toRedis, toNode)) {
            // Cut first: what a dead node had sent must not arrive when the line is healed.
            line.cut();
            line.heal();
        }
        node.restart();
    }

    private static Stream<Operation> all() {
        return Stream.of(Operation.values());
    }

    private static <T> Map<Operation, T> expected(Function<Operation, T> of) {
        return all().collect(Collectors.toMap(Function.identity(), of));
    }

    /** Straight to the stores, past every door; a look at them wakes nobody. */
    private record Stores(Crash crash) implements CrashWindow.Stores {

        Map<Operation, List<String>> journals() throws SQLException {
            try (var database = site.database();
                    var question = database.prepareStatement("select type from journal_readable"
                            + " where entity_id = ? and type <> 'EffectStalled' order by sequence_number")) {
                Map<Operation, List<String>> journals = new EnumMap<>(Operation.class);
                for (Operation operation : Operation.values()) {
                    question.setString(1, operation.entity(crash));
                    List<String> types = new ArrayList<>();
                    try (var rows = question.executeQuery()) {
                        while (rows.next()) {
                            types.add(rows.getString(1));
                        }
                    }
                    journals.put(operation, types);
                }
                return journals;
            }
        }

        Map<Operation, Long> versions() {
            return Site.askRedis(
                    site.redis.uri(),
                    redis -> expected(operation -> {
                        String version = redis.hget("hf:{" + Client.pool(operation.dish(crash)) + "}:stock", "version");
                        return version == null ? 0 : Long.parseLong(version);
                    }));
        }

        @Override
        public boolean has(Operation operation, Journaled journaled) throws SQLException {
            return operation.journal(journaled).equals(journals().get(operation));
        }

        @Override
        public boolean ran(Operation operation) {
            return versions().get(operation) == operation.version(true);
        }
    }

    @ParameterizedTest
    @EnumSource
    void what_was_accepted_ends_by_itself_what_was_not_did_not_happen_and_everything_moves_once(Operation operation)
            throws Exception {
        List<String> untouched = operation.journal(crash.window().accepted() ? Journaled.OUTCOME : Journaled.NOTHING);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(new Stores(crash).journals().get(operation))
                        .as("journaled though nobody asks")
                        .isEqualTo(untouched));

        Client client = new Client(node.address());
        Answer repeated = operation.ask(client, crash).join();
        Answer again = operation.ask(client, crash).join();

        assertThat(repeated.status())
                .as("%s", repeated.body())
                .isEqualTo(operation.statusOf(crash.window().accepted()));
        assertThat(repeated.text("/status")).isEqualTo(operation.says);
        assertThat(repeated.replayed().isPresent())
                .as("the answer is of the first time")
                .isEqualTo(crash.window().accepted());
        assertThat(again.body()).isEqualTo(repeated.body());
        assertThat(again.replayed()).contains("true");
        assertThat(new Stores(crash).journals().get(operation)).isEqualTo(operation.journal());
        Answer pool = client.lookAtPool(operation.dish(crash));
        assertThat(Operation.Numbers.of(pool)).isEqualTo(operation.numbers);
        try (var database = site.database()) {
            Journals.of(database, Client.pool(operation.dish(crash))).agreeWith(pool);
        }
    }
}
