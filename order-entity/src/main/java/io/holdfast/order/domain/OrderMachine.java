package io.holdfast.order.domain;

import static io.holdfast.order.domain.OrderRefusal.ALREADY_CREATED;
import static io.holdfast.order.domain.OrderRefusal.ALREADY_ENDED;
import static io.holdfast.order.domain.OrderRefusal.ALREADY_PAID;
import static io.holdfast.order.domain.OrderRefusal.CANCEL_IN_PROGRESS;
import static io.holdfast.order.domain.OrderRefusal.DEADLINE_NOT_REACHED;
import static io.holdfast.order.domain.OrderRefusal.NOT_CREATED_YET;
import static io.holdfast.order.domain.OrderRefusal.NOT_PAID;
import static io.holdfast.order.domain.OrderRefusal.NOT_UNDER_REVIEW;
import static io.holdfast.order.domain.OrderRefusal.OTHER_CONTENT;
import static io.holdfast.order.domain.OrderRefusal.REFUND_CURRENCY;
import static io.holdfast.order.domain.OrderRefusal.REFUND_EXCEEDS;
import static io.holdfast.order.domain.OrderRefusal.REFUND_ID_REUSED;
import static io.holdfast.order.domain.OrderRefusal.RESOLUTION_NOT_ALLOWED;
import static io.holdfast.order.domain.OrderRefusal.TOO_MANY_PAYMENTS;
import static io.holdfast.order.domain.OrderRefusal.TOO_MANY_REFUNDS;
import static io.holdfast.order.domain.OrderRefusal.UNDER_REVIEW;
import static io.holdfast.order.domain.OrderRefusal.UNKNOWN_ORDER;
import static io.holdfast.order.domain.OrderRefusal.WAS_CANCELLED;
import static io.holdfast.order.domain.OrderRefusal.WAS_REJECTED;

import io.holdfast.engine.machine.Decision;
import io.holdfast.engine.machine.Machine;
import io.holdfast.engine.machine.Owed;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.order.domain.Order.Asked;
import io.holdfast.order.domain.Order.Bought;
import io.holdfast.order.domain.Order.CancelPending;
import io.holdfast.order.domain.Order.CancelStep;
import io.holdfast.order.domain.Order.Cancelled;
import io.holdfast.order.domain.Order.Created;
import io.holdfast.order.domain.Order.Existing;
import io.holdfast.order.domain.Order.Intent;
import io.holdfast.order.domain.Order.None;
import io.holdfast.order.domain.Order.Paid;
import io.holdfast.order.domain.Order.Paying;
import io.holdfast.order.domain.Order.Refunded;
import io.holdfast.order.domain.Order.Refunding;
import io.holdfast.order.domain.Order.Rejected;
import io.holdfast.order.domain.Order.Requested;
import io.holdfast.order.domain.Order.UnderReview;
import io.holdfast.order.domain.Order.Unmarked;
import io.holdfast.order.domain.OrderCommand.CancelAnswer;
import io.holdfast.order.domain.OrderCommand.CancelAnswered;
import io.holdfast.order.domain.OrderCommand.CloseAnswered;
import io.holdfast.order.domain.OrderCommand.Contradicted;
import io.holdfast.order.domain.OrderCommand.ContradictionFound;
import io.holdfast.order.domain.OrderCommand.CreationAnswer;
import io.holdfast.order.domain.OrderCommand.CreationAnswered;
import io.holdfast.order.domain.OrderCommand.Freeze;
import io.holdfast.order.domain.OrderCommand.HoldAnswer;
import io.holdfast.order.domain.OrderCommand.HoldAnswered;
import io.holdfast.order.domain.OrderCommand.Lift;
import io.holdfast.order.domain.OrderCommand.MarkAnswered;
import io.holdfast.order.domain.OrderCommand.PaymentAnswer;
import io.holdfast.order.domain.OrderCommand.PaymentAnswered;
import io.holdfast.order.domain.OrderCommand.PaymentReturned;
import io.holdfast.order.domain.OrderCommand.ReacquireAnswer;
import io.holdfast.order.domain.OrderCommand.ReacquireAnswered;
import io.holdfast.order.domain.OrderCommand.RefundAnswered;
import io.holdfast.order.domain.OrderCommand.WakeUp;
import io.holdfast.order.domain.OrderEffect.CancelOrder;
import io.holdfast.order.domain.OrderEffect.ClosePayment;
import io.holdfast.order.domain.OrderEffect.CreateOrder;
import io.holdfast.order.domain.OrderEffect.HoldAgain;
import io.holdfast.order.domain.OrderEffect.MarkCancelPending;
import io.holdfast.order.domain.OrderEffect.ReacquireOrder;
import io.holdfast.order.domain.OrderEffect.RecordPayment;
import io.holdfast.order.domain.OrderEffect.RefundOrder;
import io.holdfast.order.domain.OrderEffect.RejectOverdue;
import io.holdfast.order.domain.OrderEffect.ReturnPayment;
import io.holdfast.order.domain.OrderEvent.CancelMarked;
import io.holdfast.order.domain.OrderEvent.CancelNoted;
import io.holdfast.order.domain.OrderEvent.CancelStarted;
import io.holdfast.order.domain.OrderEvent.ContradictionNoticed;
import io.holdfast.order.domain.OrderEvent.DeadlineReached;
import io.holdfast.order.domain.OrderEvent.FactNoted;
import io.holdfast.order.domain.OrderEvent.HoldTakenAgain;
import io.holdfast.order.domain.OrderEvent.OrderAwaited;
import io.holdfast.order.domain.OrderEvent.OrderCancelled;
import io.holdfast.order.domain.OrderEvent.OrderCreated;
import io.holdfast.order.domain.OrderEvent.OrderNotFound;
import io.holdfast.order.domain.OrderEvent.OrderPaid;
import io.holdfast.order.domain.OrderEvent.OrderReacquired;
import io.holdfast.order.domain.OrderEvent.OrderRefunded;
import io.holdfast.order.domain.OrderEvent.OrderRejected;
import io.holdfast.order.domain.OrderEvent.OrderRequested;
import io.holdfast.order.domain.OrderEvent.PaymentBegun;
import io.holdfast.order.domain.OrderEvent.PaymentClosed;
import io.holdfast.order.domain.OrderEvent.PaymentFoundSurplus;
import io.holdfast.order.domain.OrderEvent.PaymentGivenBack;
import io.holdfast.order.domain.OrderEvent.PaymentReceived;
import io.holdfast.order.domain.OrderEvent.ReacquireFailed;
import io.holdfast.order.domain.OrderEvent.ReacquireStarted;
import io.holdfast.order.domain.OrderEvent.RefundNoted;
import io.holdfast.order.domain.OrderEvent.RefundStarted;
import io.holdfast.order.domain.OrderEvent.ReviewLifted;
import io.holdfast.order.domain.OrderEvent.ReviewOpened;
import io.holdfast.order.domain.OrderFact.BeginPayment;
import io.holdfast.order.domain.OrderFact.Cancel;
import io.holdfast.order.domain.OrderFact.Create;
import io.holdfast.order.domain.OrderFact.Expire;
import io.holdfast.order.domain.OrderFact.PaymentSucceeded;
import io.holdfast.order.domain.OrderFact.RequestRefund;
import io.holdfast.order.domain.OrderPolicies.LatePayment;
import io.holdfast.order.domain.PaymentBook.Standing;
import io.holdfast.reservation.domain.OrderCreateRequested;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The life of one order: asked for, made or turned down by a transaction, paid or cancelled, and perhaps refunded. The transaction decides
 * and this records: that an order exists, is paid or is cancelled is only ever journaled as the known outcome of what was owed.
 *
 * <p>Payments come when they like, in every state. Each is kept as it comes; whether it counts the database decides once it is decided
 * whether there is an order, and what does not count goes back. A payment that may count comes before everything that time or a person
 * wants of the order. How events add up is in {@link OrderFold}.
 */
