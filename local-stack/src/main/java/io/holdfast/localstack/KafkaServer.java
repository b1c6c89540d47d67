package io.holdfast.localstack;

import io.holdfast.localstack.Signals.Signal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One Kafka broker of ours, its own controller, in a JVM of its own so that it can be killed. Keeps its port and its folder
 * until {@link #close()}.
 */
public final class KafkaServer implements AutoCloseable {

    private static final Duration STOP_PATIENCE = Duration.ofSeconds(60);
    private static final Duration START_PATIENCE = Duration.ofMinutes(2);
    private static final long POLL_NANOS = 20_000_000;
    private static final String CLUSTER_ID = "aG9sZGZhc3Qta2Fma2EtMQ";

    private final KafkaSettings settings;
    private final DataFolder folder;
    private final List<String> java;
    private int port;
    private @Nullable ServerProcess process;

    private KafkaServer(KafkaSettings settings, DataFolder folder, List<String> java) {
        this.settings = settings;
        this.folder = folder;
        this.java = java;
    }

    /**
     * Takes the folder, ends what an earlier owner left running there, and starts. Returns when the broker answers.
     *
     * @throws LocalStackException if it cannot, with the reason and what to do
     */
    public static KafkaServer start(KafkaSettings settings) {
        DataFolder folder = DataFolder.take(Service.KAFKA, settings.folder());
        try {
            ServerProcess.reap(Service.KAFKA, folder, Signal.TERM, STOP_PATIENCE);
            KafkaServer server = new KafkaServer(settings, folder, java());
            server.startFirst();
            return server;
        } catch (RuntimeException e) {
            folder.close();
            throw e;
        }
    }

    /** {@code 127.0.0.1:port}. */
    public String bootstrapServers() {
        return host() + ":" + port;
    }

    public String host() {
        return "127.0.0.1";
    }

    public int port() {
        return port;
    }

    /** The number of the running process. */
    public synchronized long pid() {
        return running().pid();
    }

    /** What the server has said. */
    public Path log() {
        return folder.resolve(ServerProcess.LOG);
    }

    public synchronized boolean isRunning() {
        return process != null && process.isAlive();
    }

    /** Starts again on the same port with the data that is there; does nothing if it runs. */
    public synchronized void start() {
        if (!isRunning()) {
            Ports.requireFree(Service.KAFKA, port);
            launch();
        }
    }

    /** Ends it cleanly. */
    public synchronized void stop() {
        if (process != null) {
            process.end(Signal.TERM, STOP_PATIENCE);
            process = null;
        }
    }

    /** SIGKILL, as by the kernel when memory runs out. */
    public synchronized void kill() {
        if (process != null) {
            process.kill();
            process = null;
        }
    }

    /** SIGSTOP: connections stay open and nothing answers, until {@link #resume()}. */
    public synchronized void pause() {
        running().signal(Signal.STOP);
    }

    /** SIGCONT: what arrived during the pause is done now. */
    public synchronized void resume() {
        running().signal(Signal.CONT);
    }

    /** Ends it cleanly and gives up its folder; it cannot be started again. */
    @Override
    public synchronized void close() {
        try {
            stop();
        } finally {
            folder.close();
        }
    }

    private static List<String> java() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-Dorg.slf4j.simpleLogger.showDateTime=true",
                "-Dorg.slf4j.simpleLogger.dateTimeFormat=yyyy-MM-dd'T'HH:mm:ss.SSSXXX",
                "-cp",
                KafkaClassPath.find());
    }

    private ServerProcess running() {
        if (process == null || !process.isAlive()) {
            throw new LocalStackException("Kafka on port " + port + " is not running: start it first");
        }
        return process;
    }

    private synchronized void startFirst() {
        Ports.launchOn(Service.KAFKA, settings.port(), chosen -> {
            port = chosen;
            launch();
        });
    }

    private void launch() {
        writeProperties();
        format();
        ServerProcess launched =
                ServerProcess.launch(Service.KAFKA, folder, command("kafka.Kafka", properties().toString()), Signal.TERM);
        process = launched;
        try {
            awaitReady(launched);
        } catch (RuntimeException e) {
            if (launched.isAlive()) {
                launched.kill();
            }
            process = null;
            throw e;
        }
    }

    /** The controller's port is nobody else's business and may be another one after every start. */
    private void writeProperties() {
        int controller = Ports.free();
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
        try {
            Files.write(
                    properties(),
                    properties.entrySet().stream()
                            .map(entry -> entry.getKey() + "=" + entry.getValue().replace("\\", "\\\\"))
                            .toList());
        } catch (IOException e) {
            throw new LocalStackException(
                    "the folder %s for Kafka cannot be written (%s): make it writable or choose another folder"
                            .formatted(folder.path(), e),
                    e);
        }
    }

    /** Kafka refuses a folder it has not formatted; one that is formatted is left alone. */
    private void format() {
        if (Files.exists(data().resolve("meta.properties"))) {
            return;
        }
        FileTree.delete(data()); // an interrupted first start: nothing was ever stored in it
        ServerProcess.runToEnd(
                Service.KAFKA,
                folder,
                command("kafka.tools.StorageTool", "format", "-t", CLUSTER_ID, "-c", properties().toString()));
    }

    private Path data() {
        return folder.resolve("data");
    }

    private Path properties() {
        return folder.resolve("server.properties");
    }

    private List<String> command(String... mainAndArguments) {
        List<String> command = new ArrayList<>(java);
        command.addAll(List.of(mainAndArguments));
        return command;
    }

    private void awaitReady(ServerProcess launched) {
        long deadline = System.nanoTime() + START_PATIENCE.toNanos();
        while (true) {
            if (!launched.isAlive()) {
                throw launched.whyItEnded(Path.of(java.getFirst()), port);
            }
            if (System.nanoTime() > deadline) {
                throw new LocalStackException("Kafka on port %d was not ready after %d seconds: look at %s"
                        .formatted(port, START_PATIENCE.toSeconds(), log()));
            }
            try {
                KafkaWire.ask(host(), port);
                return;
            } catch (IOException e) {
                LockSupport.parkNanos(POLL_NANOS); // not listening yet
            }
        }
    }
}
