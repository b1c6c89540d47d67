package io.holdfast.reservation.view;

import io.holdfast.reservation.domain.Account;
import io.holdfast.reservation.domain.Admission;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.Claim;
import io.holdfast.reservation.domain.OrderType;
import io.holdfast.reservation.domain.OrderType.InstantOrder;
import io.holdfast.reservation.domain.OrderType.ScheduledOrder;
import io.holdfast.reservation.domain.Reservation;
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
import io.holdfast.reservation.domain.Review;
import java.time.Instant;
import java.util.Optional;

/** The columns that are derived from a reservation's state. */
record ViewRow(
        Reservation state,
        Optional<Claim> claim,
        Optional<Books> latest,
        long confirmed,
        long released,
        long refunded,
        Optional<String> review) {

    String status() {
        return state.status().name();
    }

    /** Whether it came in by a gate and its order has still to be asked for. */
    boolean owesOrderRequest() {
        return state.unmarked() instanceof Reserved
                && claim.flatMap(Claim::admission)
                        .filter(admission -> admission.stage() != Admission.Stage.REQUESTED)
                        .isPresent();
    }

    static ViewRow of(Reservation state) {
        Optional<Account> account = state.units();
        return new ViewRow(
                state,
                state.asked(),
                state.latestBooks(),
                confirmed(state),
                account.map(Account::released).orElse(0L),
                account.map(Account::refunded).orElse(0L),
                state.underReview().map(Review::reason));
    }

    private static long confirmed(Reservation state) {
        return switch (state.unmarked()) {
            case Confirmed s -> s.confirmed();
            case Refunding s -> s.confirmed().orElse(0);
            case Refunded s -> s.confirmed().orElse(0);
            case None _,
                    Preparing _,
                    Reserved _,
                    CreatedReserved _,
                    Confirming _,
                    Canceling _,
                    Canceled _,
                    Rejected _ -> 0;
        };
    }

    static String orderType(OrderType type) {
        return switch (type) {
            case InstantOrder() -> "INSTANT";
            case ScheduledOrder _ -> "SCHEDULED";
        };
    }

    static Optional<Instant> processingTime(OrderType type) {
        return switch (type) {
            case InstantOrder() -> Optional.empty();
            case ScheduledOrder(Instant at) -> Optional.of(at);
        };
    }
}
