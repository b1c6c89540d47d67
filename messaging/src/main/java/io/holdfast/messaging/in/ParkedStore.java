package io.holdfast.messaging.in;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.messaging.event.Announcement;
import io.holdfast.messaging.event.RawEvent;
import java.util.concurrent.CompletionStage;

/** Where events wait that can't be delivered now. */
@FunctionalInterface
public interface ParkedStore {

    /** Keeps the event; true when it is kept already. Never completes exceptionally. */
    CompletionStage<Outcome<Boolean>> park(RawEvent event, Announcement announcement, String reason);
}
