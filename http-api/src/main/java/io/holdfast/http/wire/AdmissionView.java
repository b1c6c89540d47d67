package io.holdfast.http.wire;

import io.holdfast.reservation.entity.AdmissionDesk.Answer;
import io.holdfast.reservation.entity.AdmissionDesk.Wish;
import java.time.Instant;

/**
 * A request that was let into a sale.
 *
 * @param status QUEUED: a claim, not an order
 * @param admittedAt when
 * @param businessDeadline when its order must be decided by
 * @param journaled whether its reservation's journal is known to have it; until then it can be lost with Redis
 * @param books the pool's numbers after it was let in
 */
public record AdmissionView(
        String reservationId,
        String status,
        String pool,
        String userId,
        String requestId,
        long quantity,
        Instant admittedAt,
        Instant businessDeadline,
        boolean journaled,
        BooksView books,
        Links links) {

    private static final String STATUS = "QUEUED";

    /** Where to read what becomes of it. */
    public record Links(String reservation) {}

    /** The wire form of an admission. */
    public static AdmissionView of(Wish wish, Answer.Queued queued) {
        return new AdmissionView(
                queued.reservation(),
                STATUS,
                wish.pool().value(),
                wish.user(),
                wish.request(),
                wish.quantity(),
                queued.at(),
                queued.deadline(),
                queued.journaled(),
                BooksView.of(queued.books()),
                new Links(Paths.reservation(queued.reservation())));
    }
}
