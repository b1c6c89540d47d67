package io.holdfast.http.route;

import io.holdfast.reconciliation.systems.EvidenceSource;
import io.holdfast.reconciliation.systems.SystemsQueries;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** What all sources say of one object. Blocking; called on threads made for that. */
public interface EvidenceReads {

    /** Of a reservation and its order, in the order of authority; a source that can't be asked now says so. */
    List<EvidenceSource> of(String reservationId) throws SQLException;

    /** The latest repairs between systems. */
    List<SystemsQueries.Kept> repairs(Optional<String> reservationId, int limit) throws SQLException;
}
