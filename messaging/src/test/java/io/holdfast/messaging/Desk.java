package io.holdfast.messaging;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.entity.CoreLimits;
import io.holdfast.engine.entity.Entity;
import io.holdfast.engine.entity.EntityCore;
import io.holdfast.engine.entity.Entry;
import io.holdfast.engine.entity.Input;
import io.holdfast.engine.entity.Moment;
import io.holdfast.engine.entity.Step;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.runtime.Entities;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.EffectPolicies;
import io.holdfast.reservation.domain.Line;
import io.holdfast.reservation.domain.OrderType;
import io.holdfast.reservation.domain.PoolChoice;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.domain.ReservationCommand.HoldAnswer;
import io.holdfast.reservation.domain.ReservationCommand.HoldAnswered;
import io.holdfast.reservation.domain.ReservationEffect;
import io.holdfast.reservation.domain.ReservationEvent;
import io.holdfast.reservation.domain.ReservationMachine;
import io.holdfast.reservation.domain.Terms;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Reservations in memory, with the real machine and the real rules of the shell. Nothing is performed but what a test does itself, so a
 * reservation stays where news has brought it.
 */
public final class Desk implements Entities<Reservation, ReservationCommand> {

    private final ReservationMachine machine = new ReservationMachine(EffectPolicies.standard());
    private final Map<String, Living> living = new HashMap<>();
    private final Set<String> away = new HashSet<>();
    private final List<String> asked = new ArrayList<>();
    private Optional<String> allAway = Optional.empty();
    private Instant now = Instant.parse("2026-07-25T12:30:00Z");

    private final class Living {
        final List<Entry<ReservationEvent>> journal = new ArrayList<>();
        final EntityCore<
                        Reservation,
                        ReservationCommand,
                        ReservationEvent,
                        ReservationEffect,
                        CompletableFuture<Outcome<Reply<Reservation>>>>
                core;

        Living(String id) {
            core = new EntityCore<>(machine, CoreLimits.defaults(), Entity.fresh(machine, id));
            take(core.recovered(moment(), 0.5));
        }

        void on(Input<ReservationCommand, CompletableFuture<Outcome<Reply<Reservation>>>> input) {
            take(core.on(input, moment(), 0.5));
        }

        private void take(
                List<
                                Step<
                                        Reservation,
                                        ReservationEvent,
                                        ReservationEffect,
                                        CompletableFuture<Outcome<Reply<Reservation>>>>>
                        steps) {
            for (var step : steps) {
                switch (step) {
                    case Step.Persist<Reservation, ReservationEvent, ReservationEffect, ?> persist -> {
                        journal.addAll(persist.entries());
                        take(core.persisted(moment(), 0.5));
                    }
                    case Step.Tell<
                            Reservation,
                            ReservationEvent,
                            ReservationEffect,
                            CompletableFuture<Outcome<Reply<Reservation>>>>(var asker, var answer) ->
                        asker.complete(Outcome.known(new Reply<>(
                                answer.entity().id(),
                                answer.entity().sequenceNumber(),
                                answer.verdict(),
                                answer.repeated(),
                                answer.entity().state(),
                                answer.working())));
                    case Step.Perform<Reservation, ReservationEvent, ReservationEffect, ?> _,
                            Step.SetAlarm<Reservation, ReservationEvent, ReservationEffect, ?> _,
                            Step.Observe<Reservation, ReservationEvent, ReservationEffect, ?> _,
                            Step.Passivate<Reservation, ReservationEvent, ReservationEffect, ?> _,
                            Step.Stop<Reservation, ReservationEvent, ReservationEffect, ?> _ -> {}
                }
            }
        }
    }

    @Override
    public synchronized CompletionStage<Outcome<Reply<Reservation>>> ask(
            String entityId, Cause cause, ReservationCommand command, Duration patience) {
        asked.add(entityId);
        Optional<String> obstacle = obstacle(entityId);
        if (obstacle.isPresent()) {
            return CompletableFuture.completedFuture(Outcome.unavailable(obstacle.get()));
        }
        var answer = new CompletableFuture<Outcome<Reply<Reservation>>>();
        living(entityId).on(new Input.Asked<>(entityId, cause, command, patience, answer));
        return answer;
    }

