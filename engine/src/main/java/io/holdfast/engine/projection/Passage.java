package io.holdfast.engine.projection;

import java.util.List;

/** Whether a projection has handled everything that was journaled before a position. */
public sealed interface Passage {

    /**
     * It has, except for what is parked.
     *
     * @param parked all entities it has set aside, or shows without an event that was left out; what it shows of them is not what the
     *     journal says at the position
     * @param rebuilds how often it was begun anew, ever. Where this differs between two passages, what was read of it in between may
     *     be incomplete.
     */
    record Passed(List<ParkedEntity> parked, long rebuilds) implements Passage {
        public Passed {
            parked = List.copyOf(parked);
        }

        /** Ids of those of them that are entities of this machine. */
        public List<String> parkedOf(String machine) {
            String prefix = machine + "|";
            return parked.stream()
                    .map(ParkedEntity::persistenceId)
                    .filter(id -> id.startsWith(prefix))
                    .map(id -> id.substring(prefix.length()))
                    .toList();
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
