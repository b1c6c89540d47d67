package io.holdfast.reservation.entity;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.lua.OrderTryReply;
import io.holdfast.lua.OrderTryRequest;
import io.holdfast.lua.StockScripts;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.DenialReason;
import io.holdfast.reservation.domain.Epochs;
import io.holdfast.reservation.domain.Group;
import io.holdfast.reservation.domain.Group.Fate;
import io.holdfast.reservation.domain.Group.Standing;
import io.holdfast.reservation.domain.GroupLine;
import io.holdfast.reservation.domain.PoolEpoch;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.domain.ReservationCommand.ContradictionFound;
import io.holdfast.reservation.domain.ReservationCommand.HoldAnswer;
import io.holdfast.reservation.domain.ReservationCommand.HoldAnswered;
import io.holdfast.reservation.domain.ReservationCommand.SeeEpoch;
import io.holdfast.reservation.domain.ReservationEffect.TryGroup;
import io.holdfast.reservation.port.GroupCall;
import io.holdfast.reservation.port.PoolDirectory;
import io.holdfast.reservation.port.PoolStanding;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The Try of a line that is held together with others, in this order:
 *
 * <ol>
 *   <li>The line that decides brings every other line in: each has the group in its journal before any unit moves, so that none is held
 *       for nobody.
 *   <li>If one of them can't be brought in (its order failed before, or it was asked for otherwise), the group is rejected. Otherwise one
 *       script holds all lines or rejects all. A pool that has ended rejects all too, and is not asked.
 *   <li>What the deciding line journals of it is what became of the group. As long as that is nothing, the script may decide anew: a
 *       rebuild may have taken a part of what it did.
 *   <li>Every other line waits until the deciding line has journaled it, and then asks the same script what became of itself, or has it
 *       written.
 * </ol>
 *
 * <p>The script is called only under epochs that the line's own journal has, of all the pools of the call.
 *
 * <p>Whoever asks wakes the line it asks: a group goes on although the node of any of its lines died.
 */
final class GroupTry {

    private final StockScripts scripts;
    private final PoolDirectory pools;
    private final GroupCall call;
    private final InstantSource clock;

    GroupTry(StockScripts scripts, PoolDirectory pools, GroupCall call, InstantSource clock) {
        this.scripts = scripts;
        this.pools = pools;
        this.call = call;
        this.clock = clock;
    }

    CompletionStage<Outcome<ReservationCommand>> perform(TryGroup effect) {
        return effect.group().isDecidedBy(effect.reservationId()) ? decide(effect) : follow(effect);
    }

    // ---- the line that decides

    private CompletionStage<Outcome<ReservationCommand>> decide(TryGroup effect) {
        Group group = effect.group();
        List<CompletableFuture<Outcome<Reservation>>> others = group.without(effect.reservationId()).stream()
                .map(line -> call.ask(group, line, effect.attentionAt(), effect.epochs(), Duration.ZERO)
                        .toCompletableFuture())
                .toList();
        return CompletableFuture.allOf(others.toArray(CompletableFuture[]::new)).thenCompose(_ -> {
            List<Outcome<Reservation>> answers =
                    others.stream().map(CompletableFuture::join).toList();
            return knownToSome(group, answers)
                    ? Outcomes.done(Outcome.known(proofOfBeingCurrent(effect)))
                    : Outcomes.then(Outcomes.done(fate(group, answers)), fate -> tried(effect, fate));
        });
    }

    private static boolean knownToSome(Group group, List<Outcome<Reservation>> others) {
        return others.stream()
                .anyMatch(other -> other instanceof Outcome.Known<Reservation>(Reservation line)
                        && group.standing(line) == Standing.KNOWS);
    }

    /**
     * Another line knows what became of the group, which it can only from the journal of the line that decides: so this is a copy of that one
     * which is out of date. It is given something to write, and finds out.
     */
    private static ReservationCommand proofOfBeingCurrent(TryGroup effect) {
        return new ReservationCommand.SeeVerification(effect.generation() == 0 ? 1 : effect.generation() - 1);
    }

