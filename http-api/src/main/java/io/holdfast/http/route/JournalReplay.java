package io.holdfast.http.route;

import io.holdfast.engine.audit.AuditScope;
import io.holdfast.engine.audit.AuditTrail;
import java.sql.SQLException;

/**
 * Replays the journals of one machine. Blocking; called on threads made for that.
 *
 * @param <S> state of the machine
 */
@FunctionalInterface
public interface JournalReplay<S> {

    /**
     * What the journal holds, within this scope.
     *
     * @throws SQLException when the database can't be read
     */
    AuditTrail<S> replay(String entityId, AuditScope scope) throws SQLException;
}
