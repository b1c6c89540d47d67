package io.holdfast.localstack;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which servers a local stack has and where.
 *
 * @param folder holds one folder per server
 * @param services the servers to start; a service for which an address of the user's is given is not started but checked
 * @param ports the port on 127.0.0.1 each server must have; any free one if absent or 0
 * @param redisFsync when our Redis forces its append-only file to the disk
 * @param yourPostgres a PostgreSQL that is there already
 * @param yourRedis the URL of a Redis that is there already
 * @param yourKafka the bootstrap servers of a Kafka that is there already
 */
public record LocalStackSettings(
        Path folder,
        Set<Service> services,
        Map<Service, Integer> ports,
        RedisFsync redisFsync,
        Optional<PostgresAddress> yourPostgres,
        Optional<String> yourRedis,
        Optional<String> yourKafka) {

    public LocalStackSettings {
        services = Set.copyOf(services);
        ports = Map.copyOf(ports);
    }

    /** PostgreSQL and Redis of ours on free ports. */
    public static LocalStackSettings in(Path folder) {
        return new LocalStackSettings(
                folder,
                EnumSet.of(Service.POSTGRES, Service.REDIS),
                Map.of(),
                RedisFsync.EVERYSEC,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    public LocalStackSettings withServices(Set<Service> wanted) {
        return new LocalStackSettings(folder, wanted, ports, redisFsync, yourPostgres, yourRedis, yourKafka);
    }

    /** The server must have this port: starting fails if somebody else has it. */
    public LocalStackSettings withPort(Service service, int port) {
        Map<Service, Integer> more = new EnumMap<>(Service.class);
        more.putAll(ports);
        more.put(service, port);
        return new LocalStackSettings(folder, services, more, redisFsync, yourPostgres, yourRedis, yourKafka);
    }

    public LocalStackSettings withRedisFsync(RedisFsync fsync) {
        return new LocalStackSettings(folder, services, ports, fsync, yourPostgres, yourRedis, yourKafka);
    }

    /** Uses this PostgreSQL instead of starting one. */
    public LocalStackSettings usingPostgres(PostgresAddress yours) {
        return new LocalStackSettings(folder, services, ports, redisFsync, Optional.of(yours), yourRedis, yourKafka);
    }

    /** Uses the Redis at this URL ({@code redis://…}, {@code rediss://…}, {@code redis-sentinel://…}) instead of starting one. */
    public LocalStackSettings usingRedis(String yours) {
        return new LocalStackSettings(folder, services, ports, redisFsync, yourPostgres, Optional.of(yours), yourKafka);
    }

    /** Uses this Kafka ({@code host:port,host:port}) instead of starting one. */
    public LocalStackSettings usingKafka(String yours) {
        return new LocalStackSettings(folder, services, ports, redisFsync, yourPostgres, yourRedis, Optional.of(yours));
    }

    int port(Service service) {
        return ports.getOrDefault(service, 0);
    }
}
