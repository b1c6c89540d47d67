package io.holdfast.reservation.port;

import io.holdfast.reservation.domain.Account;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.Reservation.Accounted;
import io.holdfast.reservation.domain.Reservation.Canceled;
import io.holdfast.reservation.domain.Reservation.Canceling;
import io.holdfast.reservation.domain.Reservation.Confirmed;
import io.holdfast.reservation.domain.Reservation.Confirming;
import io.holdfast.reservation.domain.Reservation.CreatedReserved;
import io.holdfast.reservation.domain.Reservation.None;
import io.holdfast.reservation.domain.Reservation.Preparing;
import io.holdfast.reservation.domain.Reservation.Refunded;
import io.holdfast.reservation.domain.Reservation.Refunding;
import io.holdfast.reservation.domain.Reservation.Rejected;
import io.holdfast.reservation.domain.Reservation.Reserved;
import io.holdfast.reservation.domain.Reservation.UnderReview;
import java.util.OptionalLong;

/** One of a pool's reservations, as far as loading the pool anew needs it: of most a few numbers are enough. */
public sealed interface Loadable {

    /** The reservation's id. */
    String id();

    /**
     * One that is held or sold, owes nothing, came by no gate, and of which nothing was refunded.
     *
     * @param held units granted
     * @param confirmed units that became sold when it was confirmed; empty while it is held
     * @param released of those granted, what went back because the order does not want it
     * @param hold the pool's numbers right after the hold was granted
     * @param latest the pool's numbers after the latest operation of this reservation
     */
    record Plain(String id, long held, OptionalLong confirmed, long released, Books hold, Books latest)
            implements Loadable {}

    /** Any other. */
    record Whole(Reservation reservation) implements Loadable {
        @Override
        public String id() {
            return reservation.id();
        }
    }

    /** Of a reservation that is known whole. */
    static Loadable of(Reservation reservation) {
        return switch (reservation) {
            case Reserved s -> of(s, OptionalLong.empty());
            case CreatedReserved s -> of(s, OptionalLong.empty());
            case Confirmed s -> of(s, OptionalLong.of(s.confirmed()));
            case None _,
                    Preparing _,
                    Confirming _,
                    Canceling _,
                    Canceled _,
                    Refunding _,
                    Refunded _,
                    Rejected _,
                    UnderReview _ -> new Whole(reservation);
        };
    }

    private static Loadable of(Accounted state, OptionalLong confirmed) {
        Account account = state.account();
        return state.claim().admission().isPresent() || !account.refunds().isEmpty()
                ? new Whole(state)
                : new Plain(
                        state.id(), account.held(), confirmed, account.released(), account.hold(), account.latest());
    }
}
