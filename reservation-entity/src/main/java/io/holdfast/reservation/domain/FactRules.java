package io.holdfast.reservation.domain;

import static io.holdfast.reservation.domain.ReservationRefusal.NOTHING_HELD;
import static io.holdfast.reservation.domain.ReservationRefusal.ORDER_ALREADY_CREATED;
import static io.holdfast.reservation.domain.ReservationRefusal.ORDER_ALREADY_FAILED;
import static io.holdfast.reservation.domain.ReservationRefusal.ORDER_EXCEEDS_HOLD;
import static io.holdfast.reservation.domain.ReservationRefusal.ORDER_QUANTITY_CONFLICT;
import static io.holdfast.reservation.domain.ReservationRefusal.OTHER_ORDER;
import static io.holdfast.reservation.domain.ReservationRefusal.REFUND_EXCEEDS;
import static io.holdfast.reservation.domain.ReservationRefusal.REFUND_ID_REUSED;

import io.holdfast.reservation.domain.Fact.OrderCanceled;
import io.holdfast.reservation.domain.Fact.OrderCreated;
import io.holdfast.reservation.domain.Fact.OrderCreatedFailed;
import io.holdfast.reservation.domain.Fact.RefundRequested;
import io.holdfast.reservation.domain.OrderType.InstantOrder;
import io.holdfast.reservation.domain.OrderType.ScheduledOrder;
import io.holdfast.reservation.domain.Reservation.Accounted;
import io.holdfast.reservation.domain.Reservation.Canceled;
import io.holdfast.reservation.domain.Reservation.Canceling;
import io.holdfast.reservation.domain.Reservation.Confirmed;
import io.holdfast.reservation.domain.Reservation.Confirming;
import io.holdfast.reservation.domain.Reservation.CreatedReserved;
import io.holdfast.reservation.domain.Reservation.None;
import io.holdfast.reservation.domain.Reservation.Origin;
import io.holdfast.reservation.domain.Reservation.Preparing;
import io.holdfast.reservation.domain.Reservation.Refunded;
import io.holdfast.reservation.domain.Reservation.Refunding;
import io.holdfast.reservation.domain.Reservation.Rejected;
import io.holdfast.reservation.domain.Reservation.Reserved;
import io.holdfast.reservation.domain.Reservation.Unmarked;
import io.holdfast.reservation.domain.ReservationEvent.ConfirmScheduled;
import io.holdfast.reservation.domain.ReservationEvent.ConfirmStarted;
import io.holdfast.reservation.domain.ReservationEvent.FactNoted;
import io.holdfast.reservation.domain.ReservationEvent.RefundStarted;
import io.holdfast.reservation.domain.ReservationEvent.ReleaseStarted;
import io.holdfast.reservation.domain.ReservationEvent.TombstoneSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What each fact of the order domain means in each state. In every rule: repeat, then conflict of content, then phase, then capacity.
 *
 * <p>Of OrderCreated and OrderCreatedFailed the first wins. OrderCanceled and RefundRequested imply OrderCreated. A fact of another order
 * than the reservation's moves nothing; one that comes before it is known which order the request will be of waits for that.
 */
final class FactRules {

    /** Refused facts that one reservation remembers. */
    static final int MOST_REFUSALS = 100;

    private FactRules() {}

    /** What a fact means. */
    sealed interface Ruling {
        /** It is news; this follows. */
        record Follows(ReservationEvent event) implements Ruling {}

        /**
         * It is known.
         *
         * @param settled whether what it asks for has come about
         */
        record Known(boolean settled) implements Ruling {}

        /**
         * It moves nothing.
         *
         * @param recorded whether the refusal is in the journal already, or stays out of it
         */
        record Refused(ReservationRefusal reason, boolean recorded) implements Ruling {}
    }

    /** @param fact as {@link #named} */
    static Ruling rule(Unmarked state, Fact fact) {
        return state.refusedFacts().stream()
                .filter(refused -> sameNews(refused.fact(), fact))
                .findFirst()
                .<Ruling>map(refused -> new Ruling.Refused(refused.reason(), true))
                .orElseGet(() -> recordedWithinLimit(state, ruleAnew(state, fact)));
    }

