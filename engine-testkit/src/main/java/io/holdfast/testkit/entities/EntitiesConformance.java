package io.holdfast.testkit.entities;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.entity.EffectProgress;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.machine.EngineRefusal;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.engine.runtime.EffectPerformer;
import io.holdfast.engine.runtime.Entities;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.testkit.sample.Ticket;
import io.holdfast.testkit.sample.Ticket.Call;
import io.holdfast.testkit.sample.Ticket.Command;
import io.holdfast.testkit.sample.Ticket.No;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What whoever asks an entity relies on, wherever it lives. */
@DisplayNameGeneration(ReplaceUnderscores.class)
public abstract class EntitiesConformance {

    private static final AtomicInteger TESTS = new AtomicInteger();
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration LITTLE_PATIENCE = Duration.ofMillis(200);
    private static final Duration LONG = Duration.ofHours(1);

    private final String id = "ticket-" + TESTS.incrementAndGet();
    private final TicketOffice office = new TicketOffice(id);
    private Entities<Ticket, Command> entities;

    /** Tickets, whose calls this performs. Those of an earlier test may be the same: ids are not used twice. */
    protected abstract Entities<Ticket, Command> over(EffectPerformer<Call, Command> outside);

    /** Lets things happen until the stage is complete. */
    protected abstract <T> T when(CompletionStage<T> stage);

    /** Lets things happen until this is so, and fails when it never is. */
    protected abstract void until(BooleanSupplier so);

    /** What the entities take for now. */
    protected abstract Instant now();

    /** Whatever lives of the entity is gone without a word, as when its node dies; its journal stays. */
    protected abstract void lose(String entityId);

    @BeforeEach
    void open() {
        entities = over(office);
    }

    private List<String> asked() {
        return office.asked();
    }

    private Command.Buy buy() {
        return new Command.Buy(2, now().plus(LONG));
    }

    private static Cause cause(Cause.Kind kind, String causeId, String hash) {
        return new Cause(causeId, hash, kind, "buyer", Optional.empty());
    }

    private static Cause request(String causeId) {
        return cause(Cause.Kind.REQUEST, causeId, "h");
    }

    private CompletionStage<Outcome<Reply<Ticket>>> asking(String causeId, Command command, Duration patience) {
        return entities.ask(id, request(causeId), command, patience);
    }

    private Reply<Ticket> ask(String causeId, Command command, Duration patience) {
        return known(when(asking(causeId, command, patience)));
    }

    private Reply<Ticket> ask(String causeId, Command command) {
        return ask(causeId, command, PATIENCE);
    }

    private Reply<Ticket> look() {
        return known(when(entities.look(id)));
    }

    private static Reply<Ticket> known(Outcome<Reply<Ticket>> outcome) {
        assertThat(outcome).isInstanceOf(Outcome.Known.class);
        return ((Outcome.Known<Reply<Ticket>>) outcome).value();
    }

    private static void sameButRepeated(Reply<Ticket> again, Reply<Ticket> first) {
        assertThat(again)
                .isEqualTo(new Reply<>(
                        first.entityId(),
                        first.sequenceNumber(),
                        first.verdict(),
                        true,
                        first.state(),
                        first.working()));
    }

    @Test
    void a_command_takes_effect_and_its_answer_says_how() {
        Command.Buy buy = buy();
        assertThat(ask("k", buy))
                .isEqualTo(
                        new Reply<>(id, 2, Verdict.done(), false, new Ticket.Held(id, 2, buy.returnBy()), List.of()));
        assertThat(asked()).containsExactly("BUY:" + id);
    }

    @Test
    void a_repeat_is_answered_with_what_happened_the_first_time_and_moves_nothing() {
        Command.Buy buy = buy();
        var first = ask("k", buy);
        sameButRepeated(ask("k", buy), first);
        sameButRepeated(ask("k", buy, Duration.ZERO), first);
        assertThat(asked()).containsExactly("BUY:" + id);
    }

    @Test
    void the_same_asked_twice_at_once_happens_once_and_both_hear_of_it() {
        Command.Buy buy = buy();
        var one = asking("k", buy, PATIENCE);
        var other = asking("k", buy, PATIENCE);
        var told = List.of(known(when(one)), known(when(other)));
        assertThat(told).allSatisfy(reply -> {
            assertThat(reply.verdict()).isEqualTo(Verdict.done());
            assertThat(reply.sequenceNumber()).isEqualTo(2);
        });
        assertThat(told).filteredOn(Reply::repeated).hasSize(1);
        assertThat(asked()).containsExactly("BUY:" + id);
    }

    @Test
    void a_request_under_a_known_key_with_other_content_is_refused_and_changes_nothing() {
        var first = ask("k", buy());
        var other = known(
                when(entities.ask(id, cause(Cause.Kind.REQUEST, "k", "other"), new Command.GiveBack(), PATIENCE)));
        assertThat(other.verdict()).isEqualTo(Verdict.refused(EngineRefusal.KEY_REUSED));
        assertThat(look().state()).isEqualTo(first.state());
        assertThat(look().sequenceNumber()).isEqualTo(first.sequenceNumber());
    }

    @Test
    void a_message_under_a_known_id_with_other_content_is_noticed_once() {
        ask("k", buy());
        var message = cause(Cause.Kind.EVENT, "k", "other");
        assertThat(known(when(entities.ask(id, message, new Command.GiveBack(), PATIENCE)))
                        .sequenceNumber())
                .isEqualTo(3);
        assertThat(known(when(entities.ask(id, message, new Command.GiveBack(), PATIENCE)))
                        .sequenceNumber())
                .isEqualTo(3);
        assertThat(look().state()).as("moves nothing").isInstanceOf(Ticket.Held.class);
    }

