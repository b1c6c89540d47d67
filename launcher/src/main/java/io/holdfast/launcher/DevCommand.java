package io.holdfast.launcher;

import io.holdfast.config.Settings;
import io.holdfast.launcher.tour.Tour;
import io.holdfast.localstack.LocalStack;
import io.holdfast.localstack.LocalStackSettings;
import io.holdfast.localstack.PostgresAddress;
import io.holdfast.localstack.Service;
import io.holdfast.node.Node;
import io.holdfast.node.NodeProcessLife;
import io.holdfast.node.UsageException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
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
    private static final int SANDBOX_PORT = 8280;
    private static final int CLUSTER_PORT = 7355;
    private static final Path USUAL_FOLDER = Path.of(".holdfast");
    private static final String CONFIG = "dev.conf";

    @Option(
            names = "--tour",
            description = "Walk through every promise on a fresh stack of its own, check each, and end.")
    private boolean tour;

    @Option(
            names = "--folder",
            description =
                    "Where the data is kept; .holdfast unless given. A tour uses a folder that it removes, unless one"
                            + " is given: that must be empty or new, and is kept.")
    private Optional<Path> folder = Optional.empty();

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
        Optional<Integer> wanted = port.map(DevCommand::claimed);
        starting(place().toAbsolutePath().normalize());
        try (var stack = LocalStack.start(stackSettings(environment));
                var desk = OrderDesk.open()) {
            Path config = NodeConfigFile.write(
                    place().resolve(CONFIG),
                    stack,
                    wanted.orElseGet(DevCommand::usualPortOrNext),
                    settings(
                            stack,
                            Map.of(
                                    "holdfast.orders.url",
                                    desk.urlForNodes(),
                                    "holdfast.cluster.port",
                                    FreePort.from(CLUSTER_PORT)),
                            FreePort.from(SANDBOX_PORT)));
            Map<String, String> others = NodeConfigFile.withoutItsOwn(environment);
            Settings asked = Settings.load(Optional.of(config), others);
            Optional<OwnToken> own = OwnToken.where(asked);
            Settings settings = own.map(token -> Settings.load(Optional.of(config), token.added(others)))
                    .orElse(asked);
            NodeProcessLife.logToAPersonAs(settings);
            return NodeProcessLife.run(
                    settings, node -> welcome(node, stack, desk, own), List.<AutoCloseable>of(() -> end(stack)));
        }
    }

    /** These, and where there is Kafka the built-in order service with a provider that takes no money. */
    private static Map<String, Object> settings(LocalStack stack, Map<String, ?> others, int sandboxPort) {
        Map<String, Object> all = new LinkedHashMap<>(others);
        if (stack.kafkaBootstrapServers().isPresent()) {
            all.put("holdfast.orders.service.kind", "built-in");
            all.put("holdfast.orders.service.payments.provider", "sandbox");
            all.put("holdfast.orders.service.payments.sandbox-port", sandboxPort);
        }
        return all;
    }

    private void starting(Path place) {
        System.out.println(
                "Starting PostgreSQL, Redis" + (withoutKafka ? "" : ", Kafka") + " and a node in " + place + " …");
    }

    private Path place() {
        return folder.orElse(USUAL_FOLDER);
    }

    private void end(LocalStack stack) {
        List<String> ours = new ArrayList<>();
        stack.kafka().ifPresent(_ -> ours.add("Kafka"));
        stack.redis().ifPresent(_ -> ours.add("Redis"));
        stack.postgres().ifPresent(_ -> ours.add("PostgreSQL"));
        if (!ours.isEmpty()) {
            System.out.println("Stopping " + String.join(", ", ours) + "; the data stays in "
                    + place().toAbsolutePath().normalize() + ".");
        }
        stack.close();
        System.out.println("Stopped.");
    }

    private void welcome(Node node, LocalStack stack, OrderDesk desk, Optional<OwnToken> own) {
        var api = new Api(node.address(), own.map(OwnToken::token));
        desk.tells(api);
        LocalDate today = node.businessDay(SamplePools.MERCHANT);
        SamplePools.Ready pools = SamplePools.ensure(api, today);
        System.out.print(new Welcome(
                node.address(),
                stack.postgresAddress().map(PostgresAddress::jdbcUrl).orElse("no PostgreSQL") + ", "
                        + stack.redisUri().orElse("no Redis").replaceAll("//[^/@]*@", "//"),
                stack.kafkaBootstrapServers()
                        .map(servers -> "Kafka at " + servers)
                        .orElse("none (--no-kafka)"),
                place().toAbsolutePath().normalize().toString(),
                today,
                pools.pool(),
                pools.remarks(),
                desk.address(),
                folder.isEmpty() ? "" : "--config " + place().resolve(CONFIG),
                own.isPresent()));
        System.out.flush();
    }

    private int walkTour() throws IOException, InterruptedException {
        NodeProcessLife.logErrorsOnly();
        int httpPort = port.map(DevCommand::claimed).orElseGet(() -> FreePort.from(USUAL_PORT));
        Path place = placeOfTour();
        starting(place);
        Path log = place.resolve("node.log");
        boolean kept;
        try (var stack = LocalStack.start(LocalStackSettings.in(place).withServices(services()))) {
            int sandbox = FreePort.from(SANDBOX_PORT);
            Path config = NodeConfigFile.write(
                    place.resolve(CONFIG), stack, httpPort, settings(stack, Tour.SETTINGS, sandbox));
            try (var node = NodeProcess.start(config, httpPort, log)) {
                kept = Tour.walk(
                        node,
                        stack.redis().orElseThrow(),
                        stack.kafkaBootstrapServers(),
                        URI.create("http://127.0.0.1:" + sandbox),
                        new Terminal(config),
                        System.out);
            }
        }
        if (!kept) {
            System.out.println("What the node said is in " + log + ".");
        } else if (folder.isPresent()) {
            System.out.println("What it left is in " + place + "; ./holdfast dev --folder " + place + " serves it.");
        } else {
            remove(place);
        }
        return kept ? 0 : 1;
    }

    /** Its steps count units and kill servers: it needs a stack that nobody uses. */
    private Path placeOfTour() throws IOException {
        if (folder.isEmpty()) {
            return Files.createTempDirectory("holdfast-tour");
        }
        Path place = folder.get();
        if (Files.exists(place) && !isEmpty(place)) {
            throw new LaunchException("The tour needs a stack of its own, and the folder " + place
                    + " is not empty: name a new one with --folder, or leave it out.");
        }
        return Files.createDirectories(place);
    }

    private static boolean isEmpty(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return false;
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.findAny().isEmpty();
        }
    }

    private static int claimed(int port) {
        if (port < 1 || port > FreePort.HIGHEST) {
            throw new UsageException(port + " is no port: choose one from 1 to " + FreePort.HIGHEST + " with --port.");
        }
        if (!FreePort.claim(port)) {
            throw new LaunchException("Port " + port + " is taken: free it, or choose another with --port.");
        }
        return port;
    }

    private static int usualPortOrNext() {
        int free = FreePort.from(USUAL_PORT);
        if (free != USUAL_PORT) {
            System.out.println("Port " + USUAL_PORT + " is taken; using " + free + ".");
        }
        return free;
    }

    private LocalStackSettings stackSettings(Map<String, String> environment) {
        LocalStackSettings settings = LocalStackSettings.in(place()).withServices(services());
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
