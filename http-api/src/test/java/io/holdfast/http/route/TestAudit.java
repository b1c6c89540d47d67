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
import io.holdfast.engine.machine.Machine;
import io.holdfast.reservation.domain.EffectPolicies;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationEvent;
import io.holdfast.reservation.domain.ReservationMachine;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.domain.StockPoolEvent;
import io.holdfast.reservation.domain.StockPoolMachine;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What the auditor would say about a journal that is a list. */
final class TestAudit {

    private static final ObjectMapper JSON = new ObjectMapper();

    private TestAudit() {}

    static AuditTrail<Reservation> replay(String id, List<Entry<ReservationEvent>> journal, AuditScope scope) {
        return replay(
                new ReservationMachine(EffectPolicies.standard()),
                JournalCodec.of(ReservationEvent.class),
                JsonCodec.of(Reservation.class),
                id,
                journal,
                scope);
    }

    static AuditTrail<StockPool> replayPool(String id, List<Entry<StockPoolEvent>> journal, AuditScope scope) {
        return replay(
                new StockPoolMachine(EffectPolicies.standard()),
                JournalCodec.of(StockPoolEvent.class),
                JsonCodec.of(StockPool.class),
                id,
                journal,
                scope);
    }

    private static <S, E> AuditTrail<S> replay(
            Machine<S, ?, E, ?> machine,
            JournalCodec<E> events,
            JsonCodec<S> states,
            String id,
            List<Entry<E>> journal,
            AuditScope scope) {
        Entity<S> entity = Entity.fresh(machine, id);
        List<AuditLine> lines = new ArrayList<>();
        boolean more = false;
        for (Entry<E> entry : journal) {
            if (lines.size() >= scope.limit()
                    || scope.until().filter(entry.meta().at()::isAfter).isPresent()) {
                more = lines.size() >= scope.limit();
                break;
            }
            entity = entity.after(machine, entry);
            if (entity.sequenceNumber() > scope.after()) {
                lines.add(line(
                        events.encode(entry), entity.sequenceNumber(), entry, states.toTree(entity.state()), entity));
            }
        }
        return new AuditTrail<>(machine.name() + "|" + id, lines, more, true, Optional.of(entity));
    }

    private static AuditLine line(byte[] json, long number, Entry<?> entry, JsonNode state, Entity<?> entity) {
        try {
            JsonNode stored = JSON.readTree(json);
            return new AuditLine.Step(
                    number,
                    entry.meta().at(),
                    entry.meta().cause(),
                    "test",
                    1,
                    stored.path("type").asText(),
                    stored.path("data"),
                    entry.meta().wakeAt(),
                    Optional.of(
                            new AuditLine.StateAfter(entity.state().getClass().getSimpleName(), state)));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