    @Test
    void what_was_refused_without_a_trace_may_be_asked_again() {
        var refused = ask("k-back", new Command.GiveBack());
        assertThat(refused.verdict()).isEqualTo(Verdict.refused(No.NEVER_BOUGHT));
        assertThat(refused.sequenceNumber()).isZero();
        ask("k-buy", buy());
        assertThat(ask("k-back", new Command.GiveBack()).state()).isInstanceOf(Ticket.Returned.class);
    }

    @Test
    void an_outcome_that_says_no_is_a_refusal_for_good() {
        office.thenSays(TicketOffice.SOLD_OUT);
        Command.Buy buy = buy();
        var first = ask("k", buy);
        assertThat(first.verdict()).isEqualTo(Verdict.refused(No.SOLD_OUT));
        sameButRepeated(ask("k", buy), first);
        assertThat(asked()).containsExactly("BUY:" + id);
    }

    @Test
    void whoever_loses_patience_hears_what_is_owed_and_whoever_asks_again_hears_the_end() {
        var answer = office.thenIsSilent();
        Command.Buy buy = buy();
        var pending = ask("k", buy, LITTLE_PATIENCE);
        assertThat(pending.verdict()).isEqualTo(Verdict.pending());
        assertThat(pending.state()).isInstanceOf(Ticket.Buying.class);
        assertThat(pending.working()).extracting(EffectProgress::operationId).containsExactly("BUY:" + id);
        assertThat(look().working()).hasSize(1);

        var waiting = asking("k", buy, PATIENCE);
        answer.complete(TicketOffice.SOLD);

        var settled = known(when(waiting));
        assertThat(settled.verdict()).isEqualTo(Verdict.done());
        assertThat(settled.repeated()).isTrue();
        assertThat(settled.working()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1})
    void whoever_has_no_patience_is_answered_when_it_is_journaled(long seconds) {
        office.thenIsSilent();
        var pending = ask("k", buy(), Duration.ofSeconds(seconds));
        assertThat(pending.verdict()).isEqualTo(Verdict.pending());
        assertThat(pending.sequenceNumber()).isEqualTo(1);
        assertThat(ask("k", buy(), Duration.ofSeconds(seconds)).verdict()).isEqualTo(Verdict.pending());
    }

    @Test
    void what_is_not_known_to_have_happened_is_asked_for_again_under_the_same_id() {
        office.thenSays(Outcome.unknown("no answer")).thenSays(Outcome.unavailable("not reached"));
        assertThat(ask("k", buy()).verdict()).isEqualTo(Verdict.done());
        assertThat(asked()).containsExactly("BUY:" + id, "BUY:" + id, "BUY:" + id);
    }

    @Test
    void an_entity_that_owes_something_still_takes_commands() {
        var answer = office.thenIsSilent();
        ask("k-buy", buy(), Duration.ZERO);
        var back = asking("k-back", new Command.GiveBack(), PATIENCE);
        until(() -> look().sequenceNumber() == 2);
        answer.complete(TicketOffice.SOLD);
        assertThat(known(when(back)).state()).isInstanceOf(Ticket.Returned.class);
        assertThat(asked()).containsExactly("BUY:" + id, "RETURN:" + id);
    }

    @Test
    void a_look_at_an_entity_nobody_asked_anything_shows_its_beginning_and_leaves_no_trace() {
        Reply<Ticket> beginning = new Reply<>(id, 0, Verdict.done(), false, new Ticket.Free(id), List.of());
        assertThat(look()).isEqualTo(beginning);
        assertThat(look()).isEqualTo(beginning);
    }

    @Test
    void ids_that_differ_in_one_letter_are_two_entities() {
        ask("k", buy());
        var other = known(when(entities.look(id.toUpperCase(Locale.ROOT))));
        assertThat(other.state()).isEqualTo(new Ticket.Free(id.toUpperCase(Locale.ROOT)));
    }

    @Test
    void when_its_time_has_come_it_moves_by_itself() {
        ask("k", new Command.Buy(2, now().plusMillis(300)));
        until(() -> look().state() instanceof Ticket.Returned);
        assertThat(asked()).containsExactly("BUY:" + id, "RETURN:" + id);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a|b", "long"})
    void what_can_not_be_an_id_is_not_taken(String wrong) {
        String wrongId = wrong.equals("long") ? "x".repeat(201) : wrong;
        assertThat(when(entities.look(wrongId))).isInstanceOf(Outcome.Unavailable.class);
        assertThat(when(entities.ask(wrongId, request("k"), buy(), PATIENCE))).isInstanceOf(Outcome.Unavailable.class);
        assertThat(office.asked()).noneMatch(asked -> asked.endsWith(":" + wrongId));
    }

    @Test
    void an_entity_that_lost_its_memory_answers_a_repeat_from_its_journal() {
        Command.Buy buy = buy();
        var first = ask("k", buy);
        lose(id);
        sameButRepeated(ask("k", buy), first);
        assertThat(asked()).containsExactly("BUY:" + id);
    }

    @Test
    void an_entity_that_lost_its_memory_in_the_middle_owes_the_same_again() {
        office.thenIsSilent();
        Command.Buy buy = buy();
        ask("k", buy, Duration.ZERO);
        // Looked at late, it may have been asked again by then.
        until(() -> !asked().isEmpty());
        lose(id);
        until(() -> look().state() instanceof Ticket.Held);
        assertThat(asked()).containsExactly("BUY:" + id, "BUY:" + id);
        assertThat(ask("k", buy).repeated()).isTrue();
    }
}
