package io.holdfast.node;

import io.holdfast.compensation.domain.Compensation;
import io.holdfast.compensation.domain.CompensationEvent;
import io.holdfast.compensation.domain.CompensationMachine;
import io.holdfast.config.Settings;
import io.holdfast.engine.audit.AuditScope;
import io.holdfast.engine.audit.AuditTrail;
import io.holdfast.engine.audit.Auditor;
import io.holdfast.engine.journal.JournalCodec;
import io.holdfast.engine.journal.JsonCodec;
import io.holdfast.engine.machine.Machine;
import io.holdfast.order.domain.Order;
import io.holdfast.order.domain.OrderEvent;
import io.holdfast.order.domain.OrderMachine;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationEvent;
import io.holdfast.reservation.domain.ReservationMachine;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.domain.StockPoolEvent;
import io.holdfast.reservation.domain.StockPoolMachine;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** Which machine an id belongs to, and how its journal is replayed. */
final class Audits {

    private Audits() {}

    /** One entity of one machine. */
    @FunctionalInterface
    interface Subject {
        AuditTrail<?> replay(Settings settings, AuditScope scope) throws SQLException;
    }

    /** Names of the machines. */
    static List<String> machines() {
        return List.of(ReservationMachine.NAME, StockPoolMachine.NAME, CompensationMachine.NAME, OrderMachine.NAME);
    }

    /** Empty when the id names a machine nobody knows. */
    static Optional<Subject> subject(String id) {
        int bar = id.indexOf('|');
        String machine = bar >= 0 ? id.substring(0, bar) : machine(id);
        String entityId = id.substring(bar + 1);
        return switch (machine) {
            case ReservationMachine.NAME ->
                Optional.of((settings, scope) -> replay(
                        new ReservationMachine(Parts.policies(settings)),
                        ReservationEvent.class,
                        Reservation.class,
                        settings,
                        entityId,
                        scope));
            case StockPoolMachine.NAME ->
                Optional.of((settings, scope) -> replay(
                        new StockPoolMachine(Parts.policies(settings)),
                        StockPoolEvent.class,
                        StockPool.class,
                        settings,
                        entityId,
                        scope));
            case CompensationMachine.NAME ->
                Optional.of((settings, scope) -> replay(
                        new CompensationMachine(Parts.compensations(settings)),
                        CompensationEvent.class,
                        Compensation.class,
                        settings,
                        entityId,
                        scope));
            case OrderMachine.NAME ->
                Optional.of((settings, scope) -> replay(
                        new OrderMachine(Parts.orders(settings)),
                        OrderEvent.class,
                        Order.class,
                        settings,
                        entityId,
                        scope));
            default -> Optional.empty();
        };
    }

    private static String machine(String entityId) {
        if (entityId.startsWith("RELEASE:") || entityId.startsWith("REFUND:")) {
            return CompensationMachine.NAME;
        }
        return entityId.contains(":") ? StockPoolMachine.NAME : ReservationMachine.NAME;
    }

    private static <S, E> AuditTrail<S> replay(
            Machine<S, ?, E, ?> machine,
            Class<E> events,
            Class<S> states,
            Settings settings,
            String entityId,
            AuditScope scope)
            throws SQLException {
        DataSource database =
                Sessions.single(settings.postgres(), settings.postgres().projector());
        return new Auditor<>(machine, JournalCodec.of(events), JsonCodec.of(states), database).replay(entityId, scope);
    }
}
