package io.holdfast.http.route;

import io.holdfast.engine.audit.AuditScope;
import io.holdfast.engine.audit.AuditTrail;
import io.holdfast.reservation.domain.Reservation;
import java.sql.SQLException;

/** Replays the journal of a reservation. Blocking; called on threads made for that. */
@FunctionalInterface
public interface JournalReplay {

    /**
     * What the journal holds, within this scope.
     *
     * @throws SQLException when the database can't be read
     */
    AuditTrail<Reservation> replay(String reservationId, AuditScope scope) throws SQLException;
}
