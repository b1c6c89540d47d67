package io.holdfast.launcher;

import io.holdfast.config.Settings;
import io.holdfast.launcher.tour.Tour;
import io.holdfast.localstack.LocalStack;
import io.holdfast.localstack.LocalStackSettings;
import io.holdfast.localstack.PostgresAddress;
import io.holdfast.localstack.Service;
import io.holdfast.node.Node;
import io.holdfast.node.NodeProcessLife;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** PostgreSQL, Redis, Kafka and one node on this machine, with sample pools. */
@Command(
        name = "dev",
        mixinStandardHelpOptions = true,
        description =
                "PostgreSQL, Redis, Kafka and one node on this machine, with sample pools. Needs nothing installed. A"
                        + " PostgreSQL, Redis or Kafka you have is used instead when HOLDFAST_POSTGRES_URL, _USER,"
                        + " _PASSWORD, HOLDFAST_REDIS_URL or HOLDFAST_KAFKA_BOOTSTRAP_SERVERS name it.")
final class DevCommand implements Callable<Integer> {

    private static final int USUAL_PORT = 8080;

    @Option(names = "--tour", description = "Walk through every promise on a fresh stack, check each, and end.")
    private boolean tour;

    @Option(
            names = "--folder",
            description = "Where the data is kept (default: ${DEFAULT-VALUE}).",
            defaultValue = ".holdfast")
    private Path folder = Path.of(".holdfast");

    @Option(names = "--no-kafka", description = "Without Kafka: starts some seconds sooner, and serves HTTP alone.")
    private boolean withoutKafka;

    @Option(names = "--port", description = "Port of the API; by default 8080, or the next one that is free.")
    private Optional<Integer> port = Optional.empty();

    @Override
    public Integer call() throws Exception {
        return tour ? walkTour() : serve();
    }

    private int serve() throws Exception {
        Map<String, String> environment = System.getenv();
        try (var stack = LocalStack.start(stackSettings(environment));
                var desk = OrderDesk.open()) {
            Path config = NodeConfigFile.write(
                    folder.resolve("dev.conf"), stack, httpPort(), Map.of("holdfast.orders.url", desk.urlForNodes()));
            Settings settings = Settings.load(Optional.of(config), NodeConfigFile.withoutItsOwn(environment));
            NodeProcessLife.logAs(settings);
            return NodeProcessLife.run(settings, node -> welcome(node, stack, desk), List.of(stack));
        }
    }

    private void welcome(Node node, LocalStack stack, OrderDesk desk) {
        URI address = node.address();
        desk.tells(new Api(address));
        String pool = SamplePools.ensure(new Api(address));
        System.out.printf(
                """

                Holdfast serves at %1$s
                  stores: %3$s, %4$s
                  events: %6$s
                  data:   %5$s (kept; remove the folder to begin anew)

                Hold one ramen, see the pool, see what happened:
                  curl -s -X POST %1$s/v1/reservations -H 'Content-Type: application/json' \\
                       -d '{"pool":"%2$s","order_id":"o-1","order_item_id":"i-1","quantity":1}'
                  curl -s %1$s/v1/pools/%2$s
                  curl -s '%1$s/v1/reservations?pool=%2$s'

                An order nobody reports is asked for after reservation.attention-after; say what became of it:
                  curl -s -X PUT %7$s/orders/o-1 -d created

                Ctrl-C stops it.
                """,
                address,
                pool,
                stack.postgresAddress().map(PostgresAddress::jdbcUrl).orElse("no PostgreSQL"),
                stack.redisUri().orElse("no Redis").replaceAll("//[^/@]*@", "//"),
                folder.toAbsolutePath().normalize(),
                stack.kafkaBootstrapServers()
                        .map(servers -> "Kafka at " + servers)
                        .orElse("none (--no-kafka)"),
                desk.address());
    }

    private int walkTour() throws IOException, InterruptedException {
        NodeProcessLife.logErrorsOnly();
        Path temporary = Files.createTempDirectory("holdfast-tour");
        System.out.println("Starting PostgreSQL, Redis, Kafka and a node in " + temporary + " …");
        boolean kept;
        try (var stack = LocalStack.start(
                LocalStackSettings.in(temporary.resolve("stores")).withServices(services()))) {
            int httpPort = FreePort.from(port.orElse(USUAL_PORT));
            Path config = NodeConfigFile.write(temporary.resolve("tour.conf"), stack, httpPort, Tour.SETTINGS);
            try (var node = NodeProcess.start(config, httpPort, temporary.resolve("node.log"))) {
                kept = Tour.walk(
                        node,
                        stack.redis().orElseThrow(),
                        stack.kafkaBootstrapServers(),
                        new AuditProcess(config),
                        System.out);
            }
        }
        if (kept) {
            remove(temporary);
        } else {
            System.out.println("What the node said is in " + temporary.resolve("node.log") + ".");
        }
        return kept ? 0 : 1;
    }

    private int httpPort() {
        if (port.isPresent()) {
            if (!FreePort.free(port.get())) {
                throw new LaunchException("Port " + port.get() + " is taken: free it, or choose another with --port.");
            }
            return port.get();
        }
        int free = FreePort.from(USUAL_PORT);
        if (free != USUAL_PORT) {
            System.out.println("Port " + USUAL_PORT + " is taken; using " + free + ".");
        }
        return free;
    }

    private LocalStackSettings stackSettings(Map<String, String> environment) {
        LocalStackSettings settings = LocalStackSettings.in(folder).withServices(services());
        String postgres = environment.get("HOLDFAST_POSTGRES_URL");
        if (postgres != null) {
            settings = settings.usingPostgres(new PostgresAddress(
                    postgres,
                    environment.getOrDefault("HOLDFAST_POSTGRES_USER", "holdfast"),
                    environment.getOrDefault("HOLDFAST_POSTGRES_PASSWORD", "")));
        }
        String redis = environment.get("HOLDFAST_REDIS_URL");
        if (redis != null) {
            settings = settings.usingRedis(redis);
        }
        String kafka = environment.get("HOLDFAST_KAFKA_BOOTSTRAP_SERVERS");
        return kafka == null || withoutKafka ? settings : settings.usingKafka(kafka);
    }

    private Set<Service> services() {
        return withoutKafka ? EnumSet.of(Service.POSTGRES, Service.REDIS) : EnumSet.allOf(Service.class);
    }

    private static void remove(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
