package io.holdfast.messaging.in;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.machine.EngineRefusal;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.engine.projection.JournalPosition;
import io.holdfast.engine.projection.ParkedEntity;
import io.holdfast.engine.projection.Passage;
import io.holdfast.engine.projection.ProjectionProgress;
import io.holdfast.engine.runtime.Entities;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.messaging.event.Announcement;
import io.holdfast.messaging.event.Announcement.Due;
import io.holdfast.messaging.event.Announcement.OfOrder;
import io.holdfast.messaging.event.Announcement.OrderWanted;
import io.holdfast.messaging.event.RawEvent;
import io.holdfast.order.domain.Order;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.domain.ReservationMachine;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Carries an event to the reservations it concerns. It is done with when each of them has it in its journal, or has refused it there, or
 * when it is parked; until then everything is asked again, so nothing is lost and nothing is done twice: the event's own id is the cause.
 *
 * <p>An event that names nobody is resolved through the view, once that shows everything journaled before the event arrived. If it shows
 * nobody even then, the event is parked.
 */
public final class EventHandling {

    private static final Duration VIEW_PATIENCE = Duration.ofSeconds(5);
    private static final int UNREADABLE_ATTEMPTS = 3;

    private final Entities<Reservation, ReservationCommand> reservations;
    private final Optional<OrderIntake> orders;
    private final OrderReservations ofOrder;
    private final ProjectionProgress view;
    private final ParkedStore parked;
    private final Permits permits;
    private final Persistence persistence;
    private final MessagingListener listener;

    /**
     * @param orders takes requests for orders; empty where this fleet makes none
     * @param permits how many reservations are asked at a time
     */
    public EventHandling(
            Entities<Reservation, ReservationCommand> reservations,
            Optional<OrderIntake> orders,
            OrderReservations ofOrder,
            ProjectionProgress view,
            ParkedStore parked,
            Permits permits,
            Persistence persistence,
            MessagingListener listener) {
        this.reservations = reservations;
        this.orders = orders;
        this.ofOrder = ofOrder;
        this.view = view;
        this.parked = parked;
        this.permits = permits;
        this.persistence = persistence;
        this.listener = listener;
    }

    /** The same, with a persistence that can be stopped on its own. */
    Attempt attempt() {
        Persistence own = persistence.another();
        return new Attempt(new EventHandling(reservations, orders, ofOrder, view, parked, permits, own, listener), own);
    }

    /**
     * One attempt that may be given up.
     *
     * @param handling delivers
     * @param persistence to be stopped when the attempt is over
     */
    record Attempt(EventHandling handling, Persistence persistence) {}

    /** How an event ended. */
    public sealed interface Ending {
        /** Every reservation it concerns has it. */
        record Delivered(int reservations) implements Ending {}

        /** It waits. */
        record Parked(String reason) implements Ending {}
    }

    /**
     * Delivers the event or parks it.
     *
     * @return completes when it is safe to forget the event; exceptionally only when messaging stops
     */
    public CompletionStage<Ending> handle(RawEvent raw, Announcement announcement) {
        return deliver(announcement).thenCompose(ending -> switch (ending) {
            case Ending.Delivered _ -> done(ending);
            case Ending.Parked(String reason) ->
                persistence
                        .insist(Whom.PARKED_EVENTS, () -> parked.park(raw, announcement, reason))
                        .thenApply(before -> {
                            if (!before) {
                                listener.parked(raw, reason);
                            }
                            return ending;
                        });
        });
    }

    /** Delivers the event, or says why it has to wait. */
    CompletionStage<Ending> deliver(Announcement announcement) {
        return switch (announcement) {
            case OrderWanted wanted ->
                orders.map(intake -> want(intake, wanted))
                        .orElseGet(() -> done(new Ending.Parked("this node makes no orders: orders.service.kind")));
            case Due due -> tell(due, List.of(new Errand(due.reservationId(), new ReservationCommand.WakeUp())));
            case OfOrder order
            when order.told().isEmpty() -> resolve(order.orderId()).thenCompose(found -> tellFound(order, found));
            case OfOrder order ->
                tell(
                        order,
                        order.told().stream()
                                .map(told -> new Errand(told.reservationId(), told.fact()))
                                .toList());
        };
    }

    /** Those that are known are told, even if others may be of the order too. */
    private CompletionStage<Ending> tellFound(OfOrder order, Found found) {
        if (found.ids().isEmpty() && found.unread().isEmpty()) {
            return done(new Ending.Parked("no reservation of order " + order.orderId() + " is known"));
        }
        return tell(
                        order,
                        found.ids().stream()
                                .map(id -> new Errand(id, order.toAll()))
                                .toList())
                .thenApply(ending -> found.unread().isEmpty()
                        ? ending
                        : new Ending.Parked("may be of this order and can't be read: " + found.unread()));
    }

    private CompletionStage<Ending> want(OrderIntake intake, OrderWanted wanted) {
        return persistence
                .ask(
                        Whom.ORDER,
                        EventHandling::unreadable,
                        () -> intake.bring(wanted.cause(), wanted.request()).thenApply(EventHandling::unlessLater))
                .thenApply(outcome -> switch (outcome) {
                    case Outcome.Known<Reply<Order>>(Reply<Order> reply) -> {
                        listener.told(wanted.type(), reply.verdict(), reply.repeated());
                        yield new Ending.Delivered(1);
                    }
                    case Outcome.Unknown<Reply<Order>>(String why) ->
                        new Ending.Parked("order " + wanted.key() + ": " + why);
                    case Outcome.Unavailable<Reply<Order>>(String why) ->
                        new Ending.Parked("order " + wanted.key() + ": " + why);
                });
    }

    /** One reservation, and what it is told. */
    private record Errand(String reservationId, ReservationCommand command) {}

