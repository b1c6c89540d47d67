package io.holdfast.testkit.sample;

import io.holdfast.engine.machine.MachineSamples;
import io.holdfast.engine.machine.Sample;
import io.holdfast.testkit.sample.Ticket.Call;
import io.holdfast.testkit.sample.Ticket.Command;
import io.holdfast.testkit.sample.Ticket.Event;
import java.time.Instant;
import java.util.List;

/** Samples of the sample machine. */
public class TicketSamples implements MachineSamples<Ticket, Command, Event, Call> {

    public static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    public static final Instant LATER = NOW.plusSeconds(60);

    @Override
    public TicketMachine machine() {
        return new TicketMachine();
    }

    @Override
    public List<Sample<Ticket>> states() {
        return List.of(
                Sample.of(new Ticket.Free("t-1")),
                Sample.of(new Ticket.Buying("t-1", 2, LATER, false)),
                Sample.of("return noted", new Ticket.Buying("t-1", 2, LATER, true)),
                Sample.of(new Ticket.Held("t-1", 2, LATER)),
                Sample.of("time over", new Ticket.Held("t-1", 2, NOW)),
                Sample.of(new Ticket.SoldOut("t-1", 2)),
                Sample.of(new Ticket.Returning("t-1", 2)),
                Sample.of(new Ticket.Returned("t-1", 2)));
    }

    @Override
    public List<Sample<Command>> commands() {
        return List.of(
                Sample.of(new Command.Buy(2, LATER)),
                Sample.of(new Command.GiveBack()),
                Sample.of("sold", new Command.BuyAnswered(true)),
                Sample.of("sold out", new Command.BuyAnswered(false)),
                Sample.of(new Command.ReturnAnswered()),
                Sample.of(new Command.Wake()),
                Sample.of(new Command.Contradicted("m-1")));
    }

    @Override
    public Instant now() {
        return NOW;
    }

    @Override
    public Class<?> stateType() {
        return Ticket.class;
    }

    @Override
    public Class<?> commandType() {
        return Command.class;
    }
}
