package io.holdfast.messaging.event;

import io.holdfast.engine.machine.Cause;
import io.holdfast.reservation.domain.Fact;
import io.holdfast.reservation.domain.OrderCreateRequested;
import java.util.List;

/** What an event says. */
public sealed interface Announcement {

    /** Identity, content and trace, for the journals of whom it concerns. */
    Cause cause();

    /** Type of the event. */
    String type();

    /** Events of one key are handled in the order in which they came. */
    String key();

    /**
     * News of an order.
     *
     * @param orderId which
     * @param told the reservations it names, and what it tells each; empty when it names none
     * @param toAll what it tells every reservation of the order when it names none
     */
    record OfOrder(Cause cause, String type, String orderId, List<Told> told, Fact toAll) implements Announcement {
        public OfOrder {
            told = List.copyOf(told);
        }

        @Override
        public String key() {
            return orderId;
        }
    }

    /** A hint that a scheduled order may be due. The reservation itself knows when. */
    record Due(Cause cause, String type, String reservationId) implements Announcement {
        @Override
        public String key() {
            return reservationId;
        }
    }

    /** An order is to be made of an admitted hold. */
    record OrderWanted(Cause cause, String type, OrderCreateRequested request) implements Announcement {
        @Override
        public String key() {
            return request.reservationId();
        }
    }

    /** What one reservation is told. */
    record Told(String reservationId, Fact fact) {}
}