    @Override
    public synchronized CompletionStage<Outcome<Reply<Reservation>>> look(String entityId) {
        Optional<String> obstacle = obstacle(entityId);
        if (obstacle.isPresent()) {
            return CompletableFuture.completedFuture(Outcome.unavailable(obstacle.get()));
        }
        var answer = new CompletableFuture<Outcome<Reply<Reservation>>>();
        living(entityId).on(new Input.Looked<>(entityId, answer));
        return answer;
    }

    private Optional<String> obstacle(String entityId) {
        return away.contains(entityId) ? Optional.of("away") : allAway;
    }

    private Living living(String id) {
        return living.computeIfAbsent(id, Living::new);
    }

    private Moment moment() {
        return new Moment(now, now.toEpochMilli());
    }

    /** The line of an order. */
    public static Line line(String order, String item) {
        return new Line("m-1", "soup", order, item, Optional.empty());
    }

    /** Holds two units for a line. */
    public synchronized String hold(String order, String item) {
        return hold(order, item, new OrderType.InstantOrder());
    }

    /** The same, for an order of this type. */
    public synchronized String hold(String order, String item, OrderType type) {
        Line line = line(order, item);
        String id = line.reservationId();
        var terms = new Terms(line, 2, type);
        var pool = new PoolChoice.Named(PoolId.parse("m-1:soup:2026-07-25"));
        Living entity = living(id);
        var answer = new CompletableFuture<Outcome<Reply<Reservation>>>();
        entity.on(new Input.Asked<>(
                id,
                new Cause("try-" + item, "", Cause.Kind.REQUEST, "test", Optional.empty()),
                new ReservationCommand.Reserve(terms, pool, now.plusSeconds(900)),
                Duration.ZERO,
                answer));
        entity.on(new Input.AttemptEnded<>(
                "TRY:" + id,
                1,
                Outcome.known(new HoldAnswered(new HoldAnswer.Granted(Books.expected(1, 2, 10, 2, 0))))));
        return id;
    }

    /** From now on this reservation does not answer; it does again when it is back. */
    public synchronized void away(String id, boolean gone) {
        if (gone) {
            away.add(id);
        } else {
            away.remove(id);
        }
    }

    /** From now on nobody answers, for this reason; empty: they do again. */
    public synchronized void allAway(Optional<String> why) {
        allAway = why;
    }

    /** The clock of this desk. */
    public synchronized void clock(Instant moment) {
        now = moment;
    }

    /** Status of a reservation. */
    public synchronized Reservation.Status status(String id) {
        return state(id).status();
    }

    /** State of a reservation. */
    public synchronized Reservation state(String id) {
        return living(id).core.entity().state();
    }

    /** Simple names of its events. */
    public synchronized List<String> events(String id) {
        return living(id).journal.stream()
                .map(entry -> switch (entry) {
                    case Entry.Happened<ReservationEvent>(var event, var _) ->
                        event.getClass().getSimpleName();
                    case Entry.EffectStalled<ReservationEvent> _ -> "EffectStalled";
                })
                .toList();
    }

    /** Its journal. */
    public synchronized List<Entry<ReservationEvent>> journal(String id) {
        return List.copyOf(living(id).journal);
    }

    /** Reservations of an order that were asked for: what a view would show. */
    public synchronized List<String> ofOrder(String order) {
        return living.entrySet().stream()
                .filter(entry -> entry.getValue()
                        .core
                        .entity()
                        .state()
                        .asked()
                        .filter(claim -> claim.terms().line().orderId().equals(order))
                        .isPresent())
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    /** How often a reservation was asked something. */
    public synchronized long asked(String id) {
        return asked.stream().filter(id::equals).count();
    }
}