    /** The same but for words meant for people: who repeats news with a new reason each time has told nothing new. */
    private static boolean sameNews(Fact one, Fact other) {
        return switch (one) {
            case OrderCreatedFailed failed ->
                other instanceof OrderCreatedFailed again && failed.orderId().equals(again.orderId());
            case OrderCanceled canceled ->
                other instanceof OrderCanceled again && canceled.orderId().equals(again.orderId());
            case OrderCreated _, RefundRequested _ -> one.equals(other);
        };
    }

    /** What is refused past the limit is refused all the same, and leaves no trace: no caller may grow an entity without end. */
    private static Ruling recordedWithinLimit(Unmarked state, Ruling ruling) {
        return ruling instanceof Ruling.Refused(ReservationRefusal reason, var _)
                        && state.refusedFacts().size() >= MOST_REFUSALS
                ? new Ruling.Refused(reason, true)
                : ruling;
    }

    /** The fact with the order it means, where that is known. */
    static Fact named(Reservation state, Fact fact) {
        return state.order().map(fact::ofOrder).orElse(fact);
    }

    /** Whether it names another order than this one. */
    static boolean isOfOther(Fact fact, String orderId) {
        return fact.order().filter(named -> !named.equals(orderId)).isPresent();
    }

    private static Ruling ruleAnew(Unmarked state, Fact fact) {
        boolean ofOther = state.order().filter(order -> isOfOther(fact, order)).isPresent();
        if (ofOther) {
            return state instanceof None none ? waiting(none.noted(), fact) : refused(OTHER_ORDER);
        }
        return switch (fact) {
            case OrderCreated created -> created(state, created);
            case OrderCreatedFailed failed -> failed(state, failed);
            case OrderCanceled canceled -> canceled(state, canceled);
            case RefundRequested requested -> refund(state, requested);
        };
    }

    /** Of another order than the first news: which of them is the reservation's, the request will say. */
    private static Ruling waiting(List<Fact> noted, Fact fact) {
        List<Fact> ofSame = noted.stream()
                .filter(other -> other.order().equals(fact.order()))
                .toList();
        return undecided(ofSame, fact, Optional.empty());
    }

    /** Before it is known whether anything is held. */
    private static Ruling undecided(List<Fact> noted, Fact fact, Optional<Long> asked) {
        return switch (fact) {
            case OrderCreatedFailed _ -> {
                if (failureNoted(noted)) {
                    yield known(false);
                }
                yield noted.isEmpty() ? follows(new FactNoted(fact)) : refused(ORDER_ALREADY_CREATED);
            }
            case OrderCreated created ->
                failureNoted(noted) ? refused(ORDER_ALREADY_FAILED) : notedCreation(noted, created, asked);
            case OrderCanceled canceled ->
                failureNoted(noted) ? refused(ORDER_ALREADY_FAILED) : notedCancel(noted, canceled);
            case RefundRequested requested ->
                failureNoted(noted) ? refused(ORDER_ALREADY_FAILED) : notedRefund(noted, requested);
        };
    }

    private static Ruling undecided(Preparing state, Fact fact) {
        return undecided(state.noted(), fact, Optional.of(state.claim().terms().quantity()));
    }

    // ---- OrderCreated

    private static Ruling created(Unmarked state, OrderCreated fact) {
        return switch (state) {
            case None none -> notedCreation(none.noted(), fact, Optional.empty());
            case Preparing preparing -> undecided(preparing, fact);
            case Reserved reserved -> {
                long held = reserved.account().held();
                long ordered = fact.quantity().orElse(held);
                yield ordered > held ? refused(ORDER_EXCEEDS_HOLD) : follows(creation(reserved, ordered));
            }
            case CreatedReserved s -> knownCreation(s.account(), fact, true);
            // A scheduled order was settled when its confirmation was scheduled.
            case Confirming s -> knownCreation(s.account(), fact, isScheduled(s.claim()));
            case Confirmed s -> knownCreation(s.account(), fact, true);
            case Refunding s ->
                creationIsOnlyImplied(s)
                        ? notedCreation(s.noted(), fact, Optional.of(s.account().held()))
                        : knownCreation(s.account(), fact, s.origin() != Origin.RESERVED);
            case Refunded s -> knownCreation(s.account(), fact, true);
            case Canceling _ -> refused(ORDER_ALREADY_FAILED);
            case Canceled s -> s.cancellation().afterCreation() ? known(true) : refused(ORDER_ALREADY_FAILED);
            case Rejected _ -> refused(NOTHING_HELD);
        };
    }

