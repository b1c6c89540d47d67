package io.holdfast.reservation.domain;

import io.holdfast.engine.machine.MachineSamples;
import io.holdfast.testkit.derived.DerivedPage;
import org.junit.jupiter.api.Nested;

class DerivedPagesTest {

    @Nested
    class Of_the_reservation extends DerivedPage {
        @Override
        protected MachineSamples<?, ?, ?, ?> samples() {
            return new ReservationSamples();
        }
    }

    @Nested
    class Of_the_stock_pool extends DerivedPage {
        @Override
        protected MachineSamples<?, ?, ?, ?> samples() {
            return new StockPoolSamples();
        }
    }
}
