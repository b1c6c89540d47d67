package io.holdfast.chaos;

import io.holdfast.launcher.FreePort;
import io.holdfast.localstack.PostgresServer;
import io.holdfast.localstack.PostgresSettings;
import io.holdfast.order.sandbox.Sandbox;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Everything a run is made of: real stores, a payment provider, and nodes, each behind lines of its own. */
final class Stage implements AutoCloseable {

    /** What the provider signs its notices with. */
    static final String NOTICE_SECRET = "what the provider signs with";

    private static final int HTTP_PORTS = 28_080;
    private static final Duration START_PATIENCE = Duration.ofMinutes(3);
    private static final String FLEET = "chaos";

    private final Deque<AutoCloseable> closing = new ArrayDeque<>();
    private final PostgresServer postgres;
    private final RedisPair redis;
    private final Broker broker;
    private final Sandbox provider;
    private final List<Member> members;

    private Stage(Path folder, int nodes, Distribution distribution) throws IOException {
        var hook = new Thread(this::end, "end-of-chaos");
        Runtime.getRuntime().addShutdownHook(hook);
        var starting = CompletableFuture.supplyAsync(() -> new Broker(folder, nodes));
        postgres = closed(PostgresServer.start(PostgresSettings.in(folder.resolve("postgres"))));
        redis = closed(new RedisPair(folder));
        broker = closed(starting.join());
        provider = closed(Sandbox.start("provider", 0, InstantSource.system()));
        List<Lines> lines = IntStream.rangeClosed(1, nodes)
                .mapToObj(number -> closed(
                        new Lines(number, postgres.port(), redis.primary().port(), broker.line(number))))
                .toList();
        members = new ArrayList<>();
        for (int number = 1; number <= nodes; number++) {
            int http = FreePort.from(HTTP_PORTS);
            Path config = Files.writeString(
                    folder.resolve("node-" + number + ".conf"), config(lines, lines.get(number - 1), http));
            members.add(closed(new Member(
                    number,
                    lines.get(number - 1),
                    http,
                    config,
                    folder.resolve("node-" + number + ".log"),
                    distribution)));
        }
    }

    /**
     * Starts stores and nodes, and waits until all nodes serve.
     *
     * @param folder of its own, where data and logs are kept
     */
    static Stage open(Path folder, int nodes, Distribution distribution) throws IOException, InterruptedException {
        var stage = new Stage(folder, nodes, distribution);
        stage.members.getFirst().start();
        stage.awaitReady(List.of(stage.members.getFirst()));
        stage.members.forEach(Member::start);
        stage.awaitReady(stage.members);
        return stage;
    }

    private <T extends AutoCloseable> T closed(T part) {
        synchronized (closing) {
            closing.push(part);
        }
        return part;
    }

    private String config(List<Lines> all, Lines mine, int httpPort) {
        String seeds = all.stream()
                .map(lines -> "\"127.0.0.1:" + lines.reachedAt() + "\"")
                .collect(Collectors.joining(", "));
        return """
            holdfast {
              node { mode = development, name = %s }
              http.port = %d
              cluster { port = %d, seed-nodes = [%s] }
              postgres { url = "%s", user = "%s", password = "%s", connect-timeout = 2s }
              redis.url = "redis://127.0.0.1:%d"
              kafka { enabled = true, bootstrap-servers = "127.0.0.1:%d", protocol = plaintext, session-timeout = 6s }
              orders.service {
                kind = built-in
                pay-within = 20s
                payments { provider = http, url = "%s", notice-secrets = ["%s"] }
              }
              reconciliation.every = 20s
              webhooks { retry-first = 500ms, retry-longest = 3s }
            }
            pekko.remote.artery {
              bind { hostname = "127.0.0.1", port = %d }
              advanced.tcp.outbound-client-hostname = "%s"
            }
            """.formatted(
                        FLEET,
                        httpPort,
                        mine.reachedAt(),
                        seeds,
                        postgres.jdbcUrl()
                                .replace(
                                        ":" + postgres.port() + "/",
                                        ":" + mine.to(Lines.Store.POSTGRES).port() + "/"),
                        postgres.user(),
                        postgres.password(),
                        mine.to(Lines.Store.REDIS).port(),
                        mine.to(Lines.Store.KAFKA).port(),
                        provider.address(),
                        NOTICE_SECRET,
                        mine.clusterPort(),
                        mine.self().getHostAddress());
    }

    List<Member> members() {
        return List.copyOf(members);
    }

    PostgresServer postgres() {
        return postgres;
    }

    RedisPair redis() {
        return redis;
    }

    Broker broker() {
        return broker;
    }

    Sandbox provider() {
        return provider;
    }

    /** The consumer group of the nodes. */
    static String group() {
        return "holdfast-" + FLEET;
    }

    /** Straight to the database, past every line. */
    Connection database() throws SQLException {
        return DriverManager.getConnection(postgres.jdbcUrl(), postgres.user(), postgres.password());
    }

    /** Every line leads to the Redis that is the primary now; connections that are open are cut. */
    void leadToPrimary() {
        for (Member member : members) {
            var line = member.lines().to(Lines.Store.REDIS);
            line.target("127.0.0.1", redis.primary().port());
            line.cut();
        }
    }

    /** Waits until these nodes say that they serve. */
    void awaitReady(List<Member> wanted) throws InterruptedException {
        long deadline = System.nanoTime() + START_PATIENCE.toNanos();
        for (Member member : wanted) {
            while (!member.ready()) {
                if (System.nanoTime() > deadline) {
                    throw new ChaosException(member.name() + " does not serve within " + START_PATIENCE.toSeconds()
                            + " s: see its log.");
                }
                member.revive();
                TimeUnit.MILLISECONDS.sleep(100);
            }
        }
    }

    private void end() {
        while (true) {
            AutoCloseable next;
            synchronized (closing) {
                if (closing.isEmpty()) {
                    return;
                }
                next = closing.pop();
            }
            try {
                next.close();
            } catch (Exception e) {
                System.err.println("chaos: closing failed: " + e);
            }
        }
    }

    @Override
    public void close() {
        end();
    }
}
