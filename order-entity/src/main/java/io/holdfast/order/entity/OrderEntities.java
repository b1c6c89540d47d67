package io.holdfast.order.entity;

import io.holdfast.engine.runtime.MachineDefinition;
import io.holdfast.order.domain.Order;
import io.holdfast.order.domain.OrderCommand;
import io.holdfast.order.domain.OrderEffect;
import io.holdfast.order.domain.OrderEvent;
import io.holdfast.order.domain.OrderMachine;
import io.holdfast.order.domain.OrderPolicies;
import io.holdfast.order.domain.OrderRefusal;
import io.holdfast.order.port.Holds;
import io.holdfast.order.port.OrderBooks;
import io.holdfast.order.port.PaymentProvider;
import io.holdfast.order.port.RequestBacklog;

/** The order machine with what performs its effects, ready for the runtime. */
public final class OrderEntities {

    private OrderEntities() {}

    /**
     * The definition to start on every node.
     *
     * @param policies how effects are attempted, and how long an order waits
     * @param books who decides
     * @param provider who takes the money
     * @param backlog requests that may be waiting: until they are read no deadline decides
     * @param holds takes units anew for orders that come back
     */
    public static MachineDefinition<Order, OrderCommand, OrderEvent, OrderEffect> definition(
            OrderPolicies policies, OrderBooks books, PaymentProvider provider, RequestBacklog backlog, Holds holds) {
        return MachineDefinition.of(
                new OrderMachine(policies),
                new OrderEffects(books, provider, backlog, holds),
                Order.class,
                OrderCommand.class,
                OrderEvent.class,
                OrderRefusal.class);
    }
}
