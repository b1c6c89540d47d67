package io.holdfast.engine.audit;

import io.holdfast.engine.entity.Entity;
import java.util.List;
import java.util.Optional;

/**
 * What an audit found.
 *
 * @param persistenceId of the entity
 * @param lines in order; empty for an entity that has no journal
 * @param more true when there are further lines than were asked for
 * @param sound false when an entry up to the last one looked at is missing or broken, also on an earlier page
 * @param end the entity after the last entry looked at; empty when that is not sound
 * @param <S> state of the machine
 */
public record AuditTrail<S>(
        String persistenceId, List<AuditLine> lines, boolean more, boolean sound, Optional<Entity<S>> end) {

    public AuditTrail {
        lines = List.copyOf(lines);
    }
}