    /** A refund began before the order was said to exist, so its quantity may still be named. */
    private static boolean creationIsOnlyImplied(Refunding state) {
        return state.origin() == Origin.RESERVED && !state.refund().id().equals(Refund.SURPLUS);
    }

    private static Ruling notedCreation(List<Fact> noted, OrderCreated fact, Optional<Long> held) {
        Optional<OrderCreated> before = firstCreation(noted);
        if (before.isPresent()) {
            return sameQuantity(before.get(), fact, held) ? known(false) : refused(ORDER_QUANTITY_CONFLICT);
        }
        if (held.isPresent() && fact.quantity().orElse(0) > held.get()) {
            return refused(ORDER_EXCEEDS_HOLD);
        }
        return follows(new FactNoted(fact));
    }

    private static boolean sameQuantity(OrderCreated one, OrderCreated other, Optional<Long> held) {
        if (held.isEmpty()) {
            return one.equals(other);
        }
        return one.quantity().orElse(held.get()) == other.quantity().orElse(held.get());
    }

    private static Ruling knownCreation(Account account, OrderCreated fact, boolean settled) {
        long ordered = fact.quantity().orElse(account.held());
        if (ordered == account.ordered()) {
            return known(settled);
        }
        return refused(ordered > account.held() ? ORDER_EXCEEDS_HOLD : ORDER_QUANTITY_CONFLICT);
    }

    /**
     * How a held reservation goes on once its order exists. Units the order does not want are released by the Confirm itself where that
     * comes next and nothing was refunded; otherwise they go back first, as a refund of their own.
     *
     * @param ordered units the order wants, at least what it has given back already
     */
    static ReservationEvent creation(Reserved state, long ordered) {
        Account account = state.account().ordering(ordered);
        boolean inOneScript = !isScheduled(state.claim()) && account.refunds().isEmpty();
        if (account.surplus() > 0 && !inOneScript) {
            return new RefundStarted(new Refund(Refund.SURPLUS, account.surplus(), true), ordered);
        }
        return switch (state.claim().terms().orderType()) {
            case InstantOrder() -> new ConfirmStarted(ordered);
            case ScheduledOrder(var processingTime) -> new ConfirmScheduled(ordered, processingTime);
        };
    }

    static boolean isScheduled(Claim claim) {
        return switch (claim.terms().orderType()) {
            case InstantOrder() -> false;
            case ScheduledOrder _ -> true;
        };
    }

    // ---- OrderCreatedFailed

    private static Ruling failed(Unmarked state, OrderCreatedFailed fact) {
        return switch (state) {
            case None none ->
                none.noted().isEmpty() ? follows(new TombstoneSet(cancellation(fact))) : refused(ORDER_ALREADY_CREATED);
            case Preparing preparing -> undecided(preparing, fact);
            case Reserved _ -> follows(new ReleaseStarted(cancellation(fact)));
            case CreatedReserved _, Confirming _, Confirmed _, Refunding _, Refunded _ ->
                refused(ORDER_ALREADY_CREATED);
            case Canceling _ -> known(false);
            case Canceled s -> s.cancellation().afterCreation() ? refused(ORDER_ALREADY_CREATED) : known(true);
            // Nothing is held, which is what a failed order wants.
            case Rejected _ -> known(true);
        };
    }

    private static Cancellation cancellation(OrderCreatedFailed fact) {
        return new Cancellation(Cancellation.Cause.ORDER_CREATED_FAILED, fact.order(), fact.reason());
    }

    // ---- OrderCanceled

    private static Ruling canceled(Unmarked state, OrderCanceled fact) {
        return switch (state) {
            case None _ ->
                follows(new TombstoneSet(
                        new Cancellation(Cancellation.Cause.ORDER_CANCELED, fact.order(), fact.reason())));
            case Preparing preparing -> undecided(preparing, fact);
            case Reserved s -> follows(refundOfTheRest(s));
            case CreatedReserved s -> follows(refundOfTheRest(s));
            case Confirming s -> notedCancel(s.noted(), fact);
            case Confirmed s -> follows(refundOfTheRest(s));
            case Refunding s ->
                s.refund().id().equals(Refund.ORDER_CANCELED) ? known(false) : notedCancel(s.noted(), fact);
            case Refunded _ -> known(true);
            case Canceling _ -> refused(ORDER_ALREADY_FAILED);
            case Canceled s -> s.cancellation().afterCreation() ? known(true) : refused(ORDER_ALREADY_FAILED);
            case Rejected _ -> refused(NOTHING_HELD);
        };
    }

