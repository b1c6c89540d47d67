package io.holdfast.http.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.reservation.domain.Account;
import io.holdfast.reservation.domain.Admission;
import io.holdfast.reservation.domain.Cancellation;
import io.holdfast.reservation.domain.Claim;
import io.holdfast.reservation.domain.GroupLine;
import io.holdfast.reservation.domain.Inquiry;
import io.holdfast.reservation.domain.Line;
import io.holdfast.reservation.domain.OrderType;
import io.holdfast.reservation.domain.Refund;
import io.holdfast.reservation.domain.RefusedFact;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationRefusal;
import io.holdfast.reservation.domain.Review;
import io.holdfast.reservation.view.ReservationListing;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A reservation as it stands.
 *
 * @param reservationId its id
 * @param status its state, or MANUAL_REVIEW while a person must look
 * @param sequenceNumber of its last journaled event
 * @param terms what was asked for; absent where only its end, or news of its order, came so far
 * @param units where the units went; absent where none were ever held
 * @param refunds what went back, and what is going back now
 * @param refused news of the order that moved nothing, and why
 * @param cancellation why it was cancelled
 * @param rejection why nothing was held
 * @param books the pool's numbers after the latest operation of this reservation
 * @param noted news of the order that will be decided once what is being done is known
 * @param overdue that nothing is heard of its order for too long, and how often that was asked for
 * @param orderRequest how far its order service has been asked for its order; absent where it did not come in by the gate
 * @param review why a person must look
 * @param working what is still being done; absent in lists, which do not know
 * @param createdAt time of its first event; in lists alone
 * @param updatedAt time of the latest event shown; in lists alone
 * @param sync whether the ledger of the pool has what this reservation did; in lists alone
 * @param links where to read more
 */
