package io.holdfast.node;

import io.holdfast.config.OrderServiceSection;
import io.holdfast.config.Settings;
import io.holdfast.engine.runtime.EngineListener;
import io.holdfast.engine.runtime.ShardedEntities;
import io.holdfast.http.route.OrderServiceParts;
import io.holdfast.messaging.in.OrderIntake;
import io.holdfast.order.domain.Order;
import io.holdfast.order.domain.OrderCommand;
import io.holdfast.order.entity.OrderEntities;
import io.holdfast.order.port.Holds;
import io.holdfast.order.sql.SqlOrderBooks;
import io.holdfast.order.sql.SqlPaymentRecords;
import io.holdfast.order.statement.StatementRun;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;

/** The built-in order service of a node: its orders, and what leads to them. */
final class OrderService {

    /** Under which messages count as decided: of all nodes the same, and never changed. */
    private static final String CONSUMER_GROUP = "holdfast-orders";

    private final OrderServiceSection section;
    private final OrderClients clients;
    private final RequestLag lag;
    private final ShardedEntities<Order, OrderCommand> orders;

    private OrderService(
            OrderServiceSection section,
            OrderClients clients,
            RequestLag lag,
            ShardedEntities<Order, OrderCommand> orders) {
        this.section = section;
        this.clients = clients;
        this.lag = lag;
        this.orders = orders;
    }

    /**
     * Starts the orders.
     *
     * @param holds takes units anew for orders that come back
     */
    static OrderService start(
            Settings settings,
            OrderClients clients,
            ClusterMember member,
            EngineListener listener,
            MeterRegistry registry,
            Holds holds,
            InstantSource clock) {
        OrderServiceSection section = settings.orders().service();
        var lag = new RequestLag(section.requests().lagLimit());
        var orders = ShardedEntities.start(
                member.system(),
                OrderEntities.definition(
                        Parts.orders(settings),
                        new SqlOrderBooks(
                                clients.database(), clients.threads(), CONSUMER_GROUP, new OrderMetrics(registry)),
                        clients.provider(),
                        lag,
                        holds),
                Parts.engine(settings),
                listener,
                clock);
        return new OrderService(section, clients, lag, orders);
    }

    ShardedEntities<Order, OrderCommand> orders() {
        return orders;
    }

    OrderClients clients() {
        return clients;
    }

    RequestLag lag() {
        return lag;
    }

    /** What routes ask of it. */
    OrderServiceParts parts() {
        return new OrderServiceParts(
                orders,
                section.payments().name(),
                clients.notices(),
                new StatementRun(
                        section.payments().name(),
                        clients.provider(),
                        new SqlPaymentRecords(clients.database(), clients.threads()),
                        orders));
    }

    /** Takes requests for orders. */
    OrderIntake intake() {
        return new OrderIntake(orders, section.requests().concurrency(), section.transactionTimeout());
    }
}
