package io.holdfast.compensation.domain;

import static io.holdfast.compensation.domain.A.ADA;
import static io.holdfast.compensation.domain.A.AGAIN;
import static io.holdfast.compensation.domain.A.ANEW;
import static io.holdfast.compensation.domain.A.APPLIED;
import static io.holdfast.compensation.domain.A.ASKED;
import static io.holdfast.compensation.domain.A.CONTENT;
import static io.holdfast.compensation.domain.A.GRACE;
import static io.holdfast.compensation.domain.A.KEY;
import static io.holdfast.compensation.domain.A.LATER;
import static io.holdfast.compensation.domain.A.MANUAL;
import static io.holdfast.compensation.domain.A.NOW;
import static io.holdfast.compensation.domain.A.PROPOSED;
import static io.holdfast.compensation.domain.A.REFUND;
import static io.holdfast.compensation.domain.A.REFUNDED;
import static io.holdfast.compensation.domain.A.RELEASED;
import static io.holdfast.compensation.domain.A.REQUESTED;
import static io.holdfast.compensation.domain.A.SAYS_SOLD;
import static io.holdfast.compensation.domain.A.SOLD;
import static io.holdfast.compensation.domain.A.TWO;
import static io.holdfast.compensation.domain.A.VERIFIED;
import static io.holdfast.engine.machine.Verdict.done;
import static io.holdfast.engine.machine.Verdict.pending;
import static io.holdfast.engine.machine.Verdict.refused;
import static org.assertj.core.api.Assertions.assertThat;

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
import io.holdfast.compensation.domain.CompensationEffect.Apply;
import io.holdfast.compensation.domain.CompensationEffect.ReadBack;
import io.holdfast.compensation.domain.CompensationEvent.AskedAnew;
import io.holdfast.compensation.domain.CompensationEvent.CompensationApplied;
import io.holdfast.compensation.domain.CompensationEvent.CompensationRequested;
import io.holdfast.compensation.domain.CompensationEvent.CompensationWithdrawn;
import io.holdfast.compensation.domain.CompensationEvent.EffectLost;
import io.holdfast.compensation.domain.CompensationEvent.ManualOpened;
import io.holdfast.compensation.domain.CompensationEvent.ManualResolved;
import io.holdfast.compensation.domain.CompensationEvent.ProposalDeclined;
import io.holdfast.compensation.domain.CompensationEvent.ResolutionProposed;
import io.holdfast.engine.machine.Decision;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.Resolution.Ending;
import io.holdfast.testkit.table.MachineTable;
import io.holdfast.testkit.table.MatrixCoverage;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CompensationMachineTest {

    private static final MatrixCoverage<Compensation, CompensationCommand> CELLS =
            MatrixCoverage.of(new CompensationSamples());
    /** Where one person decides. */
    private static final MachineTable<Compensation, CompensationCommand, CompensationEvent, CompensationEffect> TABLE =
            MachineTable.of(new CompensationMachine(A.ONE), KEY).recordingIn(CELLS);
    /** Where two must. */
    private static final MachineTable<Compensation, CompensationCommand, CompensationEvent, CompensationEffect> STRICT =
            MachineTable.of(new CompensationMachine(TWO), KEY).recordingIn(CELLS);

    private static final Compensate COMPENSATE = new Compensate(CONTENT, ASKED);
    private static final ScriptAnswered DID_IT = new ScriptAnswered(ASKED, new ScriptAnswer.Done(RELEASED));
    private static final FenceRead SHOWN = new FenceRead(ASKED, true, "CANCELED with 0 left");
    private static final Statement STOPS = new Statement("ada", "disputed", Optional.empty());
    private static final ManualOpened FROZEN =
            new ManualOpened(new Evidence(Evidence.Trigger.FROZEN, "disputed", Map.of()), Optional.of(STOPS));
    private static final ManualResolved STANDS = new ManualResolved(SOLD, ADA, Optional.empty());
    private static final CompensationWithdrawn WITHDRAWN = new CompensationWithdrawn("CONFIRMED");
    private static final Apply APPLY = new Apply(CONTENT, ASKED, A.ONE.script());

    private static final Map<String, CompensationEvent[]> PASTS = pasts();

    private static Map<String, CompensationEvent[]> pasts() {
        Map<String, CompensationEvent[]> all = new LinkedHashMap<>();
        all.put("Pending", new CompensationEvent[] {});
        all.put("Applying", past(REQUESTED));
        all.put("Applied", past(REQUESTED, APPLIED));
        all.put("Verified", past(REQUESTED, APPLIED, VERIFIED));
        all.put("Manual", past(REQUESTED, MANUAL));
        all.put("Resolved", past(REQUESTED, MANUAL, STANDS));
        all.put("Withdrawn", past(REQUESTED, WITHDRAWN));
        return all;
    }

    private static CompensationEvent[] past(CompensationEvent... events) {
        return events;
    }

    private static void in(List<String> states, Consumer<CompensationEvent[]> row) {
        states.forEach(state -> row.accept(PASTS.get(state)));
    }

    @AfterAll
    static void every_command_was_given_in_every_state() {
        CELLS.everyCellWasChecked();
    }

    @Test
    void what_is_asked_for_is_fixed_by_the_first_one_and_owed_at_once() {
        TABLE.given().when(COMPENSATE, NOW).then(REQUESTED).owes(APPLY).verdict(pending());
        for (String state : PASTS.keySet()) {
            if (!state.equals("Pending")) {
                Content other = new Content.Release("r-1", A.POOL, 4, true, false);
                TABLE.given(PASTS.get(state))
                        .when(new Compensate(other, ASKED), NOW)
                        .thenRefused(CompensationRefusal.OTHER_CONTENT)
                        .verdict(refused(CompensationRefusal.OTHER_CONTENT));
            }
            TABLE.given(PASTS.get(state))
                    .when(new Compensate(REFUND, ASKED), NOW)
                    .thenRefused(CompensationRefusal.OTHER_CONTENT);
        }
    }

    @Test
    void whoever_asks_again_hears_working_or_what_it_came_to() {
        Map<String, Verdict> told = Map.of(
                "Applying", pending(),
                "Applied", pending(),
                "Verified", done(),
                "Manual", done(),
                "Resolved", done());
        told.forEach((state, verdict) ->
                TABLE.given(PASTS.get(state)).when(COMPENSATE, NOW).thenRepeat().verdict(verdict));
    }

    @Test
    void asked_from_further_on_the_script_is_asked_again_for_the_reservation_has_recorded_nothing() {
        Compensate later = new Compensate(CONTENT, LATER);
        in(
                List.of("Applying", "Applied", "Verified", "Withdrawn"),
                past -> TABLE.given(past)
                        .when(later, NOW)
                        .then(ANEW)
                        .thenState(new Compensation.Applying(CONTENT, LATER))
                        .owes(new Apply(CONTENT, LATER, A.ONE.script()))
                        .verdict(pending()));
        TABLE.given(PASTS.get("Manual"))
                .when(later, NOW)
                .then(ANEW)
                .thenState(new Compensation.Manual(CONTENT, LATER, SAYS_SOLD, Optional.empty()))
                .owesNothing()
                .verdict(done());
        TABLE.given(PASTS.get("Resolved")).when(later, NOW).thenRepeat().verdict(done());
    }

    @Test
    void a_copy_of_the_reservation_that_was_left_behind_changes_nothing() {
        TABLE.given(REQUESTED, ANEW).when(COMPENSATE, NOW).thenRepeat().verdict(pending());
        TABLE.given(REQUESTED, ANEW, APPLIED, VERIFIED)
                .when(COMPENSATE, NOW)
                .thenRepeat()
                .verdict(pending());
    }

    @Test
    void another_generation_of_the_same_epoch_asks_anew_in_whichever_order_they_come() {
        Asked other = new Asked(3, 1);
        TABLE.given(REQUESTED).when(new Compensate(CONTENT, other), NOW).then(new AskedAnew(other));
        TABLE.given(REQUESTED, new AskedAnew(other)).when(COMPENSATE, NOW).then(new AskedAnew(ASKED));
    }

    @Test
    void what_the_script_did_is_read_back() {
        TABLE.given(REQUESTED).when(DID_IT, NOW).then(APPLIED).owes(new ReadBack(CONTENT, ASKED, A.ONE.script()));
        TABLE.given(PASTS.get("Applied"))
                .when(SHOWN, NOW)
                .then(VERIFIED)
                .thenState(new Compensation.Verified(CONTENT, ASKED, RELEASED))
                .owesNothing();
    }

    @Test
    void what_the_fence_does_not_show_redis_has_lost_and_the_script_is_asked_again() {
        TABLE.given(PASTS.get("Applied"))
                .when(new FenceRead(ASKED, false, "RESERVED with 5 left"), NOW)
                .then(new EffectLost("RESERVED with 5 left"))
                .owes(APPLY);
    }

    @Test
    void an_answer_that_is_no_longer_owed_or_was_asked_for_from_elsewhere_is_old_news() {
        in(
                List.of("Pending", "Applied", "Verified", "Manual", "Resolved", "Withdrawn"),
                past -> TABLE.given(past).when(DID_IT, NOW).thenRepeat());
        in(
                List.of("Pending", "Applying", "Verified", "Manual", "Resolved", "Withdrawn"),
                past -> TABLE.given(past).when(SHOWN, NOW).thenRepeat());
        TABLE.given(REQUESTED, ANEW).when(DID_IT, NOW).thenRepeat().owes(new Apply(CONTENT, LATER, A.ONE.script()));
        TABLE.given(REQUESTED, ANEW, APPLIED).when(SHOWN, NOW).thenRepeat();
    }

    @Test
    void a_refund_of_a_pool_that_has_ended_has_nothing_to_read_back() {
        var refunds = MachineTable.of(new CompensationMachine(A.ONE), REFUND.key());
        CompensationRequested asked = new CompensationRequested(REFUND, ASKED);
        refunds.given(asked)
                .when(new ScriptAnswered(ASKED, new ScriptAnswer.Done(new Result.TooLate())), NOW)
                .then(new CompensationApplied(new Result.TooLate()), VERIFIED)
                .owesNothing();
        refunds.given(asked)
                .when(new ScriptAnswered(ASKED, new ScriptAnswer.Done(REFUNDED)), NOW)
                .then(new CompensationApplied(REFUNDED))
                .owes(new ReadBack(REFUND, ASKED, A.ONE.script()));
    }

    @Test
    void nothing_held_where_nothing_was_expected_is_done() {
        Content empty = new Content.Release("r-1", A.POOL, 5, false, false);
        Result none = new Result.Released(0, A.BOOKS);
        TABLE.given(new CompensationRequested(empty, ASKED))
                .when(new ScriptAnswered(ASKED, new ScriptAnswer.Done(none)), NOW)
                .then(new CompensationApplied(none));
    }

    @Test
    void what_redis_says_against_it_waits_for_a_person_with_the_evidence() {
        for (String answer :
                List.of("CONFIRMED_ALREADY", "OTHER_COMPENSATION", "MISMATCH", "CONFLICT", "EXCEEDS", "ARCHIVED")) {
            Map<String, String> details = Map.of("phase", "CONFIRMED");
            TABLE.given(REQUESTED)
                    .when(new ScriptAnswered(ASKED, new ScriptAnswer.Contradicts(answer, details)), NOW)
                    .then(new ManualOpened(
                            new Evidence(Evidence.Trigger.CONTRADICTION, answer, details), Optional.empty()))
                    .owesNothing();
        }
        Result fewer = new Result.Released(4, Books.expected(1, 3, 10, 1, 0));
        TABLE.given(REQUESTED)
                .when(new ScriptAnswered(ASKED, new ScriptAnswer.Done(fewer)), NOW)
                .then(new ManualOpened(
                        new Evidence(
                                Evidence.Trigger.CONTRADICTION,
                                "MOVED_OTHERWISE",
                                Map.of("asked", CONTENT.toString(), "result", fewer.toString())),
                        Optional.empty()))
                .owesNothing();
    }

    @Test
    void what_the_reservation_does_not_owe_any_more_is_withdrawn_and_can_be_asked_for_again() {
        TABLE.given(REQUESTED)
                .when(new ScriptAnswered(ASKED, new ScriptAnswer.NotOwed("CONFIRMED")), NOW)
                .then(WITHDRAWN)
                .owesNothing();
        TABLE.given(PASTS.get("Withdrawn"))
                .when(COMPENSATE, NOW)
                .then(new AskedAnew(ASKED))
                .owes(APPLY)
                .verdict(pending());
        TABLE.given(REQUESTED, ANEW, WITHDRAWN).when(COMPENSATE, NOW).thenRepeat();
    }

    @Test
    void a_person_stops_what_is_not_over() {
        in(
                List.of("Applying", "Applied"),
                past -> TABLE.given(past)
                        .when(new Freeze(STOPS), NOW)
                        .then(FROZEN)
                        .owesNothing());
        TABLE.given(PASTS.get("Manual")).when(new Freeze(STOPS), NOW).thenRepeat();
        TABLE.given().when(new Freeze(STOPS), NOW).thenRefused(CompensationRefusal.UNKNOWN_COMPENSATION);
        in(
                List.of("Verified", "Resolved", "Withdrawn"),
                past -> TABLE.given(past)
                        .when(new Freeze(STOPS), NOW)
                        .thenRefused(CompensationRefusal.COMPENSATION_ENDED));
        TABLE.given(REQUESTED, FROZEN).when(DID_IT, NOW).thenRepeat();
    }

    @Test
    void one_person_resolves_where_one_is_enough_and_never_without_an_incident() {
        TABLE.given(PASTS.get("Manual"))
                .when(new Resolve(AGAIN, ADA), NOW)
                .then(new ManualResolved(AGAIN, ADA, Optional.empty()))
                .thenState(new Compensation.Applying(CONTENT, ASKED))
                .owes(APPLY)
                .verdict(done());
        TABLE.given(PASTS.get("Manual"))
                .when(new Resolve(SOLD, ADA), NOW)
                .then(STANDS)
                .thenState(new Compensation.Resolved(CONTENT, ASKED, Ending.CONFIRMED, ADA, Optional.empty()))
                .owesNothing();
        TABLE.given(PASTS.get("Manual"))
                .when(new Resolve(SOLD, STOPS), NOW)
                .thenRefused(CompensationRefusal.INCIDENT_MISSING);
    }

    @Test
    void where_two_persons_must_the_second_is_another_and_agrees_to_the_same() {
        STRICT.given(PASTS.get("Manual"))
                .when(new Resolve(SOLD, ADA), NOW)
                .then(PROPOSED)
                .owesNothing();
        STRICT.given(REQUESTED, MANUAL, PROPOSED)
                .when(new Resolve(SOLD, GRACE), NOW)
                .thenRepeat();
        STRICT.given(REQUESTED, MANUAL, PROPOSED)
                .when(new Resolve(AGAIN, GRACE), NOW)
                .thenRefused(CompensationRefusal.OTHER_PROPOSAL);
        STRICT.given(REQUESTED, MANUAL, PROPOSED)
                .when(new Approve(SOLD, ADA), NOW)
                .thenRefused(CompensationRefusal.SAME_PERSON);
        STRICT.given(REQUESTED, MANUAL, PROPOSED)
                .when(new Approve(AGAIN, GRACE), NOW)
                .thenRefused(CompensationRefusal.OTHER_PROPOSAL);
        STRICT.given(REQUESTED, MANUAL, PROPOSED)
                .when(new Approve(SOLD, GRACE), NOW)
                .then(new ManualResolved(SOLD, ADA, Optional.of(GRACE)))
                .owesNothing()
                .verdict(done());
        STRICT.given(REQUESTED, MANUAL, PROPOSED)
                .when(new Decline(GRACE), NOW)
                .then(new ProposalDeclined(GRACE))
                .thenState(new Compensation.Manual(CONTENT, ASKED, SAYS_SOLD, Optional.empty()));
        for (CompensationCommand command : List.of(new Approve(SOLD, GRACE), new Decline(GRACE))) {
            STRICT.given(PASTS.get("Manual")).when(command, NOW).thenRefused(CompensationRefusal.NOTHING_PROPOSED);
        }
        Asked another = new Asked(9, 3);
        STRICT.given(REQUESTED, MANUAL, PROPOSED)
                .when(new Compensate(CONTENT, another), NOW)
                .then(new AskedAnew(another))
                .thenState(new Compensation.Manual(CONTENT, another, SAYS_SOLD, Optional.of(new Proposal(SOLD, ADA))));
        assertThat(new ResolutionProposed(new Proposal(SOLD, ADA))).isEqualTo(PROPOSED);
    }

    @Test
    void what_does_not_wait_for_a_person_takes_no_resolution() {
        List<CompensationCommand> words = List.of(new Resolve(SOLD, ADA), new Approve(SOLD, GRACE), new Decline(GRACE));
        for (CompensationCommand word : words) {
            TABLE.given().when(word, NOW).thenRefused(CompensationRefusal.UNKNOWN_COMPENSATION);
            in(
                    List.of("Applying", "Applied", "Verified", "Resolved", "Withdrawn"),
                    past -> TABLE.given(past).when(word, NOW).thenRefused(CompensationRefusal.NOT_MANUAL));
        }
    }

    @Test
    void time_and_events_of_other_systems_move_nothing() {
        for (CompensationEvent[] past : PASTS.values()) {
            TABLE.given(past).when(new WakeUp(), NOW).thenRepeat();
            TABLE.given(past).when(new Contradicted("m-1"), NOW).thenRefused(CompensationRefusal.OTHER_CONTENT);
        }
    }

    @Test
    void a_journal_this_code_did_not_write_stops_the_entity() {
        CompensationMachine machine = new CompensationMachine(A.ONE);
        for (CompensationEvent event : List.of(APPLIED, VERIFIED, MANUAL, STANDS, ANEW, WITHDRAWN, PROPOSED)) {
            org.assertj.core.api.Assertions.assertThatIllegalStateException()
                    .isThrownBy(() -> machine.evolve(machine.initial(KEY), event))
                    .withMessageContaining("PENDING");
        }
        assertThat(machine.decide(machine.initial("RELEASE:another"), COMPENSATE, NOW))
                .isEqualTo(Decision.refuse(CompensationRefusal.OTHER_CONTENT));
    }
}
