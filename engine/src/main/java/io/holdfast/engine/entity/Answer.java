package io.holdfast.engine.entity;

import io.holdfast.engine.machine.Verdict;
import java.util.List;

/**
 * What an asker is told.
 *
 * @param entity who answers, as it stands in the journal
 * @param verdict on the asker's command; Done for a look or a wake-up
 * @param repeated true when the command had been given before and this is what became of it
 * @param working owed effects and how they are going
 */
public record Answer<S>(Entity<S> entity, Verdict verdict, boolean repeated, List<EffectProgress> working) {
    public Answer {
        working = List.copyOf(working);
    }
}
