package io.holdfast.testkit.derived;

import io.holdfast.engine.journal.JournalCodec;
import io.holdfast.testkit.sample.Ticket.Event;
import io.holdfast.testkit.sample.TicketSamples;
import java.util.List;

class TicketGoldenJournalTest extends GoldenJournal<Event> {

    @Override
    protected String machine() {
        return "ticket";
    }

    @Override
    protected Class<Event> eventType() {
        return Event.class;
    }

    @Override
    protected JournalCodec<Event> codec() {
        return JournalCodec.of(Event.class);
    }

    @Override
    protected List<Event> examples() {
        return List.of(
                new Event.BuyStarted(2, TicketSamples.LATER),
                new Event.ReturnNoted(),
                new Event.Bought(),
                new Event.WasSoldOut(),
                new Event.ReturnStarted(),
                new Event.ReturnDone(),
                new Event.ContradictionRecorded("m-1"));
    }
}
