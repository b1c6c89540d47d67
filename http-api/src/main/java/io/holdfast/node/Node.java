package io.holdfast.node;

import io.holdfast.config.PostgresSection;
import io.holdfast.config.Settings;
import io.holdfast.engine.fleet.FleetClock;
import io.holdfast.engine.fleet.FleetMembers;
import io.holdfast.engine.runtime.Entities;
import io.holdfast.engine.sweep.Sweeper;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.domain.SaleKeys;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.domain.StockPoolCommand;
import io.holdfast.reservation.entity.AdmissionDesk;
import io.holdfast.reservation.entity.HoldDesk;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.concurrent.CompletionStage;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running node. Several may live in one process; they share nothing.
 *
 * <p>Start, in this order: the stores are asked whether they are there and fit; the schema is brought up to date; the node joins its
 * cluster; machines, projections and the sweeper start; one entity of each machine is asked, so that whoever calls first finds shards and
 * journal ready; only then the API opens.
 */
public final class Node implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Node.class);

    private final URI address;
    private final ClusterMember member;
    private final Assembly assembly;
    private final Closing closing;

    private Node(URI address, ClusterMember member, Assembly assembly, Closing closing) {
        this.address = address;
        this.member = member;
        this.assembly = assembly;
        this.closing = closing;
    }

    /**
     * Starts a node and returns once it serves.
     *
     * @throws io.holdfast.config.SettingsException if the settings, or the stores they lead to, must not be used
     * @throws StartException if a store, the cluster, or an address can't be had now
     */
    public static Node start(Settings settings) {
        return start(settings, Node::timeOfTheFleet);
    }

    /** As {@link #start(Settings)}, by another clock: it says which day it is, and when what waits for a moment may be due. */
    public static Node start(Settings settings, InstantSource clock) {
        return start(settings, (_, _, _, _) -> clock);
    }

    private interface ClockSource {
        InstantSource clock(PostgresSection section, DataSource views, MeterRegistry registry, Closing closing);
    }

    private static InstantSource timeOfTheFleet(
            PostgresSection section, DataSource views, MeterRegistry registry, Closing closing) {
        var clock = closing.add(
                "the clock",
                StartQuestion.waitFor(section, "PostgreSQL, asked what time it is", () -> FleetClock.by(views)));
        Gauge.builder("holdfast.clock.apart.seconds", clock, fleet -> secondsApart(fleet, InstantSource.system()))
                .description("Wall clock of this machine minus the fleet's time, which is the database's")
                .register(registry);
        return clock;
    }

    private static double secondsApart(InstantSource fleet, InstantSource machine) {
        return Duration.between(fleet.instant(), machine.instant()).toNanos() / 1e9;
    }

    private static Node start(Settings settings, ClockSource time) {
        var closing = new Closing();
        try {
            Stores.require(settings);
            Schema.prepare(settings.postgres());
            SaleKeys keys = GateSecrets.require(settings);
            var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
            closing.add("the metrics of the process", new ProcessMetrics(registry));
            var views = closing.add("the connections of the read side", Sessions.views(settings.postgres()));
            InstantSource clock = time.clock(settings.postgres(), views, registry, closing);
            StoreClients stores = StoreClients.open(settings, views, registry, clock, closing);
            ClusterMember member = ClusterMember.start(settings);
            closing.add("the cluster member", member::leaveAndWait);
            member.join(settings, () -> othersServe(settings.postgres()));
            Assembly assembly = new Assembly(settings, member, stores, keys, registry, clock, closing);
            assembly.awaitServing();
            return new Node(assembly.openHttp(), member, assembly, closing);
        } catch (RuntimeException | Error e) {
            closing.close();
            throw e;
        }
    }

    /** Whether nodes serve on this database; if it does not say, as if there were some: then no cluster is formed beside theirs. */
    private static boolean othersServe(PostgresSection section) {
        try (Connection session = Sessions.single(section, section.projector()).getConnection()) {
            return FleetMembers.any(session, Sweeper.WORK);
        } catch (SQLException e) {
            LOG.warn("PostgreSQL does not say whether other nodes serve: {}", e.getMessage());
            return true;
        }
    }

    /** Where the API is. */
    public URI address() {
        return address;
    }

    /** Port at which other nodes reach this one. */
    public int clusterPort() {
        return member.port();
    }

    /** The business day it is at a merchant now, as this node tells it: decides the pool of requests that name none. */
    public LocalDate businessDay(String merchant) {
        return assembly.businessDay(merchant);
    }

    /** Where the API asks for holds: for a program that has the node inside it. */
    public HoldDesk desk() {
        return assembly.desk();
    }

    /** Where the API lets users into sales, likewise. */
    public AdmissionDesk gate() {
        return assembly.gate();
    }

    /** The reservations, likewise. */
    public Entities<Reservation, ReservationCommand> reservations() {
        return assembly.reservations();
    }

    /** The pools, likewise. */
    public Entities<StockPool, StockPoolCommand> pools() {
        return assembly.pools();
    }

    /** Completes when the node has ended, with how. */
    public CompletionStage<Ended> ended() {
        return member.ended();
    }

    /** Whether all of it stopped as it should; to be asked once it is closed. */
    boolean stoppedCleanly() {
        return closing.clean();
    }

    /**
     * Drains and stops: no new requests, those begun are answered, entities are handed to other nodes, the cluster is left; only then are
     * the stores let go, for others may wait for entities that are still here.
     */
    @Override
    public void close() {
        closing.close();
    }
}
