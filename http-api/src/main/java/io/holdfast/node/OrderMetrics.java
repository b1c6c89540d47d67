package io.holdfast.node;

import io.holdfast.order.domain.RejectReason;
import io.holdfast.order.domain.SurplusReason;
import io.holdfast.order.port.BooksListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts what the books of orders come to, all of it from the start, as 0; writes down what somebody should look at. */
final class OrderMetrics implements BooksListener {

    private static final Logger LOG = LoggerFactory.getLogger(OrderMetrics.class);

    private final Counter commitUnknown;
    private final Counter duplicate;
    private final Counter otherPayload;
    private final Counter outOfStock;
    private final Counter duplicateBuyer;
    private final Counter overdue;
    private final Counter paymentOfCancelled;
    private final Counter paymentSurplus;

    OrderMetrics(MeterRegistry registry) {
        this.commitUnknown =
                counter(registry, "holdfast.db.commit.unknown", "Commits of orders that no answer came to");
        this.duplicate = counter(registry, "holdfast.inbox.duplicate", "Requests for orders that were decided before");
        this.otherPayload = counter(
                registry, "holdfast.inbox.payload.conflict", "Requests for orders under the id of another request");
        this.outOfStock = counter(
                registry, "holdfast.db.final.stock.reject", "Orders rejected because the final stock was too low");
        this.duplicateBuyer = counter(
                registry, "holdfast.order.user.unique.conflict", "Orders rejected because the buyer has a live one");
        this.overdue = counter(registry, "holdfast.order.deadline.reject", "Orders rejected by their deadline");
        this.paymentOfCancelled = counter(
                registry, "holdfast.payment.cancel.conflict", "Payments that came for orders that were cancelled");
        this.paymentSurplus =
                counter(registry, "holdfast.payment.surplus", "Payments that pay nothing, for whatever reason");
    }

    private static Counter counter(MeterRegistry registry, String name, String description) {
        return Counter.builder(name).description(description).register(registry);
    }

    @Override
    public void commitUnknown() {
        commitUnknown.increment();
        LOG.warn("A commit of an order was not answered; it is asked again.");
    }

    @Override
    public void decidedBefore() {
        duplicate.increment();
    }

    @Override
    public void otherPayload() {
        otherPayload.increment();
        LOG.error("A request for an order came under the id of another request; nothing was done.");
    }

    @Override
    public void rejected(RejectReason reason) {
        switch (reason) {
            case OUT_OF_FINAL_STOCK -> outOfStock.increment();
            case DUPLICATE_BUYER -> duplicateBuyer.increment();
            case BUSINESS_DEADLINE_EXCEEDED -> overdue.increment();
        }
    }

    @Override
    public void surplus(SurplusReason reason) {
        paymentSurplus.increment();
        if (reason == SurplusReason.ORDER_CANCELLED) {
            paymentOfCancelled.increment();
            LOG.warn("A payment came for an order that was cancelled; it goes back.");
        }
    }
}
