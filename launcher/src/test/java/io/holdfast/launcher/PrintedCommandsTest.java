package io.holdfast.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.config.Settings;
import io.holdfast.localstack.LocalStack;
import io.holdfast.localstack.LocalStackSettings;
import io.holdfast.node.Node;
import io.holdfast.node.NodeProcessLife;
import io.holdfast.reservation.domain.ReservationIds;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TimeZone;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What people are told to paste does what they are told it does: wherever they live, whatever the time. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class PrintedCommandsTest {

    private static final TimeZone ZONE = TimeZone.getDefault();

    @TempDir
    static Path folder;

    private static LocalStack stack;

    @BeforeAll
    static void start() {
        NodeProcessLife.logErrorsOnly();
        stack = LocalStack.start(LocalStackSettings.in(folder.resolve("stack")));
    }

    @AfterAll
    static void stop() {
        stack.close();
    }

    @AfterEach
    void zoneOfThisMachine() {
        TimeZone.setDefault(ZONE);
    }

    private static Node node(InstantSource clock) throws IOException {
        Path config = NodeConfigFile.write(folder.resolve("dev.conf"), stack, FreePort.from(18_280));
        return Node.start(Settings.load(Optional.of(config), Map.of()), clock);
    }

    private static Welcome welcome(Node node, SamplePools.Ready pools, LocalDate today) {
        return new Welcome(
                node.address(),
                "some",
                "none",
                "here",
                today,
                pools.pool(),
                pools.remarks(),
                URI.create("http://127.0.0.1:1"),
                "",
                false);
    }

    @ParameterizedTest
    @CsvSource({
        // Still the day before there, in the evening.
        "America/Los_Angeles, 2031-03-10T03:30:00Z, 2031-03-10",
        // The next day already, after midnight.
        "Pacific/Kiritimati, 2031-05-09T11:30:00Z, 2031-05-09"
    })
    void the_welcome_holds_a_ramen_of_the_day_that_the_node_goes_by(String zone, Instant moment, LocalDate day)
            throws Exception {
        TimeZone.setDefault(TimeZone.getTimeZone(zone));
        assertThat(LocalDate.ofInstant(moment, TimeZone.getDefault().toZoneId()))
                .as("an awkward hour")
                .isNotEqualTo(day);
        Duration ahead = Duration.between(Instant.now(), moment);
        try (Node node = node(() -> Instant.now().plus(ahead))) {
            var api = new Api(node.address());
            LocalDate today = node.businessDay(SamplePools.MERCHANT);
            assertThat(today).isEqualTo(day);

            SamplePools.Ready pools = SamplePools.ensure(api, today);

            assertThat(pools.remarks()).isEmpty();
            List<CurlCommand> commands =
                    CurlCommand.in(welcome(node, pools, today).toString());
            assertThat(commands).hasSize(5);
            var held = commands.get(0).sendTo(node.address());
            assertThat(held.statusCode()).as(held.body()).isEqualTo(201);
            assertThat(held.body()).contains("\"status\":\"RESERVED\"");
            var pool = commands.get(1).sendTo(node.address());
            assertThat(pool.body()).contains("\"status\":\"OPEN\"", "\"reserved\":1");
            assertThat(commands.get(2).sendTo(node.address()).statusCode()).isEqualTo(200);
            assertThat(commands.get(3).sendTo(node.address()).body()).contains("/docs/http.md");
            var byDish = api.post(
                    "/v1/reservations",
                    Map.of(
                            "merchant",
                            SamplePools.MERCHANT,
                            "dish",
                            "ramen",
                            "order_id",
                            "o-2",
                            "order_item_id",
                            "o-2-" + zone.replace('/', '-'),
                            "quantity",
                            1));
            assertThat(byDish.text("/terms/pool")).isEqualTo(pools.pool());
        }
    }

    @Test
    void the_readme_can_be_followed_line_by_line() throws Exception {
        String readme = Files.readString(Path.of("..", "README.md"));
        String tried = readme.substring(readme.indexOf("## Try it"), readme.indexOf("## What it promises"));
        List<CurlCommand> commands = CurlCommand.in(tried);
        assertThat(commands).hasSizeGreaterThanOrEqualTo(5);
        try (Node node = node(InstantSource.system())) {
            for (CurlCommand command : commands) {
                var answer = command.sendTo(node.address());
                assertThat(answer.statusCode())
                        .as("%s: %s", command, answer.body())
                        .isBetween(200, 201);
            }
        }
        assertThat(tried)
                .contains("./holdfast audit replay " + ReservationIds.journalFirst("noodle-bar", "soup", "o-1-1"));
    }
}