    private static Ruling notedCancel(List<Fact> noted, OrderCanceled fact) {
        return noted.stream().anyMatch(OrderCanceled.class::isInstance) ? known(false) : follows(new FactNoted(fact));
    }

    private static ReservationEvent refundOfTheRest(Accounted state) {
        Account account = state.account();
        return new RefundStarted(new Refund(Refund.ORDER_CANCELED, account.remaining(), true), account.ordered());
    }

    // ---- RefundRequested

    private static Ruling refund(Unmarked state, RefundRequested fact) {
        return switch (state) {
            case None _ ->
                follows(new TombstoneSet(new Cancellation(
                        Cancellation.Cause.REFUND_REQUESTED,
                        fact.order(),
                        "refund " + fact.refundId() + " before the request")));
            case Preparing preparing -> undecided(preparing, fact);
            case Reserved s -> newRefund(s.account(), fact);
            case CreatedReserved s -> newRefund(s.account(), fact);
            case Confirming s -> earlierRefund(s.account(), fact).orElseGet(() -> notedRefund(s.noted(), fact));
            case Confirmed s -> newRefund(s.account(), fact);
            case Refunding s -> {
                if (s.refund().id().equals(fact.refundId())) {
                    yield s.refund().equals(fact.refund()) ? known(false) : refused(REFUND_ID_REUSED);
                }
                yield earlierRefund(s.account(), fact).orElseGet(() -> notedRefund(s.noted(), fact));
            }
            case Refunded s -> newRefund(s.account(), fact);
            case Canceling _ -> refused(ORDER_ALREADY_FAILED);
            case Canceled s -> s.cancellation().afterCreation() ? known(true) : refused(ORDER_ALREADY_FAILED);
            case Rejected _ -> refused(NOTHING_HELD);
        };
    }

    private static Ruling newRefund(Account account, RefundRequested fact) {
        return earlierRefund(account, fact)
                .orElseGet(() -> fact.quantity() > account.remaining()
                        ? refused(REFUND_EXCEEDS)
                        : follows(new RefundStarted(fact.refund(), account.ordered())));
    }

    /** What a refund of this id came to, if there was one: done, or refused for ever. */
    private static Optional<Ruling> earlierRefund(Account account, RefundRequested fact) {
        Refund done = account.refunds().get(fact.refundId());
        if (done != null) {
            return Optional.of(done.equals(fact.refund()) ? known(true) : refused(REFUND_ID_REUSED));
        }
        // An id that ended stays ended, even where less would fit.
        if (account.refusedRefunds().containsKey(fact.refundId())) {
            return Optional.of(refused(REFUND_ID_REUSED));
        }
        return Optional.empty();
    }

    private static Ruling notedRefund(List<Fact> noted, RefundRequested fact) {
        Predicate<Fact> sameId = other ->
                other instanceof RefundRequested earlier && earlier.refundId().equals(fact.refundId());
        return noted.stream()
                .filter(sameId)
                .findFirst()
                .map(earlier -> earlier.equals(fact) ? known(false) : refused(REFUND_ID_REUSED))
                .orElseGet(() -> follows(new FactNoted(fact)));
    }

    // ---- what they share

    static Optional<OrderCreated> firstCreation(List<Fact> noted) {
        return noted.stream()
                .filter(OrderCreated.class::isInstance)
                .map(OrderCreated.class::cast)
                .findFirst();
    }

    /** An OrderCreated that no OrderCreatedFailed came before, among the facts of the order that counts: the first, unless one is known. */
    static Optional<OrderCreated> creationThatWins(Unmarked state, List<Fact> noted) {
        Optional<String> order =
                state.order().or(() -> noted.stream().findFirst().flatMap(Fact::order));
        List<Fact> own = noted.stream()
                .filter(fact -> order.filter(known -> isOfOther(fact, known)).isEmpty())
                .toList();
        return firstCreation(own).filter(creation -> !failureNoted(own.subList(0, own.indexOf(creation))));
    }

    private static boolean failureNoted(List<Fact> noted) {
        return noted.stream().anyMatch(OrderCreatedFailed.class::isInstance);
    }

    private static Ruling follows(ReservationEvent event) {
        return new Ruling.Follows(event);
    }

    private static Ruling known(boolean settled) {
        return new Ruling.Known(settled);
    }

    private static Ruling refused(ReservationRefusal reason) {
        return new Ruling.Refused(reason, false);
    }
}
