package io.holdfast.simulation.store;

import io.holdfast.order.conformance.PaymentProviderConformance;
import io.holdfast.order.domain.Payment;
import io.holdfast.order.port.PaymentProvider;

/** The till of a world is to the order service what a provider is that is asked over HTTP. */
class TillConformanceTest extends PaymentProviderConformance {

    private final Till till = new Till();

    @Override
    protected PaymentProvider provider() {
        return till;
    }

    @Override
    protected boolean pay(String orderId, Payment payment) {
        return till.pay(orderId, payment);
    }
}