    // ---- telling

    /** All at once: what one of them says does not depend on the others. */
    private CompletionStage<Ending> tell(Announcement announcement, List<Errand> errands) {
        List<CompletableFuture<Optional<String>>> answers = errands.stream()
                .map(errand -> tell(announcement, errand).toCompletableFuture())
                .toList();
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .thenApply(_ -> answers.stream()
                        .map(CompletableFuture::join)
                        .flatMap(Optional::stream)
                        .findFirst()
                        .<Ending>map(Ending.Parked::new)
                        .orElseGet(() -> new Ending.Delivered(errands.size())));
    }

    /** Empty when it has been told, else why it can't be. */
    private CompletionStage<Optional<String>> tell(Announcement announcement, Errand errand) {
        String id = errand.reservationId();
        return untilItTakes(announcement.cause(), errand).thenApply(outcome -> switch (outcome) {
            case Outcome.Known<Reply<Reservation>>(Reply<Reservation> reply) -> {
                listener.told(announcement.type(), reply.verdict(), reply.repeated());
                yield Optional.empty();
            }
            case Outcome.Unknown<Reply<Reservation>>(String why) -> Optional.of("reservation " + id + ": " + why);
            case Outcome.Unavailable<Reply<Reservation>>(String why) -> Optional.of("reservation " + id + ": " + why);
        });
    }

    /** A journal that can't be read now will not be readable in a minute; everything else may be. */
    private CompletionStage<Outcome<Reply<Reservation>>> untilItTakes(Cause cause, Errand errand) {
        return persistence.ask(Whom.RESERVATION, EventHandling::unreadable, () -> askOnce(cause, errand));
    }

    private static boolean unreadable(Outcome<?> outcome, int attempt) {
        return attempt >= UNREADABLE_ATTEMPTS
                && outcome instanceof Outcome.Unavailable<?>(String why)
                && why.startsWith(EngineRefusal.JOURNAL_UNREADABLE.code());
    }

    /** Zero patience: the answer comes as soon as it is in the journal. */
    private CompletionStage<Outcome<Reply<Reservation>>> askOnce(Cause cause, Errand errand) {
        return permits.run(() -> reservations.ask(errand.reservationId(), cause, errand.command(), Duration.ZERO))
                .thenApply(EventHandling::unlessLater);
    }

    /** An entity that says "later" was not reached. */
    private static <S> Outcome<Reply<S>> unlessLater(Outcome<Reply<S>> outcome) {
        return switch (outcome) {
            case Outcome.Known<Reply<S>>(Reply<S> reply)
            when reply.verdict() instanceof Verdict.Refused(EngineRefusal refusal) && refusal.retryable() ->
                Outcome.unavailable(refusal.asReason());
            case Outcome.Known<Reply<S>> _, Outcome.Unknown<Reply<S>> _, Outcome.Unavailable<Reply<S>> _ -> outcome;
        };
    }

    // ---- finding

    /**
     * The reservations of an order.
     *
     * @param ids those that are
     * @param unread those of which nobody can tell
     */
    private record Found(Set<String> ids, Set<String> unread) {}

    /** Out of a view that shows all that was journaled before now. */
    private CompletionStage<Found> resolve(String orderId) {
        return persistence
                .insist(Whom.VIEW, () -> view.position().thenApply(Outcome::known))
                .thenCompose(position -> resolveAt(orderId, position));
    }

    private CompletionStage<Found> resolveAt(String orderId, JournalPosition position) {
        return passed(position)
                .thenCompose(before -> persistence
                        .insist(Whom.VIEW, () -> ofOrder.of(orderId))
                        .thenCompose(found -> passed(position)
                                // A view that was begun anew meanwhile has shown too little.
                                .thenCompose(after -> after.rebuilds() != before.rebuilds()
                                        ? resolveAt(orderId, position)
                                        : withParked(orderId, found, after.parked()))));
    }

    private CompletionStage<Passage.Passed> passed(JournalPosition position) {
        return persistence.insist(
                Whom.VIEW,
                () -> view.awaitPassed(position, VIEW_PATIENCE).thenApply(passage -> switch (passage) {
                    case Passage.Passed passed -> Outcome.known(passed);
                    case Passage.NotYet(var _, String why) -> Outcome.unavailable(why);
                }));
    }

    /** What the view has set aside it does not show; those are asked themselves whose order they are of. */
    private CompletionStage<Found> withParked(String orderId, List<String> shown, List<ParkedEntity> setAside) {
        var found = new Found(new LinkedHashSet<>(shown), new LinkedHashSet<>());
        CompletionStage<Found> result = done(found);
        for (ParkedEntity entity : setAside) {
            String prefix = ReservationMachine.NAME + "|";
            String id = entity.persistenceId()
                    .substring(Math.min(prefix.length(), entity.persistenceId().length()));
            if (entity.persistenceId().startsWith(prefix) && !found.ids().contains(id)) {
                result = result.thenCompose(_ -> persistence.ask(
                                Whom.RESERVATION,
                                EventHandling::unreadable,
                                () -> permits.run(() -> reservations.look(id))))
                        .thenApply(outcome -> sorted(orderId, id, outcome, found));
            }
        }
        return result;
    }

    private static Found sorted(String orderId, String id, Outcome<Reply<Reservation>> outcome, Found found) {
        if (!(outcome instanceof Outcome.Known<Reply<Reservation>>(Reply<Reservation> reply))) {
            found.unread().add(id);
        } else if (reply.state().order().filter(orderId::equals).isPresent()) {
            found.ids().add(id);
        }
        return found;
    }

    private static <T> CompletionStage<T> done(T value) {
        return CompletableFuture.completedFuture(value);
    }
}
