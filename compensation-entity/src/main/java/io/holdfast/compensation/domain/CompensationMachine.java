package io.holdfast.compensation.domain;

import static io.holdfast.compensation.domain.CompensationRefusal.COMPENSATION_ENDED;
import static io.holdfast.compensation.domain.CompensationRefusal.INCIDENT_MISSING;
import static io.holdfast.compensation.domain.CompensationRefusal.NOTHING_PROPOSED;
import static io.holdfast.compensation.domain.CompensationRefusal.NOT_MANUAL;
import static io.holdfast.compensation.domain.CompensationRefusal.OTHER_CONTENT;
import static io.holdfast.compensation.domain.CompensationRefusal.OTHER_PROPOSAL;
import static io.holdfast.compensation.domain.CompensationRefusal.RESOLUTION_NOT_ALLOWED;
import static io.holdfast.compensation.domain.CompensationRefusal.SAME_PERSON;
import static io.holdfast.compensation.domain.CompensationRefusal.UNKNOWN_COMPENSATION;

import io.holdfast.compensation.domain.Compensation.Applied;
import io.holdfast.compensation.domain.Compensation.Applying;
import io.holdfast.compensation.domain.Compensation.Known;
import io.holdfast.compensation.domain.Compensation.Manual;
import io.holdfast.compensation.domain.Compensation.Pending;
import io.holdfast.compensation.domain.Compensation.Resolved;
import io.holdfast.compensation.domain.Compensation.Verified;
import io.holdfast.compensation.domain.Compensation.Withdrawn;
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
import io.holdfast.compensation.domain.CompensationEvent.AskedAnew;
import io.holdfast.compensation.domain.CompensationEvent.CompensationApplied;
import io.holdfast.compensation.domain.CompensationEvent.CompensationRequested;
import io.holdfast.compensation.domain.CompensationEvent.CompensationVerified;
import io.holdfast.compensation.domain.CompensationEvent.CompensationWithdrawn;
import io.holdfast.compensation.domain.CompensationEvent.EffectLost;
import io.holdfast.compensation.domain.CompensationEvent.ManualOpened;
import io.holdfast.compensation.domain.CompensationEvent.ManualResolved;
import io.holdfast.compensation.domain.CompensationEvent.ProposalDeclined;
import io.holdfast.compensation.domain.CompensationEvent.ResolutionProposed;
import io.holdfast.engine.machine.Decision;
import io.holdfast.engine.machine.Machine;
import io.holdfast.engine.machine.Owed;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.reservation.domain.Resolution.Ending;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Giving stock back, as its own journal tells it: asked for by the reservation, done by the script, seen in the fence. What Redis says
 * against it only a person resolves, and where two are wanted, two.
 *
 * <p>What it knows it knows from where the reservation's journal stood. A reservation that asks from further on has not recorded the
 * result, and Redis may have been loaded with what was so before: the script, which moves once per key, is asked again.
 */
