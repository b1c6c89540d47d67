package io.holdfast.http.route;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.engine.audit.AuditLine;
import io.holdfast.engine.audit.AuditScope;
import io.holdfast.engine.audit.AuditTrail;
import io.holdfast.engine.entity.Entity;
import io.holdfast.engine.entity.Entry;
import io.holdfast.engine.journal.JournalCodec;
import io.holdfast.engine.journal.JsonCodec;
import io.holdfast.reservation.domain.EffectPolicies;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationEvent;
import io.holdfast.reservation.domain.ReservationMachine;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What the auditor would say about a journal that is a list. */
final class TestAudit {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final JournalCodec<ReservationEvent> EVENTS = JournalCodec.of(ReservationEvent.class);
    private static final JsonCodec<Reservation> STATES = JsonCodec.of(Reservation.class);

    private TestAudit() {}

    static AuditTrail<Reservation> replay(String id, List<Entry<ReservationEvent>> journal, AuditScope scope) {
        var machine = new ReservationMachine(EffectPolicies.standard());
        Entity<Reservation> entity = Entity.fresh(machine, id);
        List<AuditLine> lines = new ArrayList<>();
        boolean more = false;
        for (Entry<ReservationEvent> entry : journal) {
            if (lines.size() >= scope.limit()) {
                more = true;
                break;
            }
            entity = entity.after(machine, entry);
            if (entity.sequenceNumber() > scope.after()) {
                lines.add(line(entity, entry));
            }
        }
        return new AuditTrail<>("reservation|" + id, lines, more, true, Optional.of(entity));
    }

    private static AuditLine line(Entity<Reservation> entity, Entry<ReservationEvent> entry) {
        try {
            JsonNode stored = JSON.readTree(EVENTS.encode(entry));
            return new AuditLine.Step(
                    entity.sequenceNumber(),
                    entry.meta().at(),
                    entry.meta().cause(),
                    "test",
                    1,
                    stored.path("type").asText(),
                    stored.path("data"),
                    entry.meta().wakeAt(),
                    Optional.of(new AuditLine.StateAfter(
                            entity.state().getClass().getSimpleName(), STATES.toTree(entity.state()))));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
