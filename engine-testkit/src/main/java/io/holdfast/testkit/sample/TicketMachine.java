package io.holdfast.testkit.sample;

import io.holdfast.engine.machine.Decision;
import io.holdfast.engine.machine.Machine;
import io.holdfast.engine.machine.Owed;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.testkit.sample.Ticket.Call;
import io.holdfast.testkit.sample.Ticket.Command;
import io.holdfast.testkit.sample.Ticket.Event;
import io.holdfast.testkit.sample.Ticket.No;
import java.time.Instant;

/** Buys a ticket once, gives it back once: on request, or when its time is over. */
public class TicketMachine implements Machine<Ticket, Command, Event, Call> {

    private record At(Ticket state, Command command) {}

    @Override
    public String name() {
        return "ticket";
    }

    @Override
    public Ticket initial(String entityId) {
        return new Ticket.Free(entityId);
    }

    @Override
    public Decision<Event> decide(Ticket state, Command command, Instant now) {
        return switch (new At(state, command)) {
            case At(Ticket _, Command.Contradicted(String cause)) ->
                Decision.accept(new Event.ContradictionRecorded(cause));
            case At(Ticket.Free _, Command.Buy(int quantity, Instant returnBy)) ->
                Decision.accept(new Event.BuyStarted(quantity, returnBy));
            case At(Ticket.Free _, Command.GiveBack _) -> Decision.refuse(No.NEVER_BOUGHT);
            case At(Ticket.Buying buying, Command.BuyAnswered(boolean sold)) -> {
                if (!sold) {
                    yield Decision.accept(new Event.WasSoldOut());
                }
                yield buying.returnNoted()
                        ? Decision.accept(new Event.Bought(), new Event.ReturnStarted())
                        : Decision.accept(new Event.Bought());
            }
            case At(Ticket.Buying buying, Command.GiveBack _)
            when !buying.returnNoted() -> Decision.accept(new Event.ReturnNoted());
            case At(Ticket.Held _, Command.GiveBack _) -> Decision.accept(new Event.ReturnStarted());
            case At(Ticket.Held held, Command.Wake _)
            when !now.isBefore(held.returnBy()) -> Decision.accept(new Event.ReturnStarted());
            case At(Ticket.Returning _, Command.ReturnAnswered _) -> Decision.accept(new Event.ReturnDone());
            case At(Ticket.SoldOut _, Command.GiveBack _) -> Decision.refuse(No.SOLD_OUT);
            case At(Ticket _, Command _) -> Decision.repeat();
        };
    }

    @Override
    public Ticket evolve(Ticket state, Event event) {
        return switch (event) {
            case Event.BuyStarted(int quantity, Instant returnBy) ->
                new Ticket.Buying(state.id(), quantity, returnBy, false);
            case Event.ReturnNoted() -> {
                var buying = (Ticket.Buying) state;
                yield new Ticket.Buying(buying.id(), buying.quantity(), buying.returnBy(), true);
            }
            case Event.Bought() -> {
                var buying = (Ticket.Buying) state;
                yield new Ticket.Held(buying.id(), buying.quantity(), buying.returnBy());
            }
            case Event.WasSoldOut() -> new Ticket.SoldOut(state.id(), quantity(state));
            case Event.ReturnStarted() -> new Ticket.Returning(state.id(), quantity(state));
            case Event.ReturnDone() -> new Ticket.Returned(state.id(), quantity(state));
            case Event.ContradictionRecorded _ -> state;
        };
    }

    private static int quantity(Ticket state) {
        return switch (state) {
            case Ticket.Free _ -> 0;
            case Ticket.Buying buying -> buying.quantity();
            case Ticket.Held held -> held.quantity();
            case Ticket.SoldOut soldOut -> soldOut.quantity();
            case Ticket.Returning returning -> returning.quantity();
            case Ticket.Returned returned -> returned.quantity();
        };
    }

    @Override
    public Owed<Call> owe(Ticket state) {
        return switch (state) {
            case Ticket.Buying buying -> Owed.effect(new Call.BuyCall(buying.id(), buying.quantity()));
            case Ticket.Held held -> Owed.wakeAt(held.returnBy());
            case Ticket.Returning returning -> Owed.effect(new Call.ReturnCall(returning.id(), returning.quantity()));
            case Ticket.Free _, Ticket.SoldOut _, Ticket.Returned _ -> Owed.nothing();
        };
    }

    @Override
    public Verdict verdict(Ticket state, Command command) {
        return switch (command) {
            case Command.Buy _ ->
                switch (state) {
                    case Ticket.Free _, Ticket.Buying _ -> Verdict.pending();
                    case Ticket.SoldOut _ -> Verdict.refused(No.SOLD_OUT);
                    case Ticket.Held _, Ticket.Returning _, Ticket.Returned _ -> Verdict.done();
                };
            case Command.GiveBack _ ->
                switch (state) {
                    case Ticket.Free _, Ticket.Buying _, Ticket.Held _, Ticket.Returning _ -> Verdict.pending();
                    case Ticket.SoldOut _ -> Verdict.refused(No.SOLD_OUT);
                    case Ticket.Returned _ -> Verdict.done();
                };
            case Command.BuyAnswered _, Command.ReturnAnswered _, Command.Wake _, Command.Contradicted _ ->
                Verdict.done();
        };
    }

    @Override
    public Command wakeUp() {
        return new Command.Wake();
    }

    @Override
    public Command contradicted(String causeId) {
        return new Command.Contradicted(causeId);
    }
}
