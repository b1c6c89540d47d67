package io.holdfast.simulation.variant;

import io.holdfast.reservation.domain.OrderCreateRequested;
import io.holdfast.reservation.port.OrderRequests;
import io.holdfast.simulation.world.SaleDay;

/** A message that is sent again is another message. */
final class NewIdOnResend extends WrongVariant {

    @Override
    public String what() {
        return "sends the request for an order under a new id each time";
    }

    @Override
    public OrderRequests requests(SaleDay day, OrderRequests requests) {
        return order -> requests.send(new OrderCreateRequested(
                day.world().chance().id("message"),
                order.reservationId(),
                order.requestId(),
                order.activity(),
                order.sku(),
                order.userId(),
                order.quantity(),
                order.reservedAt(),
                order.businessDeadline()));
    }
}
