package io.holdfast.testkit.simulation;

import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.machine.Machine;
import io.holdfast.engine.runtime.EffectPerformer;
import io.holdfast.engine.runtime.MachineDefinition;
import io.holdfast.testkit.sample.Ticket;
import io.holdfast.testkit.sample.Ticket.Call;
import io.holdfast.testkit.sample.Ticket.Command;
import io.holdfast.testkit.sample.Ticket.Event;
import io.holdfast.testkit.simulation.fault.Faults;
import io.holdfast.testkit.simulation.invariant.AnswersStay;
import io.holdfast.testkit.simulation.invariant.EveryoneIsAnswered;
import io.holdfast.testkit.simulation.invariant.Invariant;
import io.holdfast.testkit.simulation.invariant.MovedOncePerOperation;
import io.holdfast.testkit.simulation.invariant.NothingPendingForever;
import io.holdfast.testkit.simulation.invariant.OnlyRises;
import io.holdfast.testkit.simulation.invariant.TerminalStays;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

/** A sale of few tickets to many clients, some of whom give theirs back. */
final class TicketSale {

    private static final Duration STORM = Duration.ofMinutes(2);
    private static final Duration REST = Duration.ofMinutes(8);
    private static final int TOTAL = 12;

    private TicketSale() {}

    static Seeds.Prepared of(long seed, Machine<Ticket, Command, Event, Call> machine, TicketShop shop) {
        return of(seed, machine, shop, (store, _) -> store);
    }

    static Seeds.Prepared of(
            long seed,
            Machine<Ticket, Command, Event, Call> machine,
            TicketShop shop,
            BiFunction<EffectPerformer<Call, Command>, World, EffectPerformer<Call, Command>> outside) {
        Simulation simulation = Simulation.of(seed, Storm.all());
        World world = simulation.world();
        var performer = outside.apply(Faults.all(world, 0.08).around(shop), world);
        var tickets = simulation
                .fleet()
                .host(MachineDefinition.of(
                        machine, performer, Ticket.class, Command.class, Event.class, Ticket.No.class));
        var client = new Client<>(world, tickets);
        simulation.nowAndThen(Duration.ofSeconds(4), "a buyer comes", () -> buyer(world, client));
        simulation.nowAndThen(
                Duration.ofSeconds(40), "crash", () -> simulation.fleet().crashANode());
        simulation.nowAndThen(
                Duration.ofSeconds(30), "clock", () -> simulation.fleet().jumpAClock(Duration.ofHours(1)));
        Invariant neverOversold = () -> {
            if (shop.sold() < 0 || shop.sold() > TOTAL) {
                throw new AssertionError("NeverOversold: sold " + shop.sold() + " of " + TOTAL);
            }
        };
        simulation.always(
                new MovedOncePerOperation(shop::movements),
                neverOversold,
                new OnlyRises("journal", () -> lines(tickets)),
                new TerminalStays<>(
                        tickets, state -> state instanceof Ticket.SoldOut || state instanceof Ticket.Returned));
        simulation.eventually(new NothingPendingForever<>(tickets, _ -> false), new EveryoneIsAnswered(client));
        simulation.atRest(new AnswersStay<>(tickets, client, (_, _, _) -> false), () -> {
            int held = tickets.entityIds().stream()
                    .mapToInt(id -> tickets.journaled(id).state() instanceof Ticket.Held held1 ? held1.quantity() : 0)
                    .sum();
            if (held != shop.sold()) {
                throw new AssertionError(
                        "JournalAgreesWithShop: the journals hold " + held + ", the shop sold " + shop.sold());
            }
        });
        return new Seeds.Prepared(simulation, () -> simulation.run(STORM, REST));
    }

    static TicketShop shop() {
        return new TicketShop(TOTAL);
    }

    private static Map<String, Long> lines(SimulatedEntities<?, ?, ?, ?> tickets) {
        Map<String, Long> lines = new HashMap<>();
        tickets.entityIds()
                .forEach(id -> lines.put(id, (long) tickets.journal().read(id).size()));
        return lines;
    }

    private static void buyer(World world, Client<Ticket, Command> client) {
        String ticket = world.chance().id("ticket");
        var returnBy =
                world.timeline().now().plus(world.chance().between(Duration.ofSeconds(10), Duration.ofMinutes(5)));
        Command buy = new Command.Buy(world.chance().between(1, 3), returnBy);
        if (world.chance().strikes(0.3)) {
            // Buys and gives back at once, in whatever order they arrive; a return that comes first is refused and
            // leaves no trace.
            giveBack(world, client, ticket);
        }
        client.ask(ticket, cause("buy-" + ticket), buy, _ -> {
            if (world.chance().strikes(0.5)) {
                giveBack(world, client, ticket);
            }
        });
    }

    private static void giveBack(World world, Client<Ticket, Command> client, String ticket) {
        client.ask(ticket, cause(world.chance().id("back-" + ticket)), new Command.GiveBack());
    }

    private static Cause cause(String id) {
        return new Cause(id, "hash-of-" + id, Cause.Kind.REQUEST, "client", Optional.empty());
    }
}
