package io.holdfast.order.port;

import io.holdfast.order.domain.RejectReason;
import io.holdfast.order.domain.SurplusReason;

/** Told what the books come to; for metrics. What is asked again may be told again. Must not throw and not block. */
public interface BooksListener {

    /** Hears nothing. */
    BooksListener NONE = new BooksListener() {
        @Override
        public void commitUnknown() {}

        @Override
        public void decidedBefore() {}

        @Override
        public void otherPayload() {}

        @Override
        public void rejected(RejectReason reason) {}

        @Override
        public void surplus(SurplusReason reason) {}
    };

    /** A transaction was committed, and no answer came. */
    void commitUnknown();

    /** A request was decided before it was asked about this time. */
    void decidedBefore();

    /** A request came under the id of another. */
    void otherPayload();

    /** There will be no order. */
    void rejected(RejectReason reason);

    /** A payment pays nothing. */
    void surplus(SurplusReason reason);
}