public final class OrderMachine implements Machine<Order, OrderCommand, OrderEvent, OrderEffect> {

    /** Name of the machine: first part of the persistence id. */
    public static final String NAME = "order";

    /** Payments begun, refunds, and facts that wait under review, that one order remembers. */
    static final int MOST = 100;

    private final OrderPolicies policies;

    /** @param policies how what it owes is attempted, and how long it waits */
    public OrderMachine(OrderPolicies policies) {
        this.policies = Objects.requireNonNull(policies);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Order initial(String entityId) {
        return new None(entityId, PaymentBook.empty(), Optional.empty(), false);
    }

    @Override
    public Order evolve(Order state, OrderEvent event) {
        return OrderFold.evolve(state, event);
    }

    @Override
    public OrderCommand wakeUp() {
        return new WakeUp();
    }

    @Override
    public OrderCommand contradicted(String causeId) {
        return new Contradicted(causeId);
    }

    // ---- decide

    @Override
    public Decision<OrderEvent> decide(Order state, OrderCommand command, Instant now) {
        return switch (state) {
            case UnderReview marked -> decideMarked(marked, command, now);
            case Unmarked plain -> decidePlain(plain, command, now);
        };
    }

    private Decision<OrderEvent> decidePlain(Unmarked state, OrderCommand command, Instant now) {
        return switch (command) {
            case OrderFact fact -> learn(state, fact, now);
            case CreationAnswered(CreationAnswer answer) -> creationAnswered(state, answer);
            case PaymentAnswered(String paymentId, PaymentAnswer answer) -> paymentAnswered(state, paymentId, answer);
            case HoldAnswered(String paymentId, HoldAnswer answer) -> holdAnswered(state, paymentId, answer);
            case ReacquireAnswered(String paymentId, ReacquireAnswer answer) ->
                reacquireAnswered(state, paymentId, answer);
            case PaymentReturned(String paymentId, String reference) ->
                isSurplus(state, paymentId)
                        ? Decision.accept(new PaymentGivenBack(paymentId, reference))
                        : Decision.repeat();
            case MarkAnswered(Optional<String> paidBy) -> markAnswered(state, paidBy);
            case CloseAnswered(Optional<Payment> payment) -> closeAnswered(state, payment, now);
            case CancelAnswered(CancelAnswer answer) -> cancelAnswered(state, answer);
            case RefundAnswered(String refundId, String reference) -> refundAnswered(state, refundId, reference);
            case ContradictionFound found -> contradictionFound(state, found);
            case WakeUp() -> wakeUp(state, now);
            case Contradicted(String causeId) ->
                contradiction(state, causeId, "an event came under a known id with other content");
            case Freeze(String reason) -> freeze(state, reason);
            case Lift _ -> Decision.refuse(NOT_UNDER_REVIEW);
        };
    }

    private Decision<OrderEvent> learn(Unmarked state, OrderFact fact, Instant now) {
        return switch (fact) {
            case Create(OrderCreateRequested request) -> create(state, request);
            case Expire(OrderCreateRequested request) -> expire(state, request, now);
            case PaymentSucceeded(Payment payment) -> paymentSucceeded(state, payment, now);
            case BeginPayment(String paymentId) -> beginPayment(state, paymentId);
            case Cancel(CancelReason reason) -> cancel(state, reason);
            case RequestRefund(OrderRefund refund) -> refund(state, refund);
        };
    }

    private Decision<OrderEvent> create(Unmarked state, OrderCreateRequested request) {
        return switch (state) {
            case None none ->
                none.id().equals(request.reservationId())
                        ? Decision.accept(new OrderRequested(request, Intent.CREATE))
                        : Decision.refuse(OTHER_CONTENT);
            case Asked asked ->
                asked.request().equals(request)
                        ? Decision.repeat()
                        : contradiction(asked, request.messageId(), "the order was asked for with other content");
        };
    }

    private static Decision<OrderEvent> expire(Unmarked state, OrderCreateRequested request, Instant now) {
        if (!request.reservationId().equals(state.id())
                || state.asked().filter(known -> !known.equals(request)).isPresent()) {
            return Decision.refuse(OTHER_CONTENT);
        }
        return switch (state) {
            case None _ ->
                now.isBefore(request.businessDeadline())
                        ? Decision.refuse(DEADLINE_NOT_REACHED)
                        : Decision.accept(new OrderRequested(request, Intent.REJECT_OVERDUE));
            case Requested requested ->
                switch (requested.intent()) {
                    case REJECT_OVERDUE -> Decision.repeat();
                    case CREATE ->
                        now.isBefore(request.businessDeadline())
                                ? Decision.refuse(DEADLINE_NOT_REACHED)
                                : Decision.accept(new DeadlineReached());
                };
            case Rejected _ -> Decision.repeat();
            case Existing _ -> Decision.refuse(ALREADY_CREATED);
        };
    }

    private Decision<OrderEvent> paymentSucceeded(Unmarked state, Payment payment, Instant now) {
        PaymentBook payments = state.payments();
        if (payments.contradicts(payment)) {
            return contradiction(
                    state, payment.paymentId(), "a payment came under a known id or transaction with other content");
        }
        if (payments.find(payment.paymentId()).isPresent()) {
            return Decision.repeat();
        }
        if (payments.isFull()) {
            return Decision.refuse(TOO_MANY_PAYMENTS);
        }
        PaymentReceived received = new PaymentReceived(payment);
        return switch (state) {
            // Payments that wait for an order wait together: until the latest of them has waited long enough.
            case None _ -> Decision.accept(received, new OrderAwaited(now.plus(policies.lookForOrder())));
            case Asked _ -> Decision.accept(received);
        };
    }

    private static Decision<OrderEvent> beginPayment(Unmarked state, String paymentId) {
        return switch (state) {
            case Created _ -> Decision.accept(new PaymentBegun(paymentId));
            case Paying paying -> {
                if (paying.begun().contains(paymentId)) {
                    yield Decision.repeat();
                }
                yield paying.begun().size() < MOST
                        ? Decision.accept(new PaymentBegun(paymentId))
                        : Decision.refuse(TOO_MANY_PAYMENTS);
            }
            case None _, Requested _, CancelPending _, Cancelled _, Rejected _, Bought _ ->
                Decision.refuse(notPayable(state));
        };
    }

    private static OrderRefusal notPayable(Unmarked state) {
        return switch (state) {
            case None _ -> UNKNOWN_ORDER;
            case Requested _ -> NOT_CREATED_YET;
            case CancelPending _ -> CANCEL_IN_PROGRESS;
            case Cancelled _ -> WAS_CANCELLED;
            case Rejected _ -> WAS_REJECTED;
            case Bought _ -> ALREADY_PAID;
            case Created _, Paying _ -> throw new IllegalStateException("payable: " + state.status());
        };
    }

    private static Decision<OrderEvent> cancel(Unmarked state, CancelReason reason) {
        return switch (state) {
            case None _ -> Decision.refuse(UNKNOWN_ORDER);
            case Requested s -> s.cancel().isPresent() ? Decision.repeat() : Decision.accept(new CancelNoted(reason));
            case Created s -> cancelUnpaid(s, s.cancel(), reason);
            case Paying s -> cancelUnpaid(s, s.cancel(), reason);
            case CancelPending _, Cancelled _ -> Decision.repeat();
            case Rejected _ -> Decision.refuse(WAS_REJECTED);
            case Bought _ -> Decision.refuse(ALREADY_PAID);
        };
    }

    private static Decision<OrderEvent> cancelUnpaid(
            Existing state, Optional<CancelReason> noted, CancelReason reason) {
        if (noted.isPresent()) {
            return Decision.repeat();
        }
        return Decision.accept(state.payments().hasReceived() ? new CancelNoted(reason) : new CancelStarted(reason));
    }

    // ---- refunds

    private static Decision<OrderEvent> refund(Unmarked state, OrderRefund refund) {
        return switch (state) {
            case None _ -> Decision.refuse(UNKNOWN_ORDER);
            case Requested _, Created _, Paying _, CancelPending _ -> Decision.refuse(NOT_PAID);
            case Cancelled _ -> Decision.refuse(WAS_CANCELLED);
            case Rejected _ -> Decision.refuse(WAS_REJECTED);
            case Bought bought -> {
                Optional<OrderRefund> known = known(bought, refund.refundId());
                if (known.isPresent()) {
                    yield known.get().equals(refund) ? Decision.repeat() : Decision.refuse(REFUND_ID_REUSED);
                }
                Optional<OrderRefusal> no = unfit(bought, refund);
                if (no.isPresent()) {
                    yield Decision.refuse(no.get());
                }
                yield switch (bought) {
                    case Paid _ -> Decision.accept(new RefundStarted(refund));
                    case Refunding _ -> Decision.accept(new RefundNoted(refund));
                    case Refunded _ -> throw new IllegalStateException("a refund fits where nothing is left");
                };
            }
        };
    }

    private static Optional<OrderRefund> known(Bought state, String refundId) {
        return refunds(state)
                .filter(refund -> refund.refundId().equals(refundId))
                .findFirst();
    }

    /** Done, being done, and waiting. */
    private static Stream<OrderRefund> refunds(Bought state) {
        Stream<OrderRefund> done = state.purchase().refunds().stream();
        return switch (state) {
            case Paid _, Refunded _ -> done;
            case Refunding s ->
                Stream.of(done, Stream.of(s.refund()), s.noted().stream()).flatMap(all -> all);
        };
    }

    private static Optional<OrderRefusal> unfit(Bought state, OrderRefund refund) {
        Money paid = payment(state).amount();
        if (!paid.currency().equals(refund.amount().currency())) {
            return Optional.of(REFUND_CURRENCY);
        }
        long units = refunds(state).mapToLong(OrderRefund::units).sum();
        long money = refunds(state).mapToLong(other -> other.amount().minor()).sum();
        if (refund.units() > state.request().quantity() - units
                || refund.amount().minor() > paid.minor() - money) {
            return Optional.of(REFUND_EXCEEDS);
        }
        return refunds(state).count() < MOST ? Optional.empty() : Optional.of(TOO_MANY_REFUNDS);
    }

    private static Payment payment(Bought state) {
        return state.payments()
                .find(state.purchase().paymentId())
                .map(PaymentBook.Entry::payment)
                .orElseThrow(() -> new IllegalStateException("order " + state.id() + " lost its payment"));
    }

    // ---- outcomes: one of something no longer owed is old news

    private Decision<OrderEvent> creationAnswered(Unmarked state, CreationAnswer answer) {
        return switch (state) {
            case Requested requested ->
                settled(
                        requested,
                        switch (answer) {
                            case CreationAnswer.Made(Instant createdAt, Instant payBy) ->
                                new OrderCreated(createdAt, payBy);
                            case CreationAnswer.Turned(RejectReason reason) -> new OrderRejected(reason);
                        });
            case None _, Existing _, Rejected _ -> Decision.repeat();
        };
    }

    private Decision<OrderEvent> paymentAnswered(Unmarked state, String paymentId, PaymentAnswer answer) {
        if (!state.payments().isReceived(paymentId) || !recordsPayments(state)) {
            return Decision.repeat();
        }
        return switch (answer) {
            case PaymentAnswer.IsSurplus(SurplusReason reason) ->
                settled(
                        state,
                        comesBackFor(state, reason)
                                ? new ReacquireStarted(paymentId)
                                : new PaymentFoundSurplus(paymentId, reason));
            case PaymentAnswer.Settles() ->
                switch (state) {
                    case Created _, Paying _, CancelPending _ -> settled(state, new OrderPaid(paymentId));
                    case None _, Requested _, Cancelled _, Rejected _, Bought _ ->
                        review("a payment settled an order that it can't settle", Map.of("payment_id", paymentId));
                };
        };
    }

    /** For one payment at a time: of several late ones the first may have it. */
    private boolean comesBackFor(Unmarked state, SurplusReason reason) {
        return policies.late() == LatePayment.REACQUIRE
                && state instanceof Cancelled
                && reason == SurplusReason.ORDER_CANCELLED
                && !state.payments().hasReacquiring();
    }

    private static Decision<OrderEvent> holdAnswered(Unmarked state, String paymentId, HoldAnswer answer) {
        return state.payments()
                .reacquiring(paymentId)
                .filter(standing -> standing.hold().isEmpty())
                .map(_ -> Decision.<OrderEvent>accept(
                        switch (answer) {
                            case HoldAnswer.Held(String reservationId) -> new HoldTakenAgain(paymentId, reservationId);
                            case HoldAnswer.NotHeld(String reason) ->
                                new ReacquireFailed(paymentId, Optional.empty(), reason);
                        }))
                .orElseGet(Decision::repeat);
    }

    private static Decision<OrderEvent> reacquireAnswered(Unmarked state, String paymentId, ReacquireAnswer answer) {
        return state.payments()
                .reacquiring(paymentId)
                .flatMap(Standing.Reacquiring::hold)
                .map(hold -> Decision.<OrderEvent>accept(
                        switch (answer) {
                            case ReacquireAnswer.Taken() -> new OrderReacquired(paymentId, hold);
                            case ReacquireAnswer.Turned(RejectReason reason) ->
                                new ReacquireFailed(paymentId, Optional.of(hold), reason.name());
                        }))
                .orElseGet(Decision::repeat);
    }

    private static boolean isSurplus(Unmarked state, String paymentId) {
        return state.payments()
                .find(paymentId)
                .filter(entry -> entry.standing() instanceof Standing.Surplus)
                .isPresent();
    }

    private Decision<OrderEvent> markAnswered(Unmarked state, Optional<String> paidBy) {
        return awaited(state, CancelStep.MARK)
                .map(pending -> paidBy.map(paymentId -> foundPaid(pending, paymentId))
                        .orElseGet(() -> Decision.accept(new CancelMarked())))
                .orElseGet(Decision::repeat);
    }

    private Decision<OrderEvent> closeAnswered(Unmarked state, Optional<Payment> payment, Instant now) {
        return awaited(state, CancelStep.CLOSE)
                .map(pending -> payment.map(paid -> providerHas(pending, paid, now))
                        .orElseGet(() -> Decision.accept(new PaymentClosed())))
                .orElseGet(Decision::repeat);
    }

    /** A payment that is known to pay nothing is no reason to keep the order. */
    private Decision<OrderEvent> providerHas(CancelPending state, Payment payment, Instant now) {
        return !state.payments().contradicts(payment) && isSpent(state, payment.paymentId())
                ? Decision.accept(new PaymentClosed())
                : paymentSucceeded(state, payment, now);
    }

    private static boolean isSpent(Unmarked state, String paymentId) {
        return state.payments().find(paymentId).isPresent() && !state.payments().isReceived(paymentId);
    }

    private Decision<OrderEvent> cancelAnswered(Unmarked state, CancelAnswer answer) {
        return awaited(state, CancelStep.CANCEL)
                .map(pending -> switch (answer) {
                    case CancelAnswer.Done(Instant at) -> settled(pending, new OrderCancelled(at));
                    case CancelAnswer.FoundPaid(String paymentId) -> foundPaid(pending, paymentId);
                })
                .orElseGet(Decision::repeat);
    }

    private static Optional<CancelPending> awaited(Unmarked state, CancelStep step) {
        return state instanceof CancelPending pending && pending.step() == step
                ? Optional.of(pending)
                : Optional.empty();
    }

    private Decision<OrderEvent> foundPaid(CancelPending state, String paymentId) {
        return state.payments().isReceived(paymentId)
                ? settled(state, new OrderPaid(paymentId))
                : review("the order is paid by a payment it does not know", Map.of("payment_id", paymentId));
    }

    private Decision<OrderEvent> refundAnswered(Unmarked state, String refundId, String reference) {
        return state instanceof Refunding refunding
                        && refunding.refund().refundId().equals(refundId)
                ? settled(refunding, new OrderRefunded(refunding.refund(), reference))
                : Decision.repeat();
    }

    private Decision<OrderEvent> contradictionFound(Unmarked state, ContradictionFound found) {
        return owes(state, found.operationId()).isPresent()
                ? review(found.operationId() + " was answered " + found.answer(), found.evidence())
                : Decision.repeat();
    }

    private static Decision<OrderEvent> review(String reason, Map<String, String> evidence) {
        return Decision.accept(new ReviewOpened(new Review(Review.Trigger.CONTRADICTION, reason, evidence)));
    }

    private Decision<OrderEvent> contradiction(Unmarked state, String id, String reason) {
        return rests(state)
                ? Decision.accept(new ContradictionNoticed(id))
                : Decision.accept(new ReviewOpened(new Review(Review.Trigger.OTHER_CONTENT, reason, Map.of("id", id))));
    }

    private static Decision<OrderEvent> wakeUp(Unmarked state, Instant now) {
        return switch (state) {
            case None none ->
                waitsForOrder(none)
                                && none.lookUntil()
                                        .filter(until -> !now.isBefore(until))
                                        .isPresent()
                        ? Decision.accept(new OrderNotFound())
                        : Decision.repeat();
            case Created created -> payTimeout(created, now);
            case Paying paying -> payTimeout(paying, now);
            case Requested _, CancelPending _, Cancelled _, Rejected _, Bought _ -> Decision.repeat();
        };
    }

    private static boolean waitsForOrder(None state) {
        return !state.unclaimed() && state.payments().hasReceived();
    }

    /** A payment that came is put on record first; the cancellation begins only if it does not count. */
    private static Decision<OrderEvent> payTimeout(Existing state, Instant now) {
        return now.isBefore(state.placed().payBy()) || state.payments().hasReceived()
                ? Decision.repeat()
                : Decision.accept(new CancelStarted(CancelReason.PAY_TIMEOUT));
    }

    private Decision<OrderEvent> freeze(Unmarked state, String reason) {
        if (state instanceof None none && none.payments().isEmpty()) {
            return Decision.refuse(UNKNOWN_ORDER);
        }
        return rests(state)
                ? Decision.refuse(ALREADY_ENDED)
                : Decision.accept(new ReviewOpened(new Review(Review.Trigger.FROZEN, reason, Map.of())));
    }

    /** Whether it has ended and owes nothing. */
    private boolean rests(Unmarked state) {
        return switch (state) {
            case Cancelled _, Rejected _, Refunded _ -> owe(state).isNothing();
            case None _, Requested _, Created _, Paying _, CancelPending _, Paid _, Refunding _ -> false;
        };
    }

    // ---- decide, under review

    private Decision<OrderEvent> decideMarked(UnderReview marked, OrderCommand command, Instant now) {
        return switch (command) {
            case OrderFact fact -> learnMarked(marked, fact, now);
            // Nothing is owed, so nothing is awaited; it is asked for again when the mark is lifted.
            case CreationAnswered _,
                    PaymentAnswered _,
                    HoldAnswered _,
                    ReacquireAnswered _,
                    PaymentReturned _,
                    MarkAnswered _,
                    CloseAnswered _,
                    CancelAnswered _,
                    RefundAnswered _,
                    ContradictionFound _,
                    WakeUp _ -> Decision.repeat();
            case Contradicted(String causeId) -> noticed(marked, causeId);
            case Freeze _ -> Decision.repeat();
            case Lift(Resolution resolution, String reason) -> lift(marked, resolution, reason, now);
        };
    }

    private Decision<OrderEvent> learnMarked(UnderReview marked, OrderFact fact, Instant now) {
        if (marked.noted().contains(fact)) {
            return Decision.repeat();
        }
        Decision<OrderEvent> plain = learn(marked.state(), fact, now);
        return switch (plain) {
            case Decision.Repeat<OrderEvent> _, Decision.Refuse<OrderEvent> _ -> plain;
            case Decision.Accept<OrderEvent>(List<OrderEvent> events) -> {
                if (events.getFirst() instanceof ReviewOpened(Review again)) {
                    yield noticed(marked, again.evidence().getOrDefault("id", ""));
                }
                yield switch (fact) {
                    case PaymentSucceeded _ -> plain;
                    case BeginPayment _ -> Decision.refuse(UNDER_REVIEW);
                    case Create _, Expire _, Cancel _, RequestRefund _ ->
                        events.getFirst() instanceof ContradictionNoticed ? plain : noting(marked, fact);
                };
            }
        };
    }

    private static Decision<OrderEvent> noting(UnderReview marked, OrderFact fact) {
        return marked.noted().size() < MOST ? Decision.accept(new FactNoted(fact)) : Decision.refuse(UNDER_REVIEW);
    }

    private static Decision<OrderEvent> noticed(UnderReview marked, String id) {
        return id.equals(marked.review().evidence().get("id"))
                ? Decision.repeat()
                : Decision.accept(new ContradictionNoticed(id));
    }

    private Decision<OrderEvent> lift(UnderReview marked, Resolution resolution, String reason, Instant now) {
        if (resolution instanceof Resolution.SettledOutside(String operationId, var _)
                && owes(marked.state(), operationId)
                        .filter(OrderMachine::movesMoney)
                        .isEmpty()) {
            return Decision.refuse(RESOLUTION_NOT_ALLOWED);
        }
        List<OrderEvent> events = new ArrayList<>();
        Unmarked state = happened(marked, new ReviewLifted(resolution, reason), events);
        List<OrderFact> waiting = new ArrayList<>(marked.noted());
        while (!waiting.isEmpty()) {
            List<OrderEvent> learned = learn(state, waiting.removeFirst(), now).events();
            if (!learned.isEmpty() && learned.getFirst() instanceof ReviewOpened) {
                // Two of them contradict each other: the mark is set again, and the others wait on.
                events.addAll(learned);
                waiting.stream().map(FactNoted::new).forEach(events::add);
                return new Decision.Accept<>(events);
            }
            for (OrderEvent event : learned) {
                state = happened(state, event, events);
            }
        }
        followUp(state).ifPresent(events::add);
        return new Decision.Accept<>(events);
    }

    private static boolean movesMoney(OrderEffect effect) {
        return switch (effect) {
            case ReturnPayment s -> s.settledOutside().isEmpty();
            case RefundOrder s -> s.settledOutside().isEmpty();
            case CreateOrder _,
                    RejectOverdue _,
                    RecordPayment _,
                    HoldAgain _,
                    ReacquireOrder _,
                    MarkCancelPending _,
                    ClosePayment _,
                    CancelOrder _ -> false;
        };
    }

    // ---- what waited

    /** An outcome, and what waited for it. */
    private static Decision<OrderEvent> settled(Unmarked before, OrderEvent outcome) {
        List<OrderEvent> events = new ArrayList<>();
        Unmarked state = happened(before, outcome, events);
        if (before instanceof Refunding refunding
                && state instanceof Paid
                && !refunding.noted().isEmpty()) {
            events.add(new RefundStarted(refunding.noted().getFirst()));
            refunding.noted().stream().skip(1).map(RefundNoted::new).forEach(events::add);
        }
        followUp(state).ifPresent(events::add);
        return new Decision.Accept<>(events);
    }

    /** A cancellation that waited begins when no payment can be what it waited for. */
    private static Optional<OrderEvent> followUp(Unmarked state) {
        Optional<CancelReason> noted = switch (state) {
            case Created s -> s.cancel();
            case Paying s -> s.cancel();
            case None _, Requested _, CancelPending _, Cancelled _, Rejected _, Bought _ -> Optional.empty();
        };
        return noted.filter(_ -> !state.payments().hasReceived()).map(CancelStarted::new);
    }

    private static Unmarked happened(Order state, OrderEvent event, List<OrderEvent> events) {
        events.add(event);
        return OrderFold.evolve(state, event).unmarked();
    }

    // ---- owe

    @Override
    public Owed<OrderEffect> owe(Order state) {
        return switch (state) {
            case UnderReview _ -> Owed.nothing();
            case Unmarked plain -> {
                List<OrderEffect> effects = new ArrayList<>();
                step(plain).ifPresent(effects::add);
                for (PaymentBook.Entry entry : plain.payments().entries()) {
                    aboutPayment(plain, entry).ifPresent(effects::add);
                }
                yield new Owed<>(effects, wakeAt(plain));
            }
        };
    }

    private Optional<OrderEffect> step(Unmarked state) {
        return switch (state) {
            case Requested s ->
                Optional.of(
                        switch (s.intent()) {
                            case CREATE -> new CreateOrder(s.request(), policies.payWithin(), policies.transaction());
                            case REJECT_OVERDUE -> new RejectOverdue(s.request(), policies.transaction());
                        });
            // Positive evidence first: while a payment may pay the order, nothing is done to cancel it.
            case CancelPending s ->
                s.payments().hasReceived()
                        ? Optional.empty()
                        : Optional.of(
                                switch (s.step()) {
                                    case MARK -> new MarkCancelPending(s.id(), policies.transaction());
                                    case CLOSE -> new ClosePayment(s.id(), policies.provider());
                                    case CANCEL -> new CancelOrder(s.id(), policies.transaction());
                                });
            case Refunding s ->
                Optional.of(new RefundOrder(s.id(), s.refund(), payment(s), s.settledOutside(), policies.provider()));
            case None _, Created _, Paying _, Cancelled _, Rejected _, Paid _, Refunded _ -> Optional.empty();
        };
    }

    private Optional<OrderEffect> aboutPayment(Unmarked state, PaymentBook.Entry entry) {
        return switch (entry.standing()) {
            case Standing.Received() ->
                recordsPayments(state)
                        ? Optional.of(new RecordPayment(state.id(), entry.payment(), policies.transaction()))
                        : Optional.empty();
            case Standing.Reacquiring(Optional<String> hold) -> Optional.of(comingBack(state, entry.payment(), hold));
            case Standing.Surplus(var _, Optional<String> settledOutside) ->
                Optional.of(new ReturnPayment(state.id(), entry.payment(), settledOutside, policies.provider()));
            case Standing.Settled _, Standing.GivenBack _ -> Optional.empty();
        };
    }

    private OrderEffect comingBack(Unmarked state, Payment payment, Optional<String> hold) {
        return hold.<OrderEffect>map(
                        reservation -> new ReacquireOrder(state.id(), payment, reservation, policies.transaction()))
                .orElseGet(() -> new HoldAgain(
                        state.asked().orElseThrow(() -> new IllegalStateException(state.id() + " was never asked for")),
                        payment.paymentId(),
                        policies.transaction()));
    }

    /** Before it is decided whether there is an order, it can't be told what a payment is. */
    private static boolean recordsPayments(Unmarked state) {
        return switch (state) {
            case None none -> none.unclaimed();
            case Requested _ -> false;
            case Existing _, Rejected _ -> true;
        };
    }

    private static Optional<Instant> wakeAt(Unmarked state) {
        return switch (state) {
            case None none -> waitsForOrder(none) ? none.lookUntil() : Optional.empty();
            case Created s -> unlessPaymentCame(s);
            case Paying s -> unlessPaymentCame(s);
            case Requested _, CancelPending _, Cancelled _, Rejected _, Bought _ -> Optional.empty();
        };
    }

    private static Optional<Instant> unlessPaymentCame(Existing state) {
        return state.payments().hasReceived()
                ? Optional.empty()
                : Optional.of(state.placed().payBy());
    }

    private Optional<OrderEffect> owes(Unmarked state, String operationId) {
        return owe(state).effects().stream()
                .filter(effect -> effect.operationId().equals(operationId))
                .findFirst();
    }

    /** Operation that carries out the refund of this state. */
    static String refundOperation(Refunding state) {
        return "REFUND:" + state.id() + ":" + state.refund().refundId();
    }

    /** Operation that gives this payment back. */
    static String returnOperation(Payment payment) {
        return "RETURN:" + payment.paymentId();
    }

    // ---- verdict

    @Override
    public Verdict verdict(Order state, OrderCommand command) {
        return switch (command) {
            case OrderFact fact ->
                state instanceof UnderReview marked && marked.noted().contains(fact)
                        ? Verdict.pending()
                        : verdict(state.unmarked(), fact);
            case CreationAnswered _,
                    PaymentAnswered _,
                    HoldAnswered _,
                    ReacquireAnswered _,
                    PaymentReturned _,
                    MarkAnswered _,
                    CloseAnswered _,
                    CancelAnswered _,
                    RefundAnswered _,
                    ContradictionFound _,
                    WakeUp _,
                    Contradicted _,
                    Freeze _,
                    Lift _ -> Verdict.done();
        };
    }

    private static Verdict verdict(Unmarked state, OrderFact fact) {
        return switch (fact) {
            case Create(OrderCreateRequested request) -> verdictOnCreate(state, request);
            case Expire(OrderCreateRequested request) -> verdictOnExpire(state, request);
            case PaymentSucceeded(Payment payment) -> {
                if (state.payments().contradicts(payment)) {
                    yield Verdict.refused(OTHER_CONTENT);
                }
                // Taken over is all that whoever brought it has to know.
                yield state.payments().find(payment.paymentId()).isPresent() ? Verdict.done() : Verdict.pending();
            }
            case BeginPayment(String paymentId) ->
                switch (state) {
                    case Created _ -> Verdict.pending();
                    case Paying s -> s.begun().contains(paymentId) ? Verdict.done() : Verdict.pending();
                    case None _, Requested _, CancelPending _, Cancelled _, Rejected _, Bought _ ->
                        Verdict.refused(notPayable(state));
                };
            case Cancel _ ->
                switch (state) {
                    case None _ -> Verdict.refused(UNKNOWN_ORDER);
                    case Requested _, Created _, Paying _, CancelPending _ -> Verdict.pending();
                    case Cancelled _ -> Verdict.done();
                    case Rejected _ -> Verdict.refused(WAS_REJECTED);
                    case Bought _ -> Verdict.refused(ALREADY_PAID);
                };
            case RequestRefund(OrderRefund refund) -> verdictOnRefund(state, refund);
        };
    }

    private static Verdict verdictOnCreate(Unmarked state, OrderCreateRequested request) {
        if (state.asked().filter(known -> !known.equals(request)).isPresent()) {
            return Verdict.refused(OTHER_CONTENT);
        }
        return switch (state) {
            case None _, Requested _ -> Verdict.pending();
            case Rejected s -> Verdict.refused(OrderRefusal.of(s.reason()));
            case Existing _ -> Verdict.done();
        };
    }

    private static Verdict verdictOnExpire(Unmarked state, OrderCreateRequested request) {
        if (state.asked().filter(known -> !known.equals(request)).isPresent()) {
            return Verdict.refused(OTHER_CONTENT);
        }
        return switch (state) {
            case None _, Requested _ -> Verdict.pending();
            case Rejected _ -> Verdict.done();
            case Existing _ -> Verdict.refused(ALREADY_CREATED);
        };
    }

    private static Verdict verdictOnRefund(Unmarked state, OrderRefund refund) {
        return switch (state) {
            case None _ -> Verdict.refused(UNKNOWN_ORDER);
            case Requested _, Created _, Paying _, CancelPending _ -> Verdict.refused(NOT_PAID);
            case Cancelled _ -> Verdict.refused(WAS_CANCELLED);
            case Rejected _ -> Verdict.refused(WAS_REJECTED);
            case Bought bought ->
                known(bought, refund.refundId())
                        .map(known -> verdictOnKnown(bought, known, refund))
                        .orElseGet(() ->
                                unfit(bought, refund).map(Verdict::refused).orElseGet(Verdict::pending));
        };
    }

    private static Verdict verdictOnKnown(Bought state, OrderRefund known, OrderRefund asked) {
        if (!known.equals(asked)) {
            return Verdict.refused(REFUND_ID_REUSED);
        }
        return state.purchase().refunds().contains(known) ? Verdict.done() : Verdict.pending();
    }
}
