package io.holdfast.compensation.domain;

import io.holdfast.compensation.domain.CompensationCommand.Approve;
import io.holdfast.compensation.domain.CompensationCommand.Compensate;
import io.holdfast.compensation.domain.CompensationCommand.Contradicted;
import io.holdfast.compensation.domain.CompensationCommand.Decline;
import io.holdfast.compensation.domain.CompensationCommand.FenceRead;
import io.holdfast.compensation.domain.CompensationCommand.Freeze;
import io.holdfast.compensation.domain.CompensationCommand.Resolve;
import io.holdfast.compensation.domain.CompensationCommand.ScriptAnswer;
import io.holdfast.compensation.domain.CompensationCommand.ScriptAnswered;
import io.holdfast.compensation.domain.CompensationCommand.WakeUp;
import io.holdfast.compensation.domain.CompensationEvent.CompensationApplied;
import io.holdfast.compensation.domain.CompensationEvent.CompensationRequested;
import io.holdfast.compensation.domain.CompensationEvent.CompensationVerified;
import io.holdfast.compensation.domain.CompensationEvent.CompensationWithdrawn;
import io.holdfast.compensation.domain.CompensationEvent.ManualOpened;
import io.holdfast.compensation.domain.CompensationEvent.ManualResolved;
import io.holdfast.compensation.domain.CompensationEvent.ResolutionProposed;
import io.holdfast.engine.machine.Machine;
import io.holdfast.engine.machine.MachineSamples;
import io.holdfast.engine.machine.Sample;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.EffectPolicies;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.Refund;
import io.holdfast.reservation.domain.Resolution.Ending;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One compensation, a release of five units, in every state; resolutions need a second person. */
public final class CompensationSamples
        implements MachineSamples<Compensation, CompensationCommand, CompensationEvent, CompensationEffect> {

    private static final Instant NOW = Instant.parse("2026-07-25T12:30:00Z");
    private static final String RESERVATION = "5f0c1d2e3b4a59687786958473625140";
    private static final PoolId POOL = PoolId.parse("m-1:soup:2026-07-25");
    private static final Content CONTENT = new Content.Release(RESERVATION, POOL, 5, true, false);
    private static final Asked ASKED = new Asked(0, 1);
    private static final Asked LATER = new Asked(7, 2);
    private static final Result RELEASED = new Result.Released(5, Books.expected(1, 3, 10, 0, 0));
    private static final Statement FIRST = Statement.of("ada", "the goods went out", "INC-7");
    private static final Statement SECOND = Statement.of("grace", "seen the note of delivery", "INC-7");
    private static final Resolution SOLD = new Resolution.StandAs(Ending.CONFIRMED);
    private static final Evidence EVIDENCE =
            new Evidence(Evidence.Trigger.CONTRADICTION, "CONFIRMED_ALREADY", Map.of());

    private static final CompensationRequested REQUESTED = new CompensationRequested(CONTENT, ASKED);
    private static final CompensationApplied APPLIED = new CompensationApplied(RELEASED);
    private static final ManualOpened MANUAL = new ManualOpened(EVIDENCE, Optional.empty());
    private static final ResolutionProposed PROPOSED = new ResolutionProposed(new Proposal(SOLD, FIRST));

    private final CompensationMachine machine = new CompensationMachine(
            new CompensationPolicies(EffectPolicies.standard().script(), true));

    @Override
    public Machine<Compensation, CompensationCommand, CompensationEvent, CompensationEffect> machine() {
        return machine;
    }

    @Override
    public Instant now() {
        return NOW;
    }

    @Override
    public Class<?> stateType() {
        return Compensation.class;
    }

    @Override
    public Class<?> commandType() {
        return CompensationCommand.class;
    }

    @Override
    public List<Sample<Compensation>> states() {
        return List.of(
                Sample.of(after()),
                Sample.of(after(REQUESTED)),
                Sample.of(after(REQUESTED, APPLIED)),
                Sample.of(after(REQUESTED, APPLIED, new CompensationVerified())),
                Sample.of(after(REQUESTED, MANUAL)),
                Sample.of("proposed", after(REQUESTED, MANUAL, PROPOSED)),
                Sample.of(after(REQUESTED, MANUAL, PROPOSED, new ManualResolved(SOLD, FIRST, Optional.of(SECOND)))),
                Sample.of(after(REQUESTED, new CompensationWithdrawn("CONFIRMED"))));
    }

    @Override
    public List<Sample<CompensationCommand>> commands() {
        return List.of(
                Sample.of(new Compensate(CONTENT, ASKED)),
                Sample.of("from further on", new Compensate(CONTENT, LATER)),
                Sample.of(
                        "other content", new Compensate(new Content.Release(RESERVATION, POOL, 4, true, false), ASKED)),
                Sample.of(
                        "other key",
                        new Compensate(
                                new Content.GiveBack(RESERVATION, POOL, new Refund("refund-1", 2, true), false),
                                ASKED)),
                Sample.of("released", new ScriptAnswered(ASKED, new ScriptAnswer.Done(RELEASED))),
                Sample.of(
                        "released fewer",
                        new ScriptAnswered(
                                ASKED, new ScriptAnswer.Done(new Result.Released(4, Books.expected(1, 3, 10, 1, 0))))),
                Sample.of(
                        "contradicted",
                        new ScriptAnswered(ASKED, new ScriptAnswer.Contradicts("CONFIRMED_ALREADY", Map.of()))),
                Sample.of("not owed", new ScriptAnswered(ASKED, new ScriptAnswer.NotOwed("CONFIRMED"))),
                Sample.of("from elsewhere", new ScriptAnswered(LATER, new ScriptAnswer.Done(RELEASED))),
                Sample.of("shown", new FenceRead(ASKED, true, "CANCELED with 0 left")),
                Sample.of("not shown", new FenceRead(ASKED, false, "RESERVED with 5 left")),
                Sample.of(new Freeze(new Statement("ada", "disputed", Optional.empty()))),
                Sample.of("again", new Resolve(new Resolution.Again(), FIRST)),
                Sample.of("stands as sold", new Resolve(SOLD, FIRST)),
                Sample.of("without an incident", new Resolve(SOLD, new Statement("ada", "clear", Optional.empty()))),
                Sample.of("another person", new Approve(SOLD, SECOND)),
                Sample.of("same person", new Approve(SOLD, FIRST)),
                Sample.of("of another resolution", new Approve(new Resolution.Again(), SECOND)),
                Sample.of(new Decline(SECOND)),
                Sample.of(new WakeUp()),
                Sample.of(new Contradicted("message-1")));
    }

    private Compensation after(CompensationEvent... past) {
        Compensation state = machine.initial(CONTENT.key());
        for (CompensationEvent event : past) {
            state = machine.evolve(state, event);
        }
        return state;
    }
}
