package io.holdfast.engine.entity;

import static io.holdfast.engine.entity.ParcelDriver.ID;
import static io.holdfast.engine.entity.ParcelDriver.LIMITS;
import static io.holdfast.engine.entity.ParcelDriver.START;
import static io.holdfast.engine.entity.ParcelDriver.event;
import static io.holdfast.engine.entity.ParcelDriver.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.entity.Parcel.Command;
import io.holdfast.engine.entity.Parcel.Event;
import io.holdfast.engine.entity.Parcel.No;
import io.holdfast.engine.entity.Parcel.Ship;
import io.holdfast.engine.entity.Parcel.State;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.machine.EngineRefusal;
import io.holdfast.engine.machine.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class EntityCoreTest {

    private static final Duration NO_PATIENCE = Duration.ZERO;

    private final ParcelDriver parcel = new ParcelDriver();

    @SuppressWarnings("unchecked")
    private static <T> List<T> only(Class<?> kind, List<Step<State, Event, Ship, String>> steps) {
        return (List<T>) steps.stream().filter(kind::isInstance).toList();
    }

    private static List<Integer> attempts(List<Step<State, Event, Ship, String>> steps) {
        return EntityCoreTest.<Step.Perform<State, Event, Ship, String>>only(Step.Perform.class, steps).stream()
                .map(Step.Perform::attempt)
                .toList();
    }

    private static List<Observation> observations(List<Step<State, Event, Ship, String>> steps) {
        return EntityCoreTest.<Step.Observe<State, Event, Ship, String>>only(Step.Observe.class, steps).stream()
                .map(Step.Observe::observation)
                .toList();
    }

    private static List<Duration> alarms(List<Step<State, Event, Ship, String>> steps) {
        return EntityCoreTest.<Step.SetAlarm<State, Event, Ship, String>>only(Step.SetAlarm.class, steps).stream()
                .map(Step.SetAlarm::delay)
                .toList();
    }

    @Nested
    @DisplayNameGeneration(ReplaceUnderscores.class)
    class A_command {

        @Test
        void is_journaled_before_anything_else_is_done_about_it() {
            var steps = parcel.giveWithoutJournal(new Input.Asked<>(
                    ID,
                    request("k-1", "h-1"),
                    new Command.Pack("vase", Optional.empty(), false),
                    Duration.ofSeconds(1),
                    "a"));

            assertThat(steps).hasSize(1).first().isInstanceOf(Step.Persist.class);
            assertThat(attempts(parcel.core().persisted(parcel.moment(), 0.5))).containsExactly(1);
        }

        @Test
        void is_answered_when_it_is_settled_after_two_journal_writes_and_one_attempt() {
            parcel.pack("a");
            assertThat(parcel.answers).isEmpty();

            parcel.taken(1);

            assertThat(parcel.told("a")).isEqualTo(Verdict.done());
            assertThat(parcel.answers.get("a").repeated()).isFalse();
            assertThat(parcel.answers.get("a").entity().sequenceNumber()).isEqualTo(2);
            assertThat(parcel.answers.get("a").entity().state())
                    .isEqualTo(new State.Shipped("T-9", Optional.empty(), 0));
            assertThat(EntityCoreTest.<Object>only(Step.Persist.class, parcel.steps))
                    .hasSize(2);
            assertThat(attempts(parcel.steps)).containsExactly(1);
        }

        @Test
        void that_comes_again_while_it_is_pending_waits_too_and_both_are_told() {
            parcel.pack("a");
            parcel.pack("b");
            assertThat(parcel.journal).hasSize(1);

            parcel.taken(1);

            assertThat(parcel.told("a")).isEqualTo(Verdict.done());
            assertThat(parcel.told("b")).isEqualTo(Verdict.done());
            assertThat(parcel.answers.get("a").repeated()).isFalse();
            assertThat(parcel.answers.get("b").repeated()).isTrue();
        }

        @Test
        void that_comes_again_later_is_told_what_became_of_it_and_moves_nothing() {
            parcel.pack("a");
            parcel.ended(1, Outcome.known(new Command.NotTaken("too heavy")));
            parcel.restart();

            var steps = parcel.pack("b");

            assertThat(parcel.told("b"))
                    .isEqualTo(Verdict.refused(No.NO_CARRIER))
                    .isEqualTo(parcel.told("a"));
            assertThat(parcel.answers.get("b").repeated()).isTrue();
            assertThat(observations(steps)).containsExactly(new Observation.Repeated(request("k-1", "h-1")));
            assertThat(parcel.journal).hasSize(2);
        }

        @ParameterizedTest
        @EnumSource(names = {"REQUEST", "OPERATOR"})
        void under_a_known_id_with_other_content_is_refused_and_moves_nothing(Cause.Kind kind) {
            parcel.pack("a");
            parcel.taken(1);
            parcel.restart();
            var other = new Cause("k-1", "h-2", kind, "shop", Optional.empty());

            parcel.ask("b", other, new Command.Pack("lamp", Optional.empty(), false));

            assertThat(parcel.told("b")).isEqualTo(Verdict.refused(EngineRefusal.KEY_REUSED));
            assertThat(parcel.journal).hasSize(2);
        }

        @Test
        void that_is_an_event_under_a_known_id_with_other_content_marks_the_entity() {
            parcel.ask("a", event("m-1", "h-1"), new Command.Note("first"));
            parcel.restart();

            var steps = parcel.ask("b", event("m-1", "h-2"), new Command.Note("second"));

            assertThat(parcel.entity().state()).isEqualTo(new State.Marked("m-1"));
            assertThat(parcel.told("b")).isEqualTo(Verdict.done());
            assertThat(observations(steps)).containsExactly(new Observation.Contradicted(event("m-1", "h-2")));
            assertThat(parcel.entity().causes()).containsEntry("m-1", "h-1");
            assertThat(parcel.journal.getLast().meta().cause().hash()).isEqualTo("h-2");
        }

        @Test
        void of_an_event_that_contradicted_itself_before_is_not_journaled_again() {
            parcel.ask("a", event("m-1", "h-1"), new Command.Pack("vase", Optional.empty(), false));
            parcel.ask("b", event("m-1", "h-2"), new Command.Pack("bowl", Optional.empty(), false));
            int entries = parcel.journal.size();

            var steps = parcel.ask("c", event("m-1", "h-2"), new Command.Pack("bowl", Optional.empty(), false));

            assertThat(observations(steps)).containsExactly(new Observation.Repeated(event("m-1", "h-2")));
            assertThat(parcel.told("c")).isEqualTo(parcel.told("b"));
            assertThat(parcel.journal).hasSize(entries);
            assertThat(parcel.entity().contradictions()).containsOnlyKeys("m-1");
        }

        @Test
        void for_another_entity_is_refused_unread() {
            parcel.give(new Input.Asked<>(
                    "p-2", request("k-1", "h-1"), new Command.Pack("vase", Optional.empty(), false), NO_PATIENCE, "a"));

            assertThat(parcel.told("a")).isEqualTo(Verdict.refused(EngineRefusal.WRONG_ENTITY));
            assertThat(parcel.journal).isEmpty();
        }

        @Test
        void that_is_refused_without_a_trace_is_decided_anew_when_it_comes_again() {
            parcel.ask("a", request("c-1", "h"), new Command.Cancel());
            assertThat(parcel.told("a")).isEqualTo(Verdict.refused(No.NOTHING_PACKED));
            assertThat(parcel.journal).isEmpty();

            parcel.pack("b");
            parcel.ask("c", request("c-1", "h"), new Command.Cancel());

            assertThat(parcel.told("c")).isEqualTo(Verdict.refused(No.TOO_LATE));
        }

        @Test
        void whose_refusal_is_recorded_is_answered_after_the_record_and_the_same_again() {
            parcel.pack("a");
            var steps = parcel.ask("b", request("c-1", "h"), new Command.Cancel());

            assertThat(steps.stream().map(Object::getClass).toList())
                    .containsSubsequence(List.of(Step.Persist.class, Step.Tell.class));
            assertThat(parcel.told("b")).isEqualTo(Verdict.refused(No.TOO_LATE));
            parcel.restart();
            parcel.ask("c", request("c-1", "h"), new Command.Cancel());
            assertThat(parcel.told("c")).isEqualTo(Verdict.refused(No.TOO_LATE));
            assertThat(parcel.journal).hasSize(2);
        }

        @Test
        void whose_effect_is_in_place_already_is_a_repeat_and_leaves_no_trace() {
            parcel.pack("a");
            parcel.taken(1);

            parcel.ask("b", request("k-2", "h-1"), new Command.Pack("vase", Optional.empty(), false));

            assertThat(parcel.told("b")).isEqualTo(Verdict.done());
            assertThat(parcel.answers.get("b").repeated()).isTrue();
            assertThat(parcel.entity().causes()).containsOnlyKeys("k-1");
        }

        @Test
        void that_breaks_an_invariant_throws_and_leaves_nothing_to_be_journaled() {
            assertThatThrownBy(() -> parcel.ask("a", request("x", "h"), new Command.Explode()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("boom");
            assertThat(parcel.journal).isEmpty();
        }
    }

    @Nested
    @DisplayNameGeneration(ReplaceUnderscores.class)
    class An_asker {

        @Test
        void is_told_pending_when_its_patience_ends_and_nothing_more() {
            parcel.ask(
                    "a",
                    request("k-1", "h-1"),
                    new Command.Pack("vase", Optional.empty(), false),
                    Duration.ofMillis(300));
            parcel.after(Duration.ofMillis(299));
            assertThat(parcel.answers).isEmpty();

            parcel.after(Duration.ofMillis(1));

            assertThat(parcel.told("a")).isEqualTo(Verdict.pending());
            assertThat(parcel.answers.get("a").working())
                    .containsExactly(
                            new EffectProgress("SHIP:vase", "ship", 1, Optional.empty(), Optional.empty(), false));
            parcel.taken(1);
            assertThat(parcel.entity().state()).isInstanceOf(State.Shipped.class);
        }

        @Test
        void without_patience_is_told_as_soon_as_the_command_is_journaled() {
            var steps = parcel.ask(
                    "a", request("k-1", "h-1"), new Command.Pack("vase", Optional.empty(), false), NO_PATIENCE);

            assertThat(steps.stream().map(Object::getClass).toList())
                    .containsSubsequence(List.of(Step.Persist.class, Step.Tell.class));
            assertThat(parcel.told("a")).isEqualTo(Verdict.pending());
        }

        @Test
        void beyond_the_limit_is_refused_and_nothing_is_changed() {
            parcel.pack("a");
            parcel.pack("b");

            parcel.pack("c");

            assertThat(parcel.told("c")).isEqualTo(Verdict.refused(EngineRefusal.TOO_MANY_WAITING));
            assertThat(parcel.journal).hasSize(1);
            parcel.taken(1);
            assertThat(parcel.told("a")).isEqualTo(parcel.told("b")).isEqualTo(Verdict.done());
        }

        @Test
        void beyond_the_limit_whose_answer_is_settled_at_once_is_served() {
            parcel.pack("a");
            parcel.pack("b");

            parcel.ask("c", event("m-1", "h"), new Command.Note("fragile"));

            assertThat(parcel.told("c")).isEqualTo(Verdict.done());
        }

        @Test
        void that_looks_is_told_the_state_and_how_the_work_goes() {
            parcel.pack("a");
            parcel.ended(1, Outcome.unknown("connection lost"));

            parcel.give(new Input.Looked<>(ID, "b"));
            parcel.give(new Input.Looked<>("p-2", "c"));

            assertThat(parcel.told("b")).isEqualTo(Verdict.done());
            assertThat(parcel.answers.get("b").working())
                    .containsExactly(new EffectProgress(
                            "SHIP:vase",
                            "ship",
                            1,
                            Optional.of("connection lost"),
                            Optional.of(START.plusMillis(100)),
                            false));
            assertThat(parcel.told("c")).isEqualTo(Verdict.refused(EngineRefusal.WRONG_ENTITY));
        }

        @Test
        void left_behind_by_a_failed_journal_is_named_so_that_it_can_be_told() {
            parcel.pack("a");
            parcel.giveWithoutJournal(
                    new Input.Asked<>(ID, event("m", "h"), new Command.Note("x"), Duration.ofSeconds(1), "b"));

            assertThat(parcel.core().unanswered()).containsExactly("a", "b");
        }
    }

    @Nested
    @DisplayNameGeneration(ReplaceUnderscores.class)
    class An_effect {

        @ParameterizedTest
        @ValueSource(booleans = {true, false})
        void whose_outcome_is_not_known_is_tried_again_after_the_back_off_under_the_same_id(boolean unknown) {
            parcel.pack("a");
            var steps = parcel.ended(1, unknown ? Outcome.unknown("gone") : Outcome.unavailable("loading"));
            assertThat(alarms(steps)).containsExactly(Duration.ofMillis(100));

            assertThat(attempts(parcel.after(Duration.ofMillis(99)))).isEmpty();
            var again = parcel.after(Duration.ofMillis(1));

            assertThat(EntityCoreTest.<Object>only(Step.Perform.class, again))
                    .containsExactly(new Step.Perform<>(new Ship("SHIP:vase", "vase", false), 2));
            assertThat(parcel.journal).hasSize(1);
            assertThat(parcel.answers).isEmpty();
        }

        @Test
        void that_is_not_answered_in_time_counts_as_unknown() {
            parcel.pack("a");

            var steps = parcel.after(Duration.ofMillis(500));

            assertThat(observations(steps))
                    .containsExactly(new Observation.AttemptEnded(
                            "ship",
                            "SHIP:vase",
                            1,
                            Observation.Result.UNKNOWN,
                            Duration.ofMillis(500),
                            Optional.of("no answer within 500 ms")));
            assertThat(attempts(parcel.after(Duration.ofMillis(100)))).containsExactly(2);
        }

        @Test
        void answered_after_its_time_is_still_answered() {
            parcel.pack("a");
            parcel.after(Duration.ofMillis(500));
            parcel.after(Duration.ofMillis(100));

            parcel.taken(1);

            assertThat(parcel.told("a")).isEqualTo(Verdict.done());
            var late = parcel.taken(2);
            assertThat(observations(late))
                    .containsExactly(new Observation.LateOutcome("SHIP:vase", 2, Observation.Result.KNOWN));
            assertThat(parcel.journal).hasSize(2);
        }

        @Test
        void whose_given_up_attempt_ends_unknown_is_not_disturbed_in_the_next() {
            parcel.pack("a");
            parcel.after(Duration.ofMillis(500));
            parcel.after(Duration.ofMillis(100));

            var late = parcel.ended(1, Outcome.unknown("gone"));

            assertThat(observations(late))
                    .containsExactly(new Observation.LateOutcome("SHIP:vase", 1, Observation.Result.UNKNOWN));
            assertThat(parcel.taken(2)).isNotEmpty();
            assertThat(parcel.told("a")).isEqualTo(Verdict.done());
        }

        @Test
        void that_is_not_owed_any_more_is_forgotten_and_its_outcome_ignored() {
            parcel.pack("a");
            parcel.ask("m1", event("m-1", "h-1"), new Command.Note("x"));
            parcel.ask("m2", event("m-1", "h-2"), new Command.Note("y"));
            assertThat(parcel.entity().state()).isInstanceOf(State.Marked.class);

            var steps = parcel.taken(1);

            assertThat(observations(steps))
                    .containsExactly(new Observation.LateOutcome("SHIP:vase", 1, Observation.Result.KNOWN));
            assertThat(parcel.entity().state()).isInstanceOf(State.Marked.class);
            assertThat(attempts(parcel.after(Duration.ofSeconds(60)))).isEmpty();
        }

        @Test
        void that_fails_past_its_limit_is_recorded_once_and_tried_on_at_the_longest_back_off() {
            parcel.pack("a");
            parcel.ended(1, Outcome.unknown("1"));
            parcel.after(Duration.ofMillis(100));
            parcel.ended(2, Outcome.unknown("2"));
            parcel.after(Duration.ofMillis(200));

            var steps = parcel.ended(3, Outcome.unavailable("3"));

            assertThat(observations(steps)).endsWith(new Observation.Stalled("ship", "SHIP:vase", 3, "3"));
            assertThat(parcel.journal.getLast())
                    .isEqualTo(new Entry.EffectStalled<Event>(
                            "SHIP:vase",
                            "ship",
                            3,
                            "3",
                            new Meta(
                                    START.plusMillis(300),
                                    new Cause("SHIP:vase", "", Cause.Kind.OUTCOME, "engine", Optional.of("trace-k-1")),
                                    Optional.of(START.plusMillis(1300)))));
            assertThat(parcel.entity().stalled()).containsExactly("SHIP:vase");
            assertThat(attempts(parcel.after(Duration.ofMillis(999)))).isEmpty();
            assertThat(attempts(parcel.after(Duration.ofMillis(1)))).containsExactly(4);
            parcel.ended(4, Outcome.unknown("4"));
            assertThat(parcel.journal).hasSize(2);

            parcel.after(Duration.ofMillis(1000));
            parcel.taken(5);
            assertThat(parcel.entity().stalled()).isEmpty();
            assertThat(parcel.entity().state()).isInstanceOf(State.Shipped.class);
        }

        @Test
        void that_is_parked_waits_until_somebody_wakes_the_entity() {
            parcel.ask("a", request("k-1", "h"), new Command.Pack("vase", Optional.empty(), true));
            parcel.ended(1, Outcome.unknown("1"));
            parcel.after(Duration.ofMillis(100));
            parcel.ended(2, Outcome.unknown("2"));
            parcel.after(Duration.ofMillis(200));
            parcel.ended(3, Outcome.unknown("3"));
            assertThat(parcel.entity().stalled()).containsExactly("SHIP:vase");
            assertThat(attempts(parcel.after(Duration.ofHours(1)))).isEmpty();

            assertThat(attempts(parcel.give(new Input.Woken<>(ID, Optional.of("sweeper")))))
                    .containsExactly(4);
            assertThat(parcel.told("sweeper")).isEqualTo(Verdict.done());
            assertThat(attempts(parcel.give(new Input.Woken<>(ID, Optional.empty()))))
                    .isEmpty();
            parcel.ended(4, Outcome.unknown("4"));
            assertThat(attempts(parcel.after(Duration.ofHours(1)))).isEmpty();
            assertThat(parcel.journal).hasSize(2);
        }

        @Test
        void in_flight_or_waiting_for_its_next_attempt_is_not_started_by_a_wake() {
            parcel.pack("a");
            assertThat(attempts(parcel.give(new Input.Woken<>(ID, Optional.empty()))))
                    .isEmpty();
            parcel.ended(1, Outcome.unknown("1"));
            assertThat(attempts(parcel.give(new Input.Woken<>(ID, Optional.empty()))))
                    .isEmpty();
            assertThat(attempts(parcel.give(new Input.Woken<>("p-2", Optional.empty()))))
                    .isEmpty();
        }

        @Test
        void recorded_as_stalled_before_a_restart_is_tried_at_once_and_not_recorded_again() {
            parcel.pack("a");
            for (int attempt = 1; attempt <= 3; attempt++) {
                parcel.ended(attempt, Outcome.unknown("no"));
                parcel.after(Duration.ofSeconds(1));
            }
            assertThat(parcel.journal).hasSize(2);
            parcel.steps.clear();

            parcel.restart();
            assertThat(attempts(parcel.steps)).containsExactly(1);
            for (int attempt = 1; attempt <= 5; attempt++) {
                var steps = parcel.ended(attempt, Outcome.unknown("no"));
                assertThat(alarms(steps)).hasSizeLessThanOrEqualTo(1);
                assertThat(attempts(parcel.after(Duration.ofMillis(999)))).isEmpty();
                assertThat(attempts(parcel.after(Duration.ofMillis(1)))).containsExactly(attempt + 1);
            }
            assertThat(parcel.journal).hasSize(2);
        }

        @Test
        void whose_known_outcome_settles_nothing_is_not_asked_for_again_at_once() {
            parcel.pack("a");

            var steps = parcel.ended(1, Outcome.known(new Command.Noise()));

            assertThat(attempts(steps)).isEmpty();
            assertThat(observations(steps)).endsWith(new Observation.DebtStays("ship", "SHIP:vase", 1));
            assertThat(attempts(parcel.after(Duration.ofMillis(100)))).containsExactly(2);
        }

        @Test
        void whose_known_outcome_is_noted_but_leaves_the_debt_backs_off_and_stalls_like_any_other() {
            parcel.pack("a");
            for (int attempt = 1; attempt <= 3; attempt++) {
                var steps = parcel.ended(attempt, Outcome.known(new Command.Note("still")));
                assertThat(attempts(steps)).isEmpty();
                assertThat(observations(steps)).contains(new Observation.DebtStays("ship", "SHIP:vase", attempt));
                parcel.after(Duration.ofSeconds(1));
                parcel.after(Duration.ofSeconds(1));
            }
            assertThat(parcel.entity().stalled()).containsExactly("SHIP:vase");
            assertThat(parcel.journal).hasSize(5);
        }

        @Test
        void settled_is_journaled_with_the_operation_as_its_cause_and_the_trace_of_the_request() {
            parcel.pack("a");
            parcel.restart();
            parcel.taken(1);

            assertThat(parcel.journal.getLast().meta().cause())
                    .isEqualTo(new Cause("SHIP:vase", "", Cause.Kind.OUTCOME, "engine", Optional.of("trace-k-1")));
        }

        @Test
        void is_timed_by_the_clock_that_does_not_jump() {
            parcel.pack("a");
            parcel.now = START.minus(Duration.ofHours(1));
            parcel.millis += 500;

            parcel.give(new Input.Alarm<>());

            assertThat(observations(parcel.steps))
                    .last()
                    .isInstanceOfSatisfying(
                            Observation.AttemptEnded.class,
                            ended -> assertThat(ended.result()).isEqualTo(Observation.Result.UNKNOWN));
            parcel.millis += 100;
            assertThat(attempts(parcel.give(new Input.Alarm<>()))).containsExactly(2);
        }
    }

    @Nested
    @DisplayNameGeneration(ReplaceUnderscores.class)
    class A_wake_up {

        private void shipped(Duration askAfter) {
            parcel.ask("a", request("k-1", "h-1"), new Command.Pack("vase", Optional.of(START.plus(askAfter)), false));
            parcel.taken(1);
        }

        @Test
        void near_enough_is_waited_for_and_given_in_time() {
            shipped(Duration.ofSeconds(60));

            parcel.after(Duration.ofSeconds(59));
            assertThat(parcel.journal).hasSize(2);
            parcel.after(Duration.ofSeconds(1));

            assertThat(parcel.journal).hasSize(3);
            assertThat(parcel.journal.getLast().meta().cause().kind()).isEqualTo(Cause.Kind.TIMER);
            assertThat(parcel.journal.getLast().meta().wakeAt()).contains(START.plusSeconds(120));
        }

        @Test
        void beyond_the_horizon_is_left_to_the_sweeper() {
            shipped(Duration.ofHours(1));
            assertThat(parcel.journal.getLast().meta().wakeAt()).contains(START.plus(Duration.ofHours(1)));
            parcel.after(Duration.ofSeconds(9));
            assertThat(EntityCoreTest.<Object>only(Step.Passivate.class, parcel.steps))
                    .isEmpty();

            parcel.after(Duration.ofSeconds(1));
            assertThat(EntityCoreTest.<Object>only(Step.Passivate.class, parcel.steps))
                    .hasSize(1);

            parcel.now = START.plus(Duration.ofHours(1));
            parcel.restart();
            parcel.give(new Input.Woken<>(ID, Optional.empty()));
            assertThat(parcel.journal.getLast())
                    .isInstanceOfSatisfying(
                            Entry.Happened.class,
                            happened -> assertThat(happened.event()).isInstanceOf(Event.Asked.class));
        }

        @Test
        void that_changes_nothing_is_given_again_after_a_while_not_at_once() {
            shipped(Duration.ofSeconds(1));
            parcel.after(Duration.ofSeconds(1));
            assertThat(parcel.journal).hasSize(3);
            parcel.after(Duration.ofSeconds(60));
            assertThat(parcel.journal).hasSize(4);
            // The time is in the past now and stays there.
            for (int i = 0; i < 10; i++) {
                assertThat(parcel.give(new Input.Alarm<>()))
                        .noneMatch(step ->
                                step instanceof Step.SetAlarm<?, ?, ?, ?>(var delay) && delay.toMillis() < 1000);
            }
            assertThat(parcel.journal).hasSize(4);
            assertThat(EntityCoreTest.<Object>only(Step.Passivate.class, parcel.steps))
                    .isEmpty();
        }

        @Test
        void is_not_lost_by_a_restart() {
            shipped(Duration.ofSeconds(60));
            parcel.now = START.plusSeconds(61);

            parcel.restart();
            parcel.give(new Input.Alarm<>());

            assertThat(parcel.journal).hasSize(3);
        }
    }

    @Nested
    @DisplayNameGeneration(ReplaceUnderscores.class)
    class An_entity {

        @Test
        void says_in_the_journal_when_somebody_must_look_again() {
            parcel.pack("a");
            assertThat(parcel.journal.getLast().meta().wakeAt()).contains(START);
            parcel.taken(1);
            assertThat(parcel.journal.getLast().meta().wakeAt()).isEmpty();
        }

        @Test
        void at_rest_leaves_memory_soon() {
            parcel.pack("a");
            parcel.taken(1);
            assertThat(EntityCoreTest.<Object>only(Step.Passivate.class, parcel.after(Duration.ofMillis(1999))))
                    .isEmpty();
            assertThat(EntityCoreTest.<Object>only(Step.Passivate.class, parcel.after(Duration.ofMillis(1))))
                    .hasSize(1);
            assertThat(EntityCoreTest.<Object>only(Step.Passivate.class, parcel.after(Duration.ofHours(1))))
                    .isEmpty();
            assertThat(parcel.give(new Input.StopAsked<>())).containsExactly(new Step.Stop<>(false));
        }

        @Test
        void at_rest_leaves_memory_at_once_when_others_need_it() {
            parcel.pack("a");
            parcel.taken(1);
            assertThat(EntityCoreTest.<Object>only(Step.Passivate.class, parcel.give(new Input.RoomNeeded<>())))
                    .hasSize(1);
            assertThat(EntityCoreTest.<Object>only(Step.Passivate.class, parcel.give(new Input.RoomNeeded<>())))
                    .as("is on its way out already")
                    .isEmpty();
        }

        @Test
        void that_owes_does_not_leave_memory_when_others_need_it() {
            parcel.pack("a");
            assertThat(parcel.give(new Input.RoomNeeded<>()))
                    .noneMatch(step -> step instanceof Step.Passivate<?, ?, ?, ?>);
        }

        @Test
        void that_owes_does_not_leave_memory() {
            parcel.pack("a");
            for (int i = 0; i < 100; i++) {
                parcel.after(Duration.ofSeconds(30));
            }
            assertThat(EntityCoreTest.<Object>only(Step.Passivate.class, parcel.steps))
                    .isEmpty();
        }

        @Test
        void stopped_while_it_owes_asks_to_be_started_again_and_tells_who_waits() {
            parcel.pack("a");

            var steps = parcel.give(new Input.StopAsked<>());

            assertThat(steps).endsWith(new Step.Stop<>(true));
            assertThat(parcel.told("a")).isEqualTo(Verdict.pending());
        }

        @Test
        void takes_no_input_before_its_journal_has_answered() {
            var ask = new Input.Asked<Command, String>(
                    ID, request("k-1", "h-1"), new Command.Pack("vase", Optional.empty(), false), NO_PATIENCE, "a");
            parcel.giveWithoutJournal(ask);

            assertThatThrownBy(() -> parcel.giveWithoutJournal(ask)).isInstanceOf(IllegalStateException.class);
        }

        @Test
        void that_crashed_before_its_journal_answered_is_as_if_it_had_not_been_asked() {
            parcel.giveWithoutJournal(new Input.Asked<>(
                    ID, request("k-1", "h-1"), new Command.Pack("vase", Optional.empty(), false), NO_PATIENCE, "lost"));

            parcel.restart();
            assertThat(attempts(parcel.steps)).isEmpty();
            parcel.pack("a");
            parcel.taken(1);

            assertThat(parcel.answers.get("a").repeated()).isFalse();
            assertThat(parcel.told("a")).isEqualTo(Verdict.done());
        }

        @Test
        void restarted_after_any_entry_comes_to_the_same_end_without_being_asked_again() {
            for (int crashAfter = 0; crashAfter <= 3; crashAfter++) {
                var crashing = new ParcelDriver();
                List<Runnable> story = story(crashing);
                for (int i = 0; i < story.size(); i++) {
                    story.get(i).run();
                    if (i == crashAfter) {
                        crashing.restart();
                    }
                }
                assertThat(crashing.entity().state())
                        .isEqualTo(new State.Shipped("T-9", Optional.of(START.plusSeconds(60)), 0));
                assertThat(crashing.entity().causes()).containsOnlyKeys("k-1", "m-1");
                assertThat(crashing.journal).hasSize(3);
            }
        }

        private List<Runnable> story(ParcelDriver driver) {
            return List.of(
                    () -> driver.ask(
                            "a",
                            request("k-1", "h"),
                            new Command.Pack("vase", Optional.of(START.plusSeconds(60)), false),
                            NO_PATIENCE),
                    () -> driver.ask("b", event("m-1", "h"), new Command.Note("fragile")),
                    () -> driver.ended(1, Outcome.unknown("lost")),
                    () -> driver.taken(1));
        }

        @Test
        void answers_the_same_inputs_with_the_same_steps() {
            List<List<Step<State, Event, Ship, String>>> runs = new ArrayList<>();
            IntStream.range(0, 2).forEach(_ -> {
                var driver = new ParcelDriver();
                story(driver).forEach(Runnable::run);
                runs.add(driver.steps);
            });

            assertThat(runs.get(0)).isEqualTo(runs.get(1));
        }

        @Test
        void forgets_no_cause() {
            parcel.pack("a");
            parcel.taken(1);
            for (int i = 0; i < 50; i++) {
                parcel.ask("m" + i, event("m-" + i, "h"), new Command.Note("n"), NO_PATIENCE);
            }
            parcel.restart();

            parcel.ask("again", event("m-7", "h"), new Command.Note("n"), NO_PATIENCE);

            assertThat(parcel.answers.get("again").repeated()).isTrue();
            assertThat(parcel.journal).hasSize(52);
        }
    }

    @Test
    void limits_that_would_spin_or_serve_nobody_are_refused() {
        assertThatThrownBy(() -> new CoreLimits(
                        0, LIMITS.wakeHorizon(), LIMITS.wakeAgain(), LIMITS.linger(), LIMITS.lingerAtRest()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() ->
                        new CoreLimits(1, LIMITS.wakeHorizon(), Duration.ZERO, LIMITS.linger(), LIMITS.lingerAtRest()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(Set.of(CoreLimits.defaults().maxWaiting())).doesNotContain(0);
    }

    @Test
    void an_alarm_that_never_came_is_set_again_by_whatever_comes_next() {
        parcel.pack("a");
        parcel.now = parcel.now.plusSeconds(60);
        parcel.millis += 60_000;

        assertThat(alarms(parcel.give(new Input.Looked<>(ID, "b")))).isNotEmpty();
    }

    @Test
    void an_alarm_that_came_to_nothing_while_the_journal_wrote_is_set_again_when_it_has() {
        parcel.pack("a");
        parcel.giveWithoutJournal(new Input.Asked<>(ID, request("k-2", "h"), new Command.Note("x"), NO_PATIENCE, "b"));
        parcel.now = parcel.now.plusSeconds(60);
        parcel.millis += 60_000;

        assertThat(alarms(parcel.core().persisted(parcel.moment(), 0.5))).isNotEmpty();
    }
}