    /** What can still be decided, by how the other lines stand. */
    private static Outcome<Fate> fate(Group group, List<Outcome<Reservation>> others) {
        Outcome<Fate> fate = Outcome.known(Fate.OPEN);
        for (Outcome<Reservation> other : others) {
            fate = Outcomes.flatMap(
                    fate,
                    soFar -> Outcomes.flatMap(other, line -> switch (group.standing(line)) {
                        case NOT_ASKED -> Outcome.unavailable("line " + line.id() + " could not be asked for yet");
                        case WAITS, KNOWS -> Outcome.known(soFar);
                        case NEVER -> Outcome.known(Fate.REJECTED);
                    }));
        }
        return fate instanceof Outcome.Unknown<Fate>(String why)
                ? Outcome.unavailable("a line of the group did not answer: " + why)
                : fate;
    }

    // ---- every other

    private CompletionStage<Outcome<ReservationCommand>> follow(TryGroup effect) {
        Group group = effect.group();
        // Shorter than the attempt: that the group is open is an answer too.
        Duration patience = effect.retry().timeout().dividedBy(2);
        return Outcomes.then(
                call.ask(group, group.deciding(), effect.attentionAt(), effect.epochs(), patience),
                deciding -> switch (group.fateBy(deciding)) {
                    case OPEN -> Outcomes.done(Outcome.unavailable("the group of this line is not decided yet"));
                    case HELD -> tried(effect, Fate.HELD);
                    case REJECTED -> tried(effect, Fate.REJECTED);
                });
    }

    // ---- the script

    private CompletionStage<Outcome<ReservationCommand>> tried(TryGroup effect, Fate fate) {
        Group group = effect.group();
        List<GroupLine> lines = fate == Fate.OPEN
                ? group.lines()
                : List.of(group.line(effect.reservationId()).orElseThrow());
        List<PoolId> all = lines.stream().map(GroupLine::pool).distinct().toList();
        return Outcomes.then(callable(effect, all, 0, new ArrayList<>()), callable -> switch (callable) {
            case Callable.LoadedAnew(PoolEpoch seen) ->
                Outcomes.done(Outcome.known(new SeeEpoch(effect.generation(), seen)));
            case Callable.Archived(PoolId pool, Books books) -> archived(effect, fate, pool, books);
            case Callable.Under(List<OrderTryRequest.Pool> epochs) ->
                scripts.orderTry(new OrderTryRequest(
                                effect.reservationId(),
                                group.id(),
                                switch (fate) {
                                    case OPEN -> OrderTryRequest.Fate.OPEN;
                                    case HELD -> OrderTryRequest.Fate.HELD;
                                    case REJECTED -> OrderTryRequest.Fate.REJECTED;
                                },
                                epochs,
                                lines.stream()
                                        .map(line -> new OrderTryRequest.Line(
                                                line.reservationId(),
                                                line.pool().value(),
                                                line.terms().quantity()))
                                        .toList(),
                                clock.instant()))
                        .thenApply(outcome -> Outcomes.flatMap(outcome, reply -> answered(effect, epochs, reply)));
        });
    }

    /** Whether the script may be called. */
    private sealed interface Callable {
        /** Under these epochs: the pools', and those of the journal. */
        record Under(List<OrderTryRequest.Pool> epochs) implements Callable {}

        /** Not before the journal has this one. */
        record LoadedAnew(PoolEpoch seen) implements Callable {}

        /** Not any more: this pool has ended, with these books. */
        record Archived(PoolId pool, Books books) implements Callable {}
    }

