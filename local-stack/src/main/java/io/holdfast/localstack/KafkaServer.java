package io.holdfast.localstack;

import io.holdfast.localstack.Signals.Signal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One Kafka broker of ours, its own controller, in a JVM of its own so that it can be killed. */
public final class KafkaServer extends LocalServer {

    private static final String BROKER = "kafka.Kafka";
    private static final String CLASS_ARCHIVES = "holdfast.class-archives";
    private static final Set<String> OF_THIS_ONE =
            Set.of("controller.quorum.voters", "listeners", "advertised.listeners", "log.dirs");
    private static final String CLUSTER_ID = "aG9sZGZhc3Qta2Fma2EtMQ";

    private final KafkaSettings settings;
    private final String classPath;

    private KafkaServer(KafkaSettings settings, DataFolder folder, String classPath) {
        super(Service.KAFKA, folder, java(), Signal.TERM, Duration.ofMinutes(2));
        this.settings = settings;
        this.classPath = classPath;
    }

    /**
     * Takes the folder, ends what an earlier owner left running there, and starts. Returns when the broker answers.
     *
     * @throws LocalStackException if it cannot, with the reason and what to do
     */
    public static KafkaServer start(KafkaSettings settings) {
        return startIn(
                Service.KAFKA,
                settings.folder(),
                Signal.TERM,
                settings.port(),
                folder -> new KafkaServer(settings, folder, KafkaClassPath.find()));
    }

    /** {@code 127.0.0.1:port}. */
    public String bootstrapServers() {
        return host() + ":" + port();
    }

    /** It has one process only. */
    @Override
    void endStragglers() {}

    @Override
    ServerProcess launchProgram() {
        try {
            Files.write(
                    propertiesFile(),
                    properties().entrySet().stream()
                            .map(entry ->
                                    entry.getKey() + "=" + entry.getValue().replace("\\", "\\\\"))
                            .toList());
            format();
        } catch (IOException e) {
            throw unusableFolder(e);
        }
        return ServerProcess.launch(
                Service.KAFKA, folder(), command(BROKER, propertiesFile().toString()), Signal.TERM);
    }

    @Override
    Readiness readiness(ServerProcess launched) {
        try {
            KafkaWire.ask(host(), port());
            return Readiness.READY;
        } catch (IOException e) {
            return Readiness.SILENT; // not listening yet
        }
    }

    /** Kafka's promises are made per topic, by those who make the topics. */
    @Override
    void verify() {}

    private Map<String, String> properties() {
        int controller = Ports.free(); // nobody else's business, and another one after every start
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("process.roles", "broker,controller");
        properties.put("node.id", "1");
        properties.put("controller.quorum.voters", "1@" + host() + ":" + controller);
        properties.put("controller.listener.names", "CONTROLLER");
        properties.put("listeners", "PLAINTEXT://" + bootstrapServers() + ",CONTROLLER://" + host() + ":" + controller);
        properties.put("advertised.listeners", "PLAINTEXT://" + bootstrapServers());
        properties.put("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
        // A killed broker may register again only when its last session has run out.
        properties.put("broker.session.timeout.ms", "4000");
        properties.put("broker.heartbeat.interval.ms", "500");
        properties.put("log.dirs", data().toString());
        properties.put("offsets.topic.replication.factor", "1");
        properties.put("offsets.topic.num.partitions", "8");
        properties.put("transaction.state.log.replication.factor", "1");
        properties.put("transaction.state.log.min.isr", "1");
        properties.put("transaction.state.log.num.partitions", "8");
        properties.put("share.coordinator.state.topic.replication.factor", "1");
        properties.put("share.coordinator.state.topic.min.isr", "1");
        properties.put("group.initial.rebalance.delay.ms", "0");
        properties.putAll(settings.properties());
        return properties;
    }

    /** Kafka refuses a folder it has not formatted; one that is formatted is left alone. */
    private void format() throws IOException {
        if (Files.exists(data().resolve("meta.properties"))) {
            return;
        }
        FileTree.delete(data()); // an interrupted first start: nothing was ever stored in it
        Optional<Path> template = DataTemplate.of("kafka-" + Integer.toHexString(howItIsFormatted()), made -> {
            runFormat();
            FileTree.copy(data(), made.resolve("data"));
        });
        if (template.isEmpty()) {
            runFormat();
        } else if (!Files.exists(data())) {
            Path unfinished = folder().resolve("data.unfinished");
            FileTree.delete(unfinished);
            FileTree.copy(template.get().resolve("data"), unfinished);
            Files.move(unfinished, data(), StandardCopyOption.ATOMIC_MOVE);
        }
    }

    /** Of everything that it may depend on: all but where this one is. */
    private int howItIsFormatted() {
        Map<String, String> same = new TreeMap<>(properties());
        same.keySet().removeAll(OF_THIS_ONE);
        return (classPath + CLUSTER_ID + same).hashCode();
    }

    private void runFormat() {
        ServerProcess.runToEnd(
                Service.KAFKA,
                folder(),
                command(
                        "kafka.tools.StorageTool",
                        "format",
                        "-t",
                        CLUSTER_ID,
                        "-c",
                        propertiesFile().toString()));
    }

    private Path data() {
        return folder().resolve("data");
    }

    private Path propertiesFile() {
        return folder().resolve("server.properties");
    }

    private List<String> command(String... mainAndArguments) {
        List<String> command = new ArrayList<>(List.of(java().toString()));
        command.addAll(SameJit.flags());
        command.addAll(archive(mainAndArguments[0].equals(BROKER)));
        command.addAll(List.of(
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-Dorg.slf4j.simpleLogger.showDateTime=true",
                "-Dorg.slf4j.simpleLogger.dateTimeFormat=yyyy-MM-dd'T'HH:mm:ss.SSSXXX",
                "-cp",
                classPath));
        command.addAll(List.of(mainAndArguments));
        return command;
    }

    /**
     * Classes that the brokers of a build share, where it says so: the first that ends in order keeps what it has loaded, and half of what a
     * later one needs to start is saved. The JVM uses no archive of other jars.
     */
    private static List<String> archive(boolean writes) {
        @Nullable String folder = System.getProperty(CLASS_ARCHIVES);
        if (folder == null) {
            return List.of();
        }
        try {
            Path file = Files.createDirectories(Path.of(folder)).resolve("kafka.jsa");
            List<String> use = List.of("-XX:SharedArchiveFile=" + file, "-Xlog:cds*=off");
            return writes
                    ? Stream.concat(use.stream(), Stream.of("-XX:+AutoCreateSharedArchive"))
                            .toList()
                    : use;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path java() {
        return Path.of(System.getProperty("java.home"), "bin", "java");
    }
}