public record ReservationView(
        String reservationId,
        String status,
        long sequenceNumber,
        Optional<TermsView> terms,
        Optional<UnitsView> units,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<RefundView> refunds,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<RefusedView> refused,
        Optional<CancellationView> cancellation,
        Optional<RejectionView> rejection,
        Optional<BooksView> books,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<FactView> noted,
        Optional<OverdueView> overdue,
        Optional<OrderRequestView> orderRequest,
        Optional<ReviewView> review,
        Optional<List<WorkingView>> working,
        Optional<Instant> createdAt,
        Optional<Instant> updatedAt,
        Optional<SyncView> sync,
        Links links) {

    /**
     * Nothing is heard of its order.
     *
     * @param since when that was too long
     * @param asked how often the order domain was asked to say again what became of it
     * @param answer what it said to that the last time
     * @param nextAt when it is asked again
     */
    public record OverdueView(Instant since, int asked, Optional<String> answer, Optional<Instant> nextAt) {
        static OverdueView of(Reservation.Reserved state) {
            Optional<Inquiry> inquiry = state.inquiry();
            return new OverdueView(
                    state.claim().attentionAt(),
                    inquiry.map(one -> one.owed() ? one.number() - 1 : one.number())
                            .orElse(0),
                    inquiry.flatMap(Inquiry::answer).map(Enum::name),
                    inquiry.flatMap(Inquiry::nextAt));
        }
    }

    /**
     * The message that asks for the order of a hold that came in by the gate.
     *
     * @param state PENDING until it is being sent, PUBLISHING, UNKNOWN when the broker may have it, PUBLISHED when it has
     * @param messageId the same however often it is sent
     */
    public record OrderRequestView(
            String state, String messageId, String requestId, Instant reservedAt, Instant businessDeadline) {

        private static final String EFFECT = "request-order";

        static OrderRequestView of(Admission admission, Reservation state, List<WorkingView> working) {
            var order = admission.order();
            return new OrderRequestView(
                    state(admission.stage(), state.unmarked(), working),
                    order.messageId(),
                    order.requestId(),
                    order.reservedAt(),
                    order.businessDeadline());
        }

        private static String state(Admission.Stage stage, Reservation.Unmarked state, List<WorkingView> working) {
            if (stage == Admission.Stage.REQUESTED) {
                return "PUBLISHED";
            }
            // Once its order is decided nobody sends it any more: what was on its way then may have arrived.
            if (!(state instanceof Reservation.Reserved)) {
                return stage == Admission.Stage.LISTED ? "PENDING" : "UNKNOWN";
            }
            return working.stream()
                    .filter(one -> one.effect().equals(EFFECT))
                    .findFirst()
                    .map(one -> one.lastError().isPresent() ? "UNKNOWN" : "PUBLISHING")
                    .orElse("PENDING");
        }
    }

    /**
     * What was asked for.
     *
     * @param heldWith the reservations it is held with, all of them or none; absent where it is held on its own
     */
    public record TermsView(
            String pool,
            String merchant,
            String dish,
            String orderId,
            String orderItemId,
            Optional<String> userId,
            long quantity,
            String orderType,
            Optional<Instant> processingTime,
            Instant attentionAt,
            Optional<List<String>> heldWith) {

        static TermsView of(Claim claim) {
            Line line = claim.terms().line();
            return new TermsView(
                    claim.pool().value(),
                    line.merchant(),
                    line.dish(),
                    line.orderId(),
                    line.orderItemId(),
                    line.userId(),
                    claim.terms().quantity(),
                    switch (claim.terms().orderType()) {
                        case OrderType.InstantOrder _ -> "INSTANT";
                        case OrderType.ScheduledOrder _ -> "SCHEDULED";
                    },
                    switch (claim.terms().orderType()) {
                        case OrderType.InstantOrder _ -> Optional.empty();
                        case OrderType.ScheduledOrder(Instant at) -> Optional.of(at);
                    },
                    claim.attentionAt(),
                    claim.group()
                            .map(group -> group.without(claim.id()).stream()
                                    .map(GroupLine::reservationId)
                                    .toList()));
        }
    }

    /**
     * Where the units of the hold went.
     *
     * @param held units granted
     * @param ordered of those, what the order wants
     * @param confirmed units that became sold; absent until they did
     * @param released units that went back because no order wants them
     * @param refunded units the order gave back
     * @param remaining units the order still has
     */
    public record UnitsView(
            long held, long ordered, Optional<Long> confirmed, long released, long refunded, long remaining) {

        static UnitsView of(Account account, OptionalLong confirmed) {
            return new UnitsView(
                    account.held(),
                    account.ordered(),
                    confirmed.isPresent() ? Optional.of(confirmed.getAsLong()) : Optional.empty(),
                    account.released(),
                    account.refunded(),
                    account.remaining());
        }
    }

    /**
     * One giving-back.
     *
     * @param restock whether the units become available again
     * @param result REFUNDING or REFUNDED
     */
    public record RefundView(String refundId, long quantity, boolean restock, String result) {
        static RefundView of(Refund refund, String result) {
            return new RefundView(refund.id(), refund.quantity(), refund.restock(), result);
        }
    }

    /** News that moved nothing: what it was, and the code it was refused with. */
    public record RefusedView(FactView fact, String code) {
        static RefusedView of(RefusedFact refused) {
            return new RefusedView(FactView.of(refused.fact()), refused.reason().code());
        }
    }

    /** Why it was cancelled: the kind of news, the order it was about where that is known, and the reason it gave. */
    public record CancellationView(String cause, Optional<String> orderId, String reason) {
        static CancellationView of(Cancellation cancellation) {
            return new CancellationView(cancellation.cause().name(), cancellation.orderId(), cancellation.reason());
        }
    }

    /** Why nothing was held: the code that asking again is refused with. */
    public record RejectionView(String code) {}

    /**
     * Why a person must look.
     *
     * @param keptStatus the state that is kept meanwhile
     * @param resolutions what the person may decide
     */
    public record ReviewView(
            String trigger, String reason, Map<String, String> evidence, String keptStatus, List<String> resolutions) {
        static ReviewView of(Reservation.UnderReview marked) {
            Review review = marked.review();
            return new ReviewView(
                    review.trigger().name(),
                    review.reason(),
                    review.evidence(),
                    marked.state().status().name(),
                    marked.resolutions().stream()
                            .map(resolution ->
                                    ReviewRequest.Choice.of(resolution).name())
                            .toList());
        }
    }

    /**
     * Whether the ledger has it.
     *
     * @param status NONE while nothing was done, SYNCED, or DEAD: something is missing, and an anomaly says what
     * @param expected epoch and version of the pool after the latest operation
     * @param synced those up to which the ledger has it
     */
    public record SyncView(String status, Optional<VersionView> expected, Optional<VersionView> synced) {
        static SyncView of(ReservationListing.Listed listed) {
            return new SyncView(
                    listed.synced().status().name(),
                    listed.state().latestBooks().map(books -> new VersionView(books.epoch(), books.version())),
                    listed.synced().at().map(at -> new VersionView(at.epoch(), at.version())));
        }
    }

    /** What orders the changes of a pool. */
    public record VersionView(long epoch, long version) {}

    /** Where to read more. */
    public record Links(String self, String journal) {
        static Links of(String reservationId) {
            return new Links(Paths.reservation(reservationId), Paths.journal(reservationId));
        }
    }

    /** The wire form of what an entity answered. */
    public static ReservationView of(Reply<Reservation> reply) {
        return of(
                reply.entityId(),
                reply.state(),
                reply.sequenceNumber(),
                Optional.of(WorkingView.of(reply.working())),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /** The wire form of one line of a list. */
    public static ReservationView of(ReservationListing.Listed listed) {
        return of(
                listed.state().id(),
                listed.state(),
                listed.sequenceNumber(),
                Optional.empty(),
                Optional.of(listed.createdAt()),
                Optional.of(listed.updatedAt()),
                Optional.of(SyncView.of(listed)));
    }

    private static ReservationView of(
            String id,
            Reservation state,
            long sequenceNumber,
            Optional<List<WorkingView>> working,
            Optional<Instant> createdAt,
            Optional<Instant> updatedAt,
            Optional<SyncView> sync) {
        return new ReservationView(
                id,
                state.status().name(),
                sequenceNumber,
                state.asked().map(TermsView::of),
                state.units().map(account -> UnitsView.of(account, confirmed(state))),
                refunds(state),
                state.refusedFacts().stream().map(RefusedView::of).toList(),
                cancellation(state).map(CancellationView::of),
                rejection(state),
                books(state),
                noted(state),
                overdue(state),
                state.asked()
                        .flatMap(Claim::admission)
                        .map(admission -> OrderRequestView.of(admission, state, working.orElse(List.of()))),
                review(state),
                working,
                createdAt,
                updatedAt,
                sync,
                Links.of(id));
    }

    private static OptionalLong confirmed(Reservation state) {
        return switch (state.unmarked()) {
            case Reservation.Confirmed confirmed -> OptionalLong.of(confirmed.confirmed());
            case Reservation.Refunding refunding -> refunding.confirmed();
            case Reservation.Refunded refunded -> refunded.confirmed();
            case Reservation.None _,
                    Reservation.Preparing _,
                    Reservation.Reserved _,
                    Reservation.CreatedReserved _,
                    Reservation.Confirming _,
                    Reservation.Canceling _,
                    Reservation.Canceled _,
                    Reservation.Rejected _ -> OptionalLong.empty();
        };
    }

    private static List<RefundView> refunds(Reservation state) {
        List<RefundView> refunds = new ArrayList<>();
        state.units().ifPresent(account -> {
            account.refunds().values().forEach(refund -> refunds.add(RefundView.of(refund, "REFUNDED")));
            account.refusedRefunds().values().forEach(refund -> refunds.add(RefundView.of(refund, "REFUSED")));
        });
        if (state.unmarked() instanceof Reservation.Refunding refunding) {
            refunds.add(RefundView.of(refunding.refund(), "REFUNDING"));
        }
        return refunds;
    }

    private static Optional<Cancellation> cancellation(Reservation state) {
        return switch (state.unmarked()) {
            case Reservation.Canceling canceling -> Optional.of(canceling.cancellation());
            case Reservation.Canceled canceled -> Optional.of(canceled.cancellation());
            case Reservation.None _,
                    Reservation.Preparing _,
                    Reservation.Reserved _,
                    Reservation.CreatedReserved _,
                    Reservation.Confirming _,
                    Reservation.Confirmed _,
                    Reservation.Refunding _,
                    Reservation.Refunded _,
                    Reservation.Rejected _ -> Optional.empty();
        };
    }

    private static Optional<RejectionView> rejection(Reservation state) {
        return state.unmarked() instanceof Reservation.Rejected rejected
                ? Optional.of(new RejectionView(
                        ReservationRefusal.of(rejected.reason()).code()))
                : Optional.empty();
    }

    private static Optional<BooksView> books(Reservation state) {
        return state.unmarked() instanceof Reservation.Rejected rejected
                ? Optional.of(BooksView.of(rejected.books()))
                : state.units().map(account -> BooksView.of(account.latest()));
    }

    private static List<FactView> noted(Reservation state) {
        List<FactView> noted = new ArrayList<>();
        switch (state.unmarked()) {
            case Reservation.None none -> noted.addAll(FactView.of(none.noted()));
            case Reservation.Preparing preparing -> noted.addAll(FactView.of(preparing.noted()));
            case Reservation.Confirming confirming -> noted.addAll(FactView.of(confirming.noted()));
            case Reservation.Canceling canceling -> noted.addAll(FactView.of(canceling.noted()));
            case Reservation.Refunding refunding -> noted.addAll(FactView.of(refunding.noted()));
            case Reservation.Reserved _,
                    Reservation.CreatedReserved _,
                    Reservation.Confirmed _,
                    Reservation.Canceled _,
                    Reservation.Refunded _,
                    Reservation.Rejected _ -> {}
        }
        if (state instanceof Reservation.UnderReview marked) {
            noted.addAll(FactView.of(marked.noted()));
        }
        return noted;
    }

    private static Optional<OverdueView> overdue(Reservation state) {
        return state.unmarked() instanceof Reservation.Reserved reserved && reserved.overdue()
                ? Optional.of(OverdueView.of(reserved))
                : Optional.empty();
    }

    private static Optional<ReviewView> review(Reservation state) {
        return state instanceof Reservation.UnderReview marked ? Optional.of(ReviewView.of(marked)) : Optional.empty();
    }
}
