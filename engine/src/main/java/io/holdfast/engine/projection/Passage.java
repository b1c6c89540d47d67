package io.holdfast.engine.projection;

import java.util.List;

/** Whether a projection has handled everything that was journaled before a position. */
public sealed interface Passage {

    /**
     * It has, except for what is parked.
     *
     * @param parked entities it has set aside; what it shows of them is older than the position
     */
    record Passed(List<ParkedEntity> parked) implements Passage {
        public Passed {
            parked = List.copyOf(parked);
        }
    }

    /**
     * It had not when patience ended.
     *
     * @param reached how far it is known to have come
     * @param why in words, for a log or an answer
     */
    record NotYet(JournalPosition reached, String why) implements Passage {}
}
