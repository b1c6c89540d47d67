package io.holdfast.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Decision;
import io.holdfast.engine.machine.Owed;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.testkit.sample.Ticket;
import io.holdfast.testkit.sample.Ticket.Call;
import io.holdfast.testkit.sample.Ticket.Command;
import io.holdfast.testkit.sample.Ticket.Event;
import io.holdfast.testkit.sample.TicketMachine;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** The simulation is tested by faults put into what it runs: each must be caught, by the claim that names it. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class SimulationCatchesFaultsTest {

    private static final int SEEDS = 40;

    @Test
    void a_shop_that_forgets_what_it_did_moves_twice() {
        caught(
                "MovedOncePerOperation",
                seed -> TicketSale.of(seed, new TicketMachine(), new TicketShop(12) {
                    @Override
                    boolean remembers(Command answer) {
                        return false;
                    }
                }));
    }

    @Test
    void a_shop_that_forgets_that_it_said_no_sells_to_one_who_was_turned_away() {
        caught(
                "JournalAgreesWithShop",
                seed -> TicketSale.of(seed, new TicketMachine(), new TicketShop(12) {
                    @Override
                    boolean remembers(Command answer) {
                        return !answer.equals(new Command.BuyAnswered(false));
                    }
                }));
    }

    @Test
    void an_adapter_that_takes_unknown_for_failure_leaves_stock_behind() {
        caught(
                "JournalAgreesWithShop",
                seed -> TicketSale.of(
                        seed,
                        new TicketMachine(),
                        TicketSale.shop(),
                        (shop, _) -> (id, call) -> shop.perform(id, call)
                                .thenApply(outcome ->
                                        outcome instanceof Outcome.Unknown<Command> && call instanceof Call.BuyCall
                                                ? Outcome.known(new Command.BuyAnswered(false))
                                                : outcome)));
    }

    @Test
    void an_adapter_that_answers_before_it_has_executed_leaves_books_that_differ() {
        caught(
                "NeverOversold",
                seed -> TicketSale.of(seed, new TicketMachine(), TicketSale.shop(), (shop, world) -> (id, call) -> {
                    if (call instanceof Call.BuyCall && world.mishaps().strike("Liar", 0.1)) {
                        return CompletableFuture.completedFuture(Outcome.known(new Command.BuyAnswered(true)));
                    }
                    return shop.perform(id, call);
                }));
    }

    @Test
    void a_machine_that_forgets_a_debt_leaves_its_client_without_an_answer() {
        caught(
                "EveryoneIsAnswered",
                seed -> TicketSale.of(
                        seed,
                        new TicketMachine() {
                            @Override
                            public Owed<Call> owe(Ticket state) {
                                return state instanceof Ticket.Returning ? Owed.nothing() : super.owe(state);
                            }
                        },
                        TicketSale.shop()));
    }

    @Test
    void a_machine_that_asks_for_a_wake_up_and_ignores_it_never_rests() {
        caught(
                "NothingPendingForever",
                seed -> TicketSale.of(
                        seed,
                        new TicketMachine() {
                            @Override
                            public Decision<Event> decide(Ticket state, Command command, Instant now) {
                                return command instanceof Command.Wake
                                        ? Decision.repeat()
                                        : super.decide(state, command, now);
                            }
                        },
                        TicketSale.shop()));
    }

    @Test
    void a_machine_that_rises_from_its_end_is_caught() {
        caught(
                "TerminalStays",
                seed -> TicketSale.of(
                        seed,
                        new TicketMachine() {
                            @Override
                            public Decision<Event> decide(Ticket state, Command command, Instant now) {
                                return state instanceof Ticket.Returned(String id, int _)
                                                        && command instanceof Command.BuyAnswered
                                                || state instanceof Ticket.SoldOut
                                                        && command instanceof Command.GiveBack
                                        ? Decision.accept(new Event.ReturnStarted())
                                        : super.decide(state, command, now);
                            }
                        },
                        TicketSale.shop()));
    }

    @Test
    void a_machine_that_turns_a_noted_fact_away_breaks_what_was_said() {
        caught(
                "AnswersStay",
                seed -> TicketSale.of(
                        seed,
                        new TicketMachine() {
                            @Override
                            public Verdict verdict(Ticket state, Command command) {
                                // Says done as soon as the return is noted, though the ticket may turn out to be sold
                                // out.
                                return command instanceof Command.GiveBack
                                                && state
                                                        instanceof
                                                        Ticket.Buying(String _, int _, Instant _, boolean noted)
                                                && noted
                                        ? Verdict.done()
                                        : super.verdict(state, command);
                            }
                        },
                        TicketSale.shop()));
    }

    private static void caught(String claim, LongFunction<Seeds.Prepared> broken) {
        assertThatThrownBy(() -> Seeds.untilCaught(SEEDS, broken))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("-Dsim.seed=")
                .hasMessageContaining(claim + ":");
    }
}
