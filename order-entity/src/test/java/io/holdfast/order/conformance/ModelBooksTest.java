package io.holdfast.order.conformance;

import io.holdfast.order.model.ModelBooks;
import io.holdfast.order.port.FinalStock;
import io.holdfast.order.port.FinalStock.Numbers;
import io.holdfast.order.port.OrderBooks;
import java.util.List;

class ModelBooksTest extends OrderBooksConformance {

    private final ModelBooks model = new ModelBooks();

    @Override
    protected OrderBooks books() {
        return model;
    }

    @Override
    protected FinalStock stock() {
        return model;
    }

    @Override
    protected String status(String orderId) {
        return model.status(orderId);
    }

    @Override
    protected String payment(String paymentId) {
        return model.payment(paymentId);
    }

    @Override
    protected List<Numbers> changes(String activity, String sku) {
        return model.changes(activity, sku);
    }
}