public final class CompensationMachine
        implements Machine<Compensation, CompensationCommand, CompensationEvent, CompensationEffect> {

    /** Name of the machine: first part of the persistence id. */
    public static final String NAME = "compensation";

    private final CompensationPolicies policies;

    /** @param policies how scripts are attempted, and who decides */
    public CompensationMachine(CompensationPolicies policies) {
        this.policies = Objects.requireNonNull(policies);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Compensation initial(String entityId) {
        return new Pending(entityId);
    }

    @Override
    public CompensationCommand wakeUp() {
        return new WakeUp();
    }

    @Override
    public CompensationCommand contradicted(String causeId) {
        return new Contradicted(causeId);
    }

    // ---- decide

    @Override
    public Decision<CompensationEvent> decide(Compensation state, CompensationCommand command, Instant now) {
        return switch (command) {
            case Compensate compensate -> compensate(state, compensate);
            case ScriptAnswered answered -> scriptAnswered(state, answered);
            case FenceRead read -> fenceRead(state, read);
            case Freeze(Statement by) -> freeze(state, by);
            case Resolve(Resolution resolution, Statement by) -> resolve(state, resolution, by);
            case Approve(Resolution resolution, Statement by) -> approve(state, resolution, by);
            case Decline(Statement by) -> decline(state, by);
            case WakeUp() -> Decision.repeat();
            // Only its reservation tells it anything, by requests: no event of another system comes here.
            case Contradicted _ -> Decision.refuse(OTHER_CONTENT);
        };
    }

    private static Decision<CompensationEvent> compensate(Compensation state, Compensate command) {
        if (!command.content().key().equals(state.id())) {
            return Decision.refuse(OTHER_CONTENT);
        }
        return switch (state) {
            case Pending _ -> Decision.accept(new CompensationRequested(command.content(), command.asked()));
            case Known known -> {
                if (!known.content().equals(command.content())) {
                    yield Decision.refuse(OTHER_CONTENT);
                }
                boolean anew = command.asked().replaces(known.asked());
                yield switch (known) {
                    case Applying _, Applied _, Verified _, Manual _ ->
                        anew ? Decision.accept(new AskedAnew(command.asked())) : Decision.repeat();
                    // Who looked at the reservation may have seen a copy of it that was left behind.
                    case Withdrawn withdrawn ->
                        command.asked().epoch() >= withdrawn.asked().epoch()
                                ? Decision.accept(new AskedAnew(command.asked()))
                                : Decision.repeat();
                    // What persons decided does not depend on what Redis has.
                    case Resolved _ -> Decision.repeat();
                };
            }
        };
    }

    private static Decision<CompensationEvent> scriptAnswered(Compensation state, ScriptAnswered command) {
        if (!(state instanceof Applying applying) || !applying.asked().equals(command.asked())) {
            return Decision.repeat();
        }
        return switch (command.answer()) {
            case ScriptAnswer.Done(Result result) ->
                unexpected(applying.content(), result)
                        .<Decision<CompensationEvent>>map(Decision::accept)
                        .orElseGet(() -> switch (result) {
                            // Redis has nothing more of an ended pool that could be read back.
                            case Result.TooLate _ ->
                                Decision.accept(new CompensationApplied(result), new CompensationVerified());
                            case Result.Released _, Result.Refunded _ ->
                                Decision.accept(new CompensationApplied(result));
                        });
            case ScriptAnswer.Contradicts(String answer, Map<String, String> details) ->
                Decision.accept(new ManualOpened(
                        new Evidence(Evidence.Trigger.CONTRADICTION, answer, details), Optional.empty()));
            case ScriptAnswer.NotOwed(String standing) -> Decision.accept(new CompensationWithdrawn(standing));
        };
    }

    /** A result that is none of what was asked for. */
    private static Optional<CompensationEvent> unexpected(Content content, Result result) {
        boolean fits = switch (content) {
            case Content.Release(var _, var _, long quantity, boolean expectHeld, var _) ->
                result instanceof Result.Released(long units, var _)
                        && (units == quantity || (units == 0 && !expectHeld));
            case Content.GiveBack _ -> !(result instanceof Result.Released);
        };
        return fits
                ? Optional.empty()
                : Optional.of(new ManualOpened(
                        new Evidence(
                                Evidence.Trigger.CONTRADICTION,
                                "MOVED_OTHERWISE",
                                Map.of("asked", content.toString(), "result", result.toString())),
                        Optional.empty()));
    }

    private static Decision<CompensationEvent> fenceRead(Compensation state, FenceRead command) {
        if (!(state instanceof Applied applied) || !applied.asked().equals(command.asked())) {
            return Decision.repeat();
        }
        return command.shown()
                ? Decision.accept(new CompensationVerified())
                : Decision.accept(new EffectLost(command.found()));
    }

    private static Decision<CompensationEvent> freeze(Compensation state, Statement by) {
        return switch (state) {
            case Pending _ -> Decision.refuse(UNKNOWN_COMPENSATION);
            case Applying _, Applied _ ->
                Decision.accept(new ManualOpened(
                        new Evidence(Evidence.Trigger.FROZEN, by.reason(), Map.of()), Optional.of(by)));
            case Manual _ -> Decision.repeat();
            case Verified _, Resolved _, Withdrawn _ -> Decision.refuse(COMPENSATION_ENDED);
        };
    }

    private Decision<CompensationEvent> resolve(Compensation state, Resolution resolution, Statement by) {
        return switch (state) {
            case Pending _ -> Decision.refuse(UNKNOWN_COMPENSATION);
            case Manual manual -> {
                if (by.incident().isEmpty()) {
                    yield Decision.refuse(INCIDENT_MISSING);
                }
                if (!allowed(manual.content()).contains(resolution)) {
                    yield Decision.refuse(RESOLUTION_NOT_ALLOWED);
                }
                if (manual.proposal().isPresent()) {
                    yield manual.proposal().get().resolution().equals(resolution)
                            ? Decision.repeat()
                            : Decision.refuse(OTHER_PROPOSAL);
                }
                yield policies.secondPerson()
                        ? Decision.accept(new ResolutionProposed(new Proposal(resolution, by)))
                        : Decision.accept(new ManualResolved(resolution, by, Optional.empty()));
            }
            case Applying _, Applied _, Verified _, Resolved _, Withdrawn _ -> Decision.refuse(NOT_MANUAL);
        };
    }

    private static Decision<CompensationEvent> approve(Compensation state, Resolution resolution, Statement by) {
        return switch (state) {
            case Pending _ -> Decision.refuse(UNKNOWN_COMPENSATION);
            case Manual manual -> {
                if (manual.proposal().isEmpty()) {
                    yield Decision.refuse(NOTHING_PROPOSED);
                }
                Proposal proposal = manual.proposal().get();
                if (!proposal.resolution().equals(resolution)) {
                    yield Decision.refuse(OTHER_PROPOSAL);
                }
                yield proposal.by().operator().equals(by.operator())
                        ? Decision.refuse(SAME_PERSON)
                        : Decision.accept(new ManualResolved(resolution, proposal.by(), Optional.of(by)));
            }
            case Applying _, Applied _, Verified _, Resolved _, Withdrawn _ -> Decision.refuse(NOT_MANUAL);
        };
    }

    private static Decision<CompensationEvent> decline(Compensation state, Statement by) {
        return switch (state) {
            case Pending _ -> Decision.refuse(UNKNOWN_COMPENSATION);
            case Manual manual ->
                manual.proposal().isPresent()
                        ? Decision.accept(new ProposalDeclined(by))
                        : Decision.refuse(NOTHING_PROPOSED);
            case Applying _, Applied _, Verified _, Resolved _, Withdrawn _ -> Decision.refuse(NOT_MANUAL);
        };
    }

    /** What a person may decide of it, in the order in which it is offered. */
    public static List<Resolution> allowed(Content content) {
        return switch (content) {
            case Content.Release _, Content.GiveBack _ ->
                List.of(
                        new Resolution.Again(),
                        new Resolution.StandAs(Ending.CONFIRMED),
                        new Resolution.StandAs(Ending.CANCELED),
                        new Resolution.StandAs(Ending.REFUNDED));
        };
    }

    // ---- evolve

    @Override
    public Compensation evolve(Compensation state, CompensationEvent event) {
        return switch (event) {
            case CompensationRequested(Content content, Asked asked) -> {
                if (!(state instanceof Pending)) {
                    throw impossible(state, event);
                }
                yield new Applying(content, asked);
            }
            case AskedAnew(Asked asked) ->
                switch (state) {
                    case Applying s -> new Applying(s.content(), asked);
                    case Applied s -> new Applying(s.content(), asked);
                    case Verified s -> new Applying(s.content(), asked);
                    case Withdrawn s -> new Applying(s.content(), asked);
                    case Manual s -> new Manual(s.content(), asked, s.evidence(), s.proposal());
                    case Pending _, Resolved _ -> throw impossible(state, event);
                };
            case CompensationApplied(Result result) -> {
                Applying s = as(Applying.class, state, event);
                yield new Applied(s.content(), s.asked(), result);
            }
            case CompensationVerified() -> {
                Applied s = as(Applied.class, state, event);
                yield new Verified(s.content(), s.asked(), s.result());
            }
            case EffectLost _ -> {
                Applied s = as(Applied.class, state, event);
                yield new Applying(s.content(), s.asked());
            }
            case CompensationWithdrawn(String standing) -> {
                Applying s = as(Applying.class, state, event);
                yield new Withdrawn(s.content(), s.asked(), standing);
            }
            case ManualOpened(Evidence evidence, var _) -> {
                Known s = as(Known.class, state, event);
                yield new Manual(s.content(), s.asked(), evidence, Optional.empty());
            }
            case ResolutionProposed(Proposal proposal) -> {
                Manual s = as(Manual.class, state, event);
                yield new Manual(s.content(), s.asked(), s.evidence(), Optional.of(proposal));
            }
            case ProposalDeclined _ -> {
                Manual s = as(Manual.class, state, event);
                yield new Manual(s.content(), s.asked(), s.evidence(), Optional.empty());
            }
            case ManualResolved(Resolution resolution, Statement by, Optional<Statement> approvedBy) -> {
                Manual s = as(Manual.class, state, event);
                yield switch (resolution) {
                    case Resolution.Again() -> new Applying(s.content(), s.asked());
                    case Resolution.StandAs(var ending) -> new Resolved(s.content(), s.asked(), ending, by, approvedBy);
                };
            }
        };
    }

    private static <T extends Compensation> T as(Class<T> expected, Compensation state, CompensationEvent event) {
        if (!expected.isInstance(state)) {
            throw impossible(state, event);
        }
        return expected.cast(state);
    }

    private static IllegalStateException impossible(Compensation state, CompensationEvent event) {
        return new IllegalStateException(
                "this code never journals " + event.getClass().getSimpleName() + " of one that is " + state.status());
    }

    // ---- owe

    @Override
    public Owed<CompensationEffect> owe(Compensation state) {
        return switch (state) {
            case Applying s -> Owed.effect(new CompensationEffect.Apply(s.content(), s.asked(), policies.script()));
            case Applied s -> Owed.effect(new CompensationEffect.ReadBack(s.content(), s.asked(), policies.script()));
            case Pending _, Verified _, Manual _, Resolved _, Withdrawn _ -> Owed.nothing();
        };
    }

    // ---- verdict

    @Override
    public Verdict verdict(Compensation state, CompensationCommand command) {
        return switch (command) {
            case Compensate(Content content, Asked asked) ->
                switch (state) {
                    case Pending _ -> Verdict.pending();
                    case Known known when !known.content().equals(content) -> Verdict.refused(OTHER_CONTENT);
                    case Resolved _ -> Verdict.done();
                    case Known known when !known.asked().equals(asked) -> Verdict.pending();
                    case Verified _, Manual _ -> Verdict.done();
                    case Applying _, Applied _, Withdrawn _ -> Verdict.pending();
                };
            case ScriptAnswered _, FenceRead _, Freeze _, Resolve _, Approve _, Decline _, WakeUp _, Contradicted _ ->
                Verdict.done();
        };
    }
}
