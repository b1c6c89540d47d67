package io.holdfast.http.route;

import io.holdfast.engine.machine.Refusal;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.http.problem.ProblemCode;
import io.holdfast.http.wire.Paths;
import io.holdfast.http.wire.PlacedOrderView;
import io.holdfast.order.domain.Order;
import java.util.Optional;

/** Orders of the built-in order service as seen from outside. */
final class PlacedOrderShape implements EntityAnswers.Shape<Order> {

    @Override
    public String idMember() {
        return "order_id";
    }

    @Override
    public String linkMember() {
        return "order_url";
    }

    @Override
    public String path(String entityId) {
        return Paths.order(entityId);
    }

    @Override
    public PlacedOrderView view(Reply<Order> reply) {
        return PlacedOrderView.of(reply);
    }

    @Override
    public String status(Order state) {
        return state.status().name();
    }

    @Override
    public boolean recorded(Order state, Refusal reason) {
        return state.unmarked() instanceof Order.Rejected;
    }

    @Override
    public ProblemCode absent() {
        return ProblemCode.UNKNOWN_ORDER;
    }

    @Override
    public Optional<Owner> owner(Order state) {
        return state.asked().map(request -> new Owner(request.activity(), Optional.of(request.userId())));
    }
}
