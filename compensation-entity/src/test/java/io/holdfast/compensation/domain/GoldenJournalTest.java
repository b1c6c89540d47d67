package io.holdfast.compensation.domain;

import io.holdfast.compensation.domain.CompensationEvent.CompensationApplied;
import io.holdfast.compensation.domain.CompensationEvent.CompensationRequested;
import io.holdfast.compensation.domain.CompensationEvent.CompensationWithdrawn;
import io.holdfast.compensation.domain.CompensationEvent.EffectLost;
import io.holdfast.compensation.domain.CompensationEvent.ManualOpened;
import io.holdfast.compensation.domain.CompensationEvent.ManualResolved;
import io.holdfast.compensation.domain.CompensationEvent.ProposalDeclined;
import io.holdfast.engine.journal.JournalCodec;
import io.holdfast.testkit.derived.GoldenJournal;
import java.util.List;
import java.util.Map;
import java.util.Optional;

class GoldenJournalTest extends GoldenJournal<CompensationEvent> {

    @Override
    protected String machine() {
        return CompensationMachine.NAME;
    }

    @Override
    protected Class<CompensationEvent> eventType() {
        return CompensationEvent.class;
    }

    @Override
    protected JournalCodec<CompensationEvent> codec() {
        return JournalCodec.of(CompensationEvent.class);
    }

    @Override
    protected List<CompensationEvent> examples() {
        Statement stops = new Statement("ada", "disputed", Optional.empty());
        return List.of(
                A.REQUESTED,
                new CompensationRequested(A.REFUND, A.LATER),
                A.ANEW,
                A.APPLIED,
                new CompensationApplied(A.REFUNDED),
                new CompensationApplied(new Result.TooLate()),
                A.VERIFIED,
                new EffectLost("RESERVED with 5 left"),
                new CompensationWithdrawn("CONFIRMED"),
                A.MANUAL,
                new ManualOpened(new Evidence(Evidence.Trigger.FROZEN, "disputed", Map.of()), Optional.of(stops)),
                A.PROPOSED,
                new ProposalDeclined(A.GRACE),
                new ManualResolved(A.AGAIN, A.ADA, Optional.empty()),
                new ManualResolved(A.SOLD, A.ADA, Optional.of(A.GRACE)));
    }
}
