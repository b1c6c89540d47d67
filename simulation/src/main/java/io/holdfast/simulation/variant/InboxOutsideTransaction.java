package io.holdfast.simulation.variant;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.order.domain.OrderCommand.CreationAnswer;
import io.holdfast.order.port.BookAnswer;
import io.holdfast.order.port.OrderBooks;
import io.holdfast.reservation.domain.OrderCreateRequested;
import io.holdfast.simulation.world.SaleDay;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** The order is committed, and that its request was seen is not. */
final class InboxOutsideTransaction extends WrongVariant {

    @Override
    public String what() {
        return "does not remember a request in the transaction that decides it";
    }

    @Override
    public OrderBooks books(SaleDay day, OrderBooks books) {
        Map<String, Integer> seen = new HashMap<>();
        return (OrderBooks) Proxy.newProxyInstance(
                OrderBooks.class.getClassLoader(), new Class<?>[] {OrderBooks.class}, (_, method, arguments) -> {
                    try {
                        return arguments[0] instanceof OrderCreateRequested request && arguments.length == 2
                                ? create(books, seen, request, (Duration) arguments[1])
                                : method.invoke(books, arguments);
                    } catch (InvocationTargetException e) {
                        throw new AssertionError("a port must answer, not throw", e);
                    }
                });
    }

    private static CompletionStage<Outcome<BookAnswer<CreationAnswer>>> create(
            OrderBooks books, Map<String, Integer> seen, OrderCreateRequested request, Duration payWithin) {
        int times = seen.merge(request.messageId(), 1, Integer::sum);
        return books.create(
                times == 1
                        ? request
                        : new OrderCreateRequested(
                                request.messageId() + "-" + times,
                                request.reservationId(),
                                request.requestId(),
                                request.activity(),
                                request.sku(),
                                request.userId(),
                                request.quantity(),
                                request.reservedAt(),
                                request.businessDeadline()),
                payWithin);
    }
}
