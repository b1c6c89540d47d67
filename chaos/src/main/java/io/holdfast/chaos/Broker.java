package io.holdfast.chaos;

import io.holdfast.launcher.FreePort;
import io.holdfast.localstack.KafkaServer;
import io.holdfast.localstack.KafkaSettings;
import io.holdfast.localstack.fault.FaultProxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * One broker with a listener for each node, which tells that node to come by its own line, and one for everybody else. A broker names its
 * address to its clients, so a proxy alone would be passed by.
 */
final class Broker implements AutoCloseable {

    private static final int FIRST_PORT = 28_100;

    private final KafkaServer server;
    private final List<FaultProxy> lines = new ArrayList<>();
    private final int port;

    Broker(Path folder, int nodes) {
        port = FreePort.from(FIRST_PORT);
        int controller = FreePort.from(FIRST_PORT);
        List<String> listeners = new ArrayList<>(List.of("PLAINTEXT://127.0.0.1:" + port));
        List<String> advertised = new ArrayList<>(listeners);
        List<String> protocols = new ArrayList<>(List.of("PLAINTEXT:PLAINTEXT", "CONTROLLER:PLAINTEXT"));
        for (int node = 1; node <= nodes; node++) {
            int own = FreePort.from(FIRST_PORT);
            var line = FaultProxy.to("127.0.0.1", own);
            lines.add(line);
            listeners.add("NODE" + node + "://127.0.0.1:" + own);
            advertised.add("NODE" + node + "://127.0.0.1:" + line.port());
            protocols.add("NODE" + node + ":PLAINTEXT");
        }
        listeners.add("CONTROLLER://127.0.0.1:" + controller);
        server = KafkaServer.start(KafkaSettings.in(folder.resolve("kafka"))
                .withPort(port)
                .withProperty("controller.quorum.voters", "1@127.0.0.1:" + controller)
                .withProperty("listeners", String.join(",", listeners))
                .withProperty("advertised.listeners", String.join(",", advertised))
                .withProperty("listener.security.protocol.map", String.join(",", protocols))
                .withProperty("inter.broker.listener.name", "PLAINTEXT")
                .withProperty("group.min.session.timeout.ms", "1000"));
    }

    /** The line of a node, from 1 on. */
    FaultProxy line(int node) {
        return lines.get(node - 1);
    }

    /** For everybody who is not a node. */
    String bootstrapServers() {
        return "127.0.0.1:" + port;
    }

    void kill() {
        server.kill();
    }

    void start() {
        server.start();
    }

    @Override
    public void close() {
        server.close();
    }
}
