package io.holdfast.engine.entity;

import io.holdfast.engine.entity.Parcel.Command;
import io.holdfast.engine.entity.Parcel.Event;
import io.holdfast.engine.entity.Parcel.No;
import io.holdfast.engine.entity.Parcel.Ship;
import io.holdfast.engine.entity.Parcel.State;
import io.holdfast.engine.machine.Decision;
import io.holdfast.engine.machine.Machine;
import io.holdfast.engine.machine.Owed;
import io.holdfast.engine.machine.Verdict;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** See {@link Parcel}. */
public final class ParcelMachine implements Machine<State, Command, Event, Ship> {

    @Override
    public String name() {
        return "parcel";
    }

    @Override
    public State initial(String entityId) {
        return new State.Empty();
    }

    @Override
    public Decision<Event> decide(State state, Command command, Instant now) {
        return switch (command) {
            case Command.Explode _ -> throw new IllegalStateException("boom");
            case Command.Contradicted(String causeId) ->
                state instanceof State.Marked ? Decision.repeat() : Decision.accept(new Event.MarkedForReview(causeId));
            case Command.Pack(String item, var askAfter, boolean careful) ->
                state instanceof State.Empty
                        ? Decision.accept(new Event.Packed(item, askAfter, careful))
                        : Decision.repeat();
            case Command.Note(String text) -> Decision.accept(new Event.Noted(text));
            case Command.Cancel _ ->
                state instanceof State.Empty
                        ? Decision.refuse(No.NOTHING_PACKED)
                        : Decision.refuse(No.TOO_LATE, new Event.CancelDenied(1));
            case Command.Taken(String tracking) ->
                state instanceof State.Packing ? Decision.accept(new Event.ShippedOut(tracking)) : Decision.repeat();
            case Command.NotTaken(String why) ->
                state instanceof State.Packing ? Decision.accept(new Event.ShippingRejected(why)) : Decision.repeat();
            case Command.Noise _ -> Decision.repeat();
            case Command.AskAfter _ ->
                state instanceof State.Shipped(var _, var askAfter, int asked)
                                && askAfter.isPresent()
                                && !askAfter.get().isAfter(now)
                        // The third time nothing comes of it, and the time stays in the past.
                        ? asked < 2
                                ? Decision.accept(
                                        new Event.Asked(asked == 0 ? Optional.of(now.plusSeconds(60)) : askAfter))
                                : Decision.repeat()
                        : Decision.repeat();
        };
    }

    @Override
    public State evolve(State state, Event event) {
        return switch (event) {
            case Event.Packed(String item, var askAfter, boolean careful) ->
                new State.Packing(item, askAfter, careful, List.of());
            case Event.Noted(String text) ->
                switch (state) {
                    case State.Packing(String item, var askAfter, boolean careful, List<String> notes) -> {
                        List<String> more = new ArrayList<>(notes);
                        more.add(text);
                        yield new State.Packing(item, askAfter, careful, List.copyOf(more));
                    }
                    case State.Empty _, State.Shipped _, State.Rejected _, State.Marked _ -> state;
                };
            case Event.CancelDenied _ -> state;
            case Event.ShippedOut(String tracking) ->
                new State.Shipped(tracking, state instanceof State.Packing p ? p.askAfter() : Optional.empty(), 0);
            case Event.ShippingRejected(String why) -> new State.Rejected(why);
            case Event.Asked(var again) ->
                state instanceof State.Shipped s ? new State.Shipped(s.tracking(), again, s.asked() + 1) : state;
            case Event.MarkedForReview(String causeId) -> new State.Marked(causeId);
        };
    }

    @Override
    public Owed<Ship> owe(State state) {
        return switch (state) {
            case State.Packing(String item, var _, var _, var _)
            when item.equals("cursed") -> throw new IllegalStateException("cursed");
            case State.Packing(String item, var _, boolean careful, var _) ->
                Owed.effect(new Ship("SHIP:" + item, item, careful));
            case State.Shipped(var _, var askAfter, var _) -> new Owed<>(List.of(), askAfter);
            case State.Empty _, State.Rejected _, State.Marked _ -> Owed.nothing();
        };
    }

    @Override
    public Verdict verdict(State state, Command command) {
        return switch (command) {
            case Command.Pack _ ->
                switch (state) {
                    case State.Empty _, State.Packing _ -> Verdict.pending();
                    case State.Shipped _, State.Marked _ -> Verdict.done();
                    case State.Rejected _ -> Verdict.refused(No.NO_CARRIER);
                };
            case Command.Cancel _ -> Verdict.refused(No.TOO_LATE);
            case Command.Note _,
                    Command.Taken _,
                    Command.NotTaken _,
                    Command.Noise _,
                    Command.AskAfter _,
                    Command.Contradicted _,
                    Command.Explode _ -> Verdict.done();
        };
    }

    @Override
    public Command wakeUp() {
        return new Command.AskAfter();
    }

    @Override
    public Command contradicted(String causeId) {
        return new Command.Contradicted(causeId);
    }
}
