package io.holdfast.http.route;

import io.holdfast.engine.runtime.Entities;
import io.holdfast.order.domain.Order;
import io.holdfast.order.domain.OrderCommand;
import io.holdfast.order.provider.PaymentNotices;
import io.holdfast.order.statement.StatementRun;

/**
 * What routes ask of a node that makes orders.
 *
 * @param orders the orders, wherever they live
 * @param provider who takes the money, as payments name it
 * @param notices reads what it sends by itself
 * @param statements holds its statement against the payments on record
 */
public record OrderServiceParts(
        Entities<Order, OrderCommand> orders, String provider, PaymentNotices notices, StatementRun statements) {}
