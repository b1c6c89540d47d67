package io.holdfast.chaos;

import io.holdfast.launcher.FreePort;
import io.holdfast.localstack.fault.FaultProxy;
import java.net.InetAddress;

/** The lines of one node: to each store, and from the other nodes. Each can be broken by itself. */
final class Lines implements AutoCloseable {

    private static final int CLUSTER_PORTS = 27_355;

    private final InetAddress self;
    private final int clusterPort;
    private final FaultProxy postgres;
    private final FaultProxy redis;
    private final FaultProxy kafka;
    private final FaultProxy cluster;

    /**
     * Lines to where the stores are now.
     *
     * @param number of the node, from 1 on: its calls to other nodes come from an address of their own
     * @param kafkaPort the listener of the broker that tells clients to come by this line
     */
    Lines(int number, int postgresPort, int redisPort, FaultProxy kafka) {
        this.self = InetAddress.ofLiteral("127.0.0." + (10 + number));
        this.clusterPort = FreePort.from(CLUSTER_PORTS);
        this.postgres = FaultProxy.to("127.0.0.1", postgresPort);
        this.redis = FaultProxy.to("127.0.0.1", redisPort);
        this.kafka = kafka;
        this.cluster = FaultProxy.to("127.0.0.1", clusterPort);
    }

    /** To which store. */
    enum Store {
        POSTGRES,
        REDIS,
        KAFKA
    }

    FaultProxy to(Store store) {
        return switch (store) {
            case POSTGRES -> postgres;
            case REDIS -> redis;
            case KAFKA -> kafka;
        };
    }

    /** Where its calls to other nodes come from. */
    InetAddress self() {
        return self;
    }

    /** Where it listens for other nodes. */
    int clusterPort() {
        return clusterPort;
    }

    /** Where other nodes reach it. */
    int reachedAt() {
        return cluster.port();
    }

    /** No call of that node reaches this one, and none that is open goes on. */
    void shutTo(Lines other) {
        cluster.refuseFrom(other.self());
    }

    /** The lines between nodes are whole again. */
    void openToNodes() {
        cluster.heal();
    }

    @Override
    public void close() {
        postgres.close();
        redis.close();
        kafka.close();
        cluster.close();
    }
}
