package io.holdfast.testkit.entities;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.runtime.EffectPerformer;
import io.holdfast.testkit.sample.Ticket.Call;
import io.holdfast.testkit.sample.Ticket.Command;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Where tickets are bought and given back: says yes at once, unless a test has said otherwise for the next calls about its ticket. Those of
 * earlier tests may still ask beside it.
 */
final class TicketOffice implements EffectPerformer<Call, Command> {

    static final Outcome<Command> SOLD = Outcome.known(new Command.BuyAnswered(true));
    static final Outcome<Command> SOLD_OUT = Outcome.known(new Command.BuyAnswered(false));

    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final String ticket;
    private final Queue<CompletableFuture<Outcome<Command>>> next = new ConcurrentLinkedQueue<>();

    /** Where a test asks about this ticket. */
    TicketOffice(String ticket) {
        this.ticket = ticket;
    }

    /** Operation ids of all calls about the ticket, in order. */
    List<String> asked() {
        return List.copyOf(asked);
    }

    /** The next call that has no answer yet gets this one. */
    TicketOffice thenSays(Outcome<Command> outcome) {
        next.add(CompletableFuture.completedFuture(outcome));
        return this;
    }

    /** The next call that has no answer yet gets one when the test completes it. */
    CompletableFuture<Outcome<Command>> thenIsSilent() {
        var answer = new CompletableFuture<Outcome<Command>>();
        next.add(answer);
        return answer;
    }

    @Override
    public CompletionStage<Outcome<Command>> perform(String entityId, Call effect) {
        boolean itsOwn = entityId.equals(ticket);
        if (itsOwn) {
            asked.add(effect.operationId());
        }
        var answer = itsOwn ? next.poll() : null;
        return answer != null
                ? answer
                : CompletableFuture.completedFuture(
                        switch (effect) {
                            case Call.BuyCall _ -> SOLD;
                            case Call.ReturnCall _ -> Outcome.known(new Command.ReturnAnswered());
                        });
    }
}
