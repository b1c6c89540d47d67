package io.holdfast.compensation.domain;

import io.holdfast.engine.machine.MachineSamples;
import io.holdfast.testkit.derived.DerivedPage;

class DerivedPagesTest extends DerivedPage {
    @Override
    protected MachineSamples<?, ?, ?, ?> samples() {
        return new CompensationSamples();
    }
}