    /** Each pool with its epoch, if all of them are served. */
    private CompletionStage<Outcome<Callable>> callable(
            TryGroup effect, List<PoolId> all, int next, List<OrderTryRequest.Pool> soFar) {
        if (next == all.size()) {
            return Outcomes.done(Outcome.known(new Callable.Under(soFar)));
        }
        PoolId pool = all.get(next);
        long journaled = Epochs.of(effect.epochs(), pool);
        return Outcomes.then(pools.standing(pool), standing -> {
            if (standing instanceof PoolStanding.Archived(Books books)) {
                return Outcomes.done(Outcome.known(new Callable.Archived(pool, books)));
            }
            if (!(standing instanceof PoolStanding.Serving(long epoch, var _, var _))) {
                return Outcomes.done(Outcome.unavailable("pool " + pool + " of the group is not served: " + standing));
            }
            if (epoch > journaled) {
                return Outcomes.done(Outcome.known(new Callable.LoadedAnew(new PoolEpoch(pool, epoch))));
            }
            if (epoch < journaled) {
                return Outcomes.done(WithEpoch.leftBehind(pools, pool, epoch, journaled));
            }
            soFar.add(new OrderTryRequest.Pool(pool.value(), epoch));
            return callable(effect, all, next + 1, soFar);
        });
    }

    /** No line of a pool that has ended is held, or it would not have ended: so neither is any other of its group, unless that is journaled. */
    private CompletionStage<Outcome<ReservationCommand>> archived(
            TryGroup effect, Fate fate, PoolId pool, Books books) {
        if (fate == Fate.HELD) {
            return Outcomes.done(contradiction(
                    effect, "ARCHIVED", Map.of("group", effect.group().id())));
        }
        if (pool.equals(effect.pool())) {
            DenialReason reason = fate == Fate.OPEN ? DenialReason.CLOSED : DenialReason.OTHER_LINE;
            return Outcomes.done(Outcome.known(new HoldAnswered(new HoldAnswer.Turned(reason, books))));
        }
        return tried(effect, Fate.REJECTED);
    }

    private static long epoch(List<OrderTryRequest.Pool> epochs, PoolId pool) {
        return epochs.stream()
                .filter(one -> one.pool().equals(pool.value()))
                .mapToLong(OrderTryRequest.Pool::epoch)
                .findFirst()
                .orElse(0);
    }

    private Outcome<ReservationCommand> answered(
            TryGroup effect, List<OrderTryRequest.Pool> epochs, OrderTryReply reply) {
        return switch (reply) {
            case OrderTryReply.Held held ->
                Outcome.known(new HoldAnswered(new HoldAnswer.Granted(ScriptAnswers.books(held.books()))));
            case OrderTryReply.InsufficientStock no -> turned(DenialReason.SHORT, no.books());
            case OrderTryReply.Closed no -> turned(DenialReason.CLOSED, no.books());
            case OrderTryReply.Paused no -> turned(DenialReason.PAUSED, no.books());
            case OrderTryReply.OtherLine no -> turned(DenialReason.OTHER_LINE, no.books());
            case OrderTryReply.Fenced no -> turned(DenialReason.FENCED, no.books());
            case OrderTryReply.Conflict(String line, var _) ->
                contradiction(effect, "CONFLICT", Map.of("reservation", line));
            case OrderTryReply.Missing _ ->
                ScriptAnswers.missing(effect.reservationId(), effect.pool(), epoch(epochs, effect.pool()), pools);
            case OrderTryReply.Refused(String refusing, var refusal) -> {
                PoolId pool = refusing.isEmpty() ? effect.pool() : PoolId.parse(refusing);
                yield ScriptAnswers.refused(
                        refusal,
                        pool,
                        epoch(epochs, pool),
                        pools,
                        (answer, evidence) -> contradiction(effect, answer, evidence));
            }
        };
    }

    private static Outcome<ReservationCommand> turned(DenialReason reason, io.holdfast.lua.Books books) {
        return Outcome.known(new HoldAnswered(new HoldAnswer.Turned(reason, ScriptAnswers.books(books))));
    }

    private static Outcome<ReservationCommand> contradiction(
            TryGroup effect, String answer, Map<String, String> evidence) {
        return Outcome.known(new ContradictionFound(effect.operationId(), answer, evidence));
    }
}
