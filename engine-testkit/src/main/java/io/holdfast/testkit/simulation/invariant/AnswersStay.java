package io.holdfast.testkit.simulation.invariant;

import io.holdfast.engine.machine.EngineRefusal;
import io.holdfast.engine.machine.Refusal;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.testkit.simulation.Client;
import io.holdfast.testkit.simulation.SimulatedEntities;
import java.util.ArrayList;
import java.util.List;

/**
 * What a client was told stays true: asked again, the machine gives the same verdict on the same command. A refusal that says it may be
 * asked again promises nothing; one that says it may not must stay, even if the request arrives once more, late. A machine may name
 * answers that its own course changes, such as a hold that was granted and has been given back since.
 */
public final class AnswersStay<S, C> implements Invariant {

    private final SimulatedEntities<S, C, ?, ?> entities;
    private final Client<S, C> client;
    private final Explained<S> mayChange;

    /** Changes of an answer that the machine's own course explains. */
    @FunctionalInterface
    public interface Explained<S> {

        /** Whether the verdict may have become another one, given the state it is read from now. */
        boolean explains(Verdict told, Verdict now, S state);
    }

    /**
     * Compares what the client was told with the journal.
     *
     * @param mayChange changes that the machine's own course explains
     */
    public AnswersStay(SimulatedEntities<S, C, ?, ?> entities, Client<S, C> client, Explained<S> mayChange) {
        this.entities = entities;
        this.client = client;
        this.mayChange = mayChange;
    }

    @Override
    public void check() {
        List<String> broken = new ArrayList<>();
        for (Client.Told<S, C> told : client.told()) {
            // What the engine refuses is not about the command; a retryable refusal never reaches the client's list.
            if (told.reply().verdict() instanceof Verdict.Refused(Refusal reason) && reason instanceof EngineRefusal) {
                continue;
            }
            var entity = entities.journaled(told.entityId());
            if (!entity.causes().containsKey(told.cause().id())) {
                if (told.reply().verdict() instanceof Verdict.Done
                        && !told.reply().repeated()) {
                    broken.add(told.cause().id() + " was told done and is not in the journal of " + told.entityId());
                }
                continue;
            }
            if (!told.cause().hash().equals(entity.causes().get(told.cause().id()))) {
                // The id was used twice with other content: the second was only told that this was noticed.
                continue;
            }
            Verdict now = entities.machine().verdict(entity.state(), told.command());
            if (!now.equals(told.reply().verdict())
                    && !mayChange.explains(told.reply().verdict(), now, entity.state())) {
                broken.add(told.command() + " of " + told.entityId() + " was told "
                        + told.reply().verdict() + " and now is " + now + " in " + entity.state());
            }
        }
        if (!broken.isEmpty()) {
            throw new AssertionError("AnswersStay: " + String.join("; ", broken));
        }
    }
}
