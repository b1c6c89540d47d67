package io.holdfast.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.localstack.LocalStack;
import io.holdfast.localstack.LocalStackSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node that is asked to end, as a rolling update does, while the other one serves. Processes: what ends a JVM is part of it. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class RollingStopTest {

    private static final String POOL = "rolling:soup";
    private static final int HOLDS = 20;

    @TempDir
    Path folder;

    @Test
    void the_first_node_hands_over_and_leaves_and_the_second_is_not_disturbed() throws Exception {
        int api = FreePort.from(18_080);
        int cluster = FreePort.from(17_355);
        try (var stack = LocalStack.start(LocalStackSettings.in(folder.resolve("stack")));
                var first = NodeProcess.start(config("first", stack, api, cluster, cluster), api, log("first"))) {
            int otherApi = FreePort.from(api + 1);
            int otherCluster = FreePort.from(cluster + 1);
            try (var second = NodeProcess.start(
                    config("second", stack, otherApi, otherCluster, cluster), otherApi, log("second"))) {
                var caller = new Api(second.address());
                caller.put("/v1/pools/" + POOL, Map.of("total", 1000));
                assertThat(holds(caller, "before")).containsOnly(201);

                first.close();

                assertThat(holds(caller, "after")).containsOnly(201);
                assertThat(holds(caller, "before")).containsOnly(201);
                assertThat(caller.get("/v1/pools/" + POOL).number("/redis/books/reserved"))
                        .isEqualTo(2 * HOLDS);
            }
        }
        assertThat(log("first")).content().contains("Stopped after").doesNotContain("timed out", "UNREACHABLE");
        assertThat(log("second"))
                .content()
                .contains("Stopped after")
                .doesNotContain("SBR took decision", "UNREACHABLE");
    }

    private static List<Integer> holds(Api caller, String prefix) {
        return IntStream.range(0, HOLDS)
                .mapToObj(i -> caller.post(
                                "/v1/reservations",
                                Map.of(
                                        "pool",
                                        POOL,
                                        "order_id",
                                        "o-1",
                                        "order_item_id",
                                        prefix + "-" + i,
                                        "quantity",
                                        1))
                        .status())
                .toList();
    }

    private Path config(String name, LocalStack stack, int api, int cluster, int seed) throws IOException {
        Path file = NodeConfigFile.write(folder.resolve(name + ".conf"), stack, api);
        return Files.writeString(file, """

            holdfast.cluster { port = %d, seed-nodes = ["127.0.0.1:%d"] }
            """.formatted(cluster, seed), StandardOpenOption.APPEND);
    }

    private Path log(String name) {
        return folder.resolve(name + ".log");
    }
}
