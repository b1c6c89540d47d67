package io.holdfast.compensation.domain;

import java.util.Optional;

/** What has happened to a compensation. */
public sealed interface CompensationEvent {

    /** The reservation asked for it. */
    record CompensationRequested(Content content, Asked asked) implements CompensationEvent {}

    /** The reservation asked again from further on: what was known counts no more. */
    record AskedAnew(Asked asked) implements CompensationEvent {}

    /** The script did it, now or before. */
    record CompensationApplied(Result result) implements CompensationEvent {}

    /** The fence shows it. */
    record CompensationVerified() implements CompensationEvent {}

    /** The fence does not show it: Redis has lost it since, and the script is asked again. */
    record EffectLost(String found) implements CompensationEvent {}

    /** The reservation does not owe it any more; the script is not asked. */
    record CompensationWithdrawn(String standing) implements CompensationEvent {}

    /** Only a person can say how it goes on. */
    record ManualOpened(Evidence evidence, Optional<Statement> by) implements CompensationEvent {}

    /** Somebody said how it goes on, and a second person is to agree. */
    record ResolutionProposed(Proposal proposal) implements CompensationEvent {}

    /** The proposal is off the table. */
    record ProposalDeclined(Statement by) implements CompensationEvent {}

    /**
     * It is decided how it goes on.
     *
     * @param by who said so first
     * @param approvedBy the second person, where one is needed
     */
    record ManualResolved(Resolution resolution, Statement by, Optional<Statement> approvedBy)
            implements CompensationEvent {}
}
