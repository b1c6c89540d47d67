package io.holdfast.engine.projection;

import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Hands the journal to something outside the database, at least once: the offset moves only after the other side has acknowledged. A
 * node that dies between acknowledgement and offset repeats what it delivered; nothing is ever left out. {@link JournalRow#eventId} is
 * the same each time.
 *
 * <p>One batch is under way per handler and node: the next comes when the stage of the last has completed. So a batch is the bound of what
 * is in flight, and the events of one entity stay in order as long as the handler keeps them so within the batch. Several nodes may run
 * the same projection on different slices at once, never on the same.
 *
 * <p>Called on a thread that may be blocked for a short while; a handler that waits long returns a stage instead.
 */
public non-sealed interface DeliveryHandler extends Projection {

    /**
     * Delivers these events, of any number of entities, in the order given.
     *
     * <p>The stage completes with a {@link Delivery} once every event was acknowledged or refused for good. Completed exceptionally
     * (or an exception thrown here) it says that nothing is known, as when the other side can't be reached: after a back-off the same
     * events come again, at first half as many, or with them what the journal has behind them. No entity is parked for it. The same happens when the stage
     * does not complete within {@link ProjectionSettings#ackTimeout}; a handler gives up earlier by itself.
     */
    CompletionStage<Delivery> deliver(List<JournalRow> rows);
}
