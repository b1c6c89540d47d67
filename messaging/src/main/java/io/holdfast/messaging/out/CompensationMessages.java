package io.holdfast.messaging.out;

import io.holdfast.compensation.domain.Compensation;
import io.holdfast.compensation.domain.CompensationEvent;
import io.holdfast.compensation.domain.Evidence;
import io.holdfast.compensation.domain.Resolution;
import io.holdfast.compensation.domain.Statement;
import io.holdfast.engine.entity.Entry;
import java.util.List;
import java.util.Optional;

/** What an entry of a compensation's journal announces: that it waits for a person, and that it does not any more. */
final class CompensationMessages {

    private CompensationMessages() {}

    /** The messages of one entry. */
    static List<OutgoingMessage> of(JournalStep<Compensation, CompensationEvent> step) {
        return switch (step.entry()) {
            case Entry.Happened<CompensationEvent>(CompensationEvent event, var _) ->
                news(step, event).map(List::of).orElseGet(List::of);
            // Its reservation owes the same, and tells of it.
            case Entry.EffectStalled<CompensationEvent> _ -> List.of();
        };
    }

    private static Optional<OutgoingMessage> news(
            JournalStep<Compensation, CompensationEvent> step, CompensationEvent event) {
        return switch (event) {
            case CompensationEvent.ManualOpened(Evidence evidence, Optional<Statement> by) ->
                message(
                        step,
                        "InventoryCompensationManual",
                        new Data()
                                .with("reason_code", evidence.trigger().name())
                                .with("reason", by.map(Statement::reason).orElse(evidence.answer()))
                                .with("evidence", evidence.details()));
            case CompensationEvent.ManualResolved(Resolution resolution, Statement by, var _) ->
                message(
                        step,
                        "InventoryCompensationResolved",
                        new Data()
                                .with(
                                        "resolution",
                                        switch (resolution) {
                                            case Resolution.Again() -> "AGAIN";
                                            case Resolution.StandAs(var ending) -> ending.name();
                                        })
                                .with("reason", by.reason())
                                .with("incident", by.incident()));
            case CompensationEvent.CompensationRequested _,
                    CompensationEvent.AskedAnew _,
                    CompensationEvent.CompensationApplied _,
                    CompensationEvent.CompensationVerified _,
                    CompensationEvent.EffectLost _,
                    CompensationEvent.CompensationWithdrawn _,
                    CompensationEvent.ResolutionProposed _,
                    CompensationEvent.ProposalDeclined _ -> Optional.empty();
        };
    }

    private static Optional<OutgoingMessage> message(
            JournalStep<Compensation, CompensationEvent> step, String type, Data more) {
        if (!(step.after() instanceof Compensation.Known known)) {
            throw new IllegalStateException(step.eventId() + ": nobody asked for it");
        }
        String reservation = known.content().reservationId();
        return Optional.of(step.message(
                OutTopic.LIFECYCLE,
                "",
                type,
                reservation,
                reservation,
                new Data()
                        .with("compensation", known.id())
                        .with("reservation_id", reservation)
                        .with("pool", known.content().pool().value())
                        .with("status", known.status().name())
                        .with(more)));
    }
}
