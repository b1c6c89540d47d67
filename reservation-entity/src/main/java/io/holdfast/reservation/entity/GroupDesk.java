package io.holdfast.reservation.entity;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.machine.EngineRefusal;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.engine.runtime.Entities;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.lua.PoolTags;
import io.holdfast.reservation.domain.Epochs;
import io.holdfast.reservation.domain.Group;
import io.holdfast.reservation.domain.GroupLine;
import io.holdfast.reservation.domain.PoolChoice;
import io.holdfast.reservation.domain.PoolEpoch;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.entity.HoldDesk.Reason;
import io.holdfast.reservation.port.DayPools;
import io.holdfast.reservation.port.PoolDirectory;
import io.holdfast.reservation.port.PoolStanding;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Where groups are asked for: lines that are held all together or not at all. A group is begun only if all its pools serve, and are of one
 * hash tag; whoever is turned away left no trace.
 *
 * <p>The line that decides is asked first. It has the pools of all lines in its journal from then on, and a repeat, after midnight for
 * example, means those; and it brings the other lines in itself, should whoever asks die now.
 */
public final class GroupDesk {

    private final Entities<Reservation, ReservationCommand> reservations;
    private final PoolDirectory pools;
    private final PoolTags tags;
    private final DayPools dayPools;
    private final GradualOpening opening;

    /**
     * A desk of this node.
     *
     * @param pools where pools stand
     * @param tags under which hash tags they are
     * @param dayPools creates the pool of a day that is asked for the first time
     * @param reopenOver how long it takes until a pool that was rebuilt lets every new hold in
     */
    public GroupDesk(
            Entities<Reservation, ReservationCommand> reservations,
            PoolDirectory pools,
            PoolTags tags,
            DayPools dayPools,
            InstantSource clock,
            Duration reopenOver) {
        this.reservations = reservations;
        this.pools = pools;
        this.tags = tags;
        this.dayPools = dayPools;
        this.opening = new GradualOpening(clock, reopenOver);
    }

    /** What came of a request. */
    public sealed interface Answer {

        /** All lines were asked; what each of them answered, if it did, by its reservation. */
        record Asked(Map<String, Outcome<Reply<Reservation>>> lines) implements Answer {}

        /** One line says that there is no such group, or does not answer; no other was asked. */
        record NotBegun(String reservationId, Outcome<Reply<Reservation>> outcome) implements Answer {}

        /** The group exists, and this line of it is of another pool than the one that was named. Nothing was changed. */
        record OtherPool(String reservationId) implements Answer {}

        /** Nothing was recorded, because of this pool. */
        record TurnedAway(Reason reason, PoolId pool) implements Answer {}
    }

    /**
     * What is asked for.
     *
     * @param group the lines, with the pools as they would be chosen now
     * @param choices how the pool of each line was chosen, by its reservation
     * @param attentionAt when an undecided hold is reported as overdue
     */
    public record Wish(Group group, Map<String, PoolChoice> choices, Instant attentionAt) {
        public Wish {
            choices = Map.copyOf(choices);
        }

        private PoolChoice choice(GroupLine line) {
            return choices.getOrDefault(line.reservationId(), new PoolChoice.Named(line.pool()));
        }
    }

    /**
     * Asks for a group.
     *
     * @param causes why each line is asked
     * @param patience how long the answer may be held back until all is settled
     */
    public CompletionStage<Answer> hold(Wish wish, Function<String, Cause> causes, Duration patience) {
        String deciding = wish.group().deciding().reservationId();
        List<PoolId> all =
                wish.group().lines().stream().map(GroupLine::pool).distinct().toList();
        return outlook(deciding, all, 0, Optional.empty()).thenCompose(outlook -> switch (outlook) {
            case Outcome.Known<Outlook>(Outlook known) ->
                switch (known) {
                    case Outlook.Clear(Optional<Epochs> epochs) -> begin(wish, epochs, causes, patience);
                    case Outlook.Obstacle(Answer answer) -> unlessKnown(wish, causes, patience, answer);
                };
            case Outcome.Unknown<Outlook>(String why) -> notBegun(deciding, Outcome.unavailable(why));
            case Outcome.Unavailable<Outlook>(String why) -> notBegun(deciding, Outcome.unavailable(why));
        });
    }

    // ---- before it begins

    private sealed interface Outlook {
        /** It can be begun; the epochs of its pools. */
        record Clear(Optional<Epochs> epochs) implements Outlook {}

        /** It can't be begun now, and why. */
        record Obstacle(Answer answer) implements Outlook {}
    }

    private CompletionStage<Outcome<Outlook>> outlook(
            String deciding, List<PoolId> all, int next, Optional<Epochs> epochs) {
        if (next == all.size()) {
            return apart(all, epochs);
        }
        PoolId pool = all.get(next);
        return Outcomes.then(pools.standing(pool), standing -> switch (standing) {
            case PoolStanding.Serving serving when HoldDesk.isBucket(serving) -> obstacle(Reason.PART_OF_SALE, pool);
            case PoolStanding.Serving serving ->
                opening.admits(serving, deciding)
                        ? outlook(deciding, all, next + 1, Epochs.with(epochs, new PoolEpoch(pool, serving.epoch())))
                        : obstacle(Reason.POOL_REBUILDING, pool);
            case PoolStanding.Unknown() ->
                Outcomes.then(dayPools.open(pool), opened -> switch (opened) {
                    case EXISTS -> {
                        pools.forget(pool);
                        yield outlook(deciding, all, next + 1, epochs);
                    }
                    case NOTHING_SET_OUT -> obstacle(Reason.POOL_UNKNOWN, pool);
                });
            case PoolStanding.NotReady() -> obstacle(Reason.POOL_NOT_READY, pool);
            case PoolStanding.Archived _ -> obstacle(Reason.POOL_ARCHIVED, pool);
            case PoolStanding.Suspect _ -> obstacle(Reason.POOL_SUSPECT, pool);
            case PoolStanding.Rebuilding _ -> obstacle(Reason.POOL_REBUILDING, pool);
        });
    }

    private static CompletionStage<Outcome<Outlook>> obstacle(Reason reason, PoolId pool) {
        return Outcomes.done(Outcome.known(new Outlook.Obstacle(new Answer.TurnedAway(reason, pool))));
    }

    /** One script moves all of them, so one node of a Redis Cluster must have them all. */
    private CompletionStage<Outcome<Outlook>> apart(List<PoolId> all, Optional<Epochs> epochs) {
        if (all.size() == 1) {
            return Outcomes.done(Outcome.known(new Outlook.Clear(epochs)));
        }
        return Outcomes.then(tags.of(all.getFirst().value()), first -> apart(all, 1, first, epochs));
    }

    private CompletionStage<Outcome<Outlook>> apart(
            List<PoolId> all, int next, Optional<String> first, Optional<Epochs> epochs) {
        if (next == all.size()) {
            return Outcomes.done(Outcome.known(new Outlook.Clear(epochs)));
        }
        PoolId pool = all.get(next);
        return Outcomes.then(
                tags.of(pool.value()),
                tag -> first.isPresent() && tag.equals(first)
                        ? apart(all, next + 1, first, epochs)
                        : obstacle(Reason.POOLS_APART, pool));
    }

    /** A repeat is answered with what happened the first time, whatever became of the pools since. */
    private CompletionStage<Answer> unlessKnown(
            Wish wish, Function<String, Cause> causes, Duration patience, Answer otherwise) {
        String deciding = wish.group().deciding().reservationId();
        return reservations.look(deciding).thenCompose(outcome -> switch (outcome) {
            case Outcome.Known<Reply<Reservation>>(Reply<Reservation> reply) ->
                reply.state().unmarked() instanceof Reservation.None
                        ? CompletableFuture.completedFuture(otherwise)
                        : begin(wish, Optional.empty(), causes, patience);
            case Outcome.Unknown<Reply<Reservation>>(String why) -> notBegun(deciding, Outcome.unavailable(why));
            case Outcome.Unavailable<Reply<Reservation>>(String why) -> notBegun(deciding, Outcome.unavailable(why));
        });
    }

    private static CompletionStage<Answer> notBegun(String reservationId, Outcome<Reply<Reservation>> outcome) {
        return CompletableFuture.completedFuture(new Answer.NotBegun(reservationId, outcome));
    }

    // ---- asking

    private CompletionStage<Answer> begin(
            Wish wish, Optional<Epochs> epochs, Function<String, Cause> causes, Duration patience) {
        GroupLine deciding = wish.group().deciding();
        String id = deciding.reservationId();
        return ask(wish, wish.group(), deciding, wish.choice(deciding), epochs, causes, Duration.ZERO)
                .thenCompose(outcome -> {
                    if (!(outcome instanceof Outcome.Known<Reply<Reservation>>(Reply<Reservation> reply))
                            || reply.verdict() instanceof Verdict.Refused(EngineRefusal _)) {
                        return notBegun(id, outcome);
                    }
                    Optional<Group> journaled = reply.state().asked().flatMap(claim -> claim.group());
                    if (journaled.filter(wish.group()::asksTheSame).isEmpty()) {
                        return notBegun(id, outcome);
                    }
                    return otherPool(wish, journaled.get())
                            .<CompletionStage<Answer>>map(CompletableFuture::completedFuture)
                            .orElseGet(() -> askAll(wish, journaled.get(), epochs, causes, patience, reply.repeated()));
                });
    }

    private static Optional<Answer> otherPool(Wish wish, Group journaled) {
        return wish.group().lines().stream()
                .filter(line -> wish.choice(line) instanceof PoolChoice.Named)
                .filter(line -> !journaled.lines().contains(line))
                .findFirst()
                .map(line -> new Answer.OtherPool(line.reservationId()));
    }

    /**
     * Every line has been brought in by the deciding one, so each would call this a repeat; it is one only if the deciding line had been
     * asked before.
     */
    private CompletionStage<Answer> askAll(
            Wish wish,
            Group journaled,
            Optional<Epochs> epochs,
            Function<String, Cause> causes,
            Duration patience,
            boolean repeated) {
        List<CompletableFuture<Outcome<Reply<Reservation>>>> asked = new ArrayList<>();
        for (GroupLine line : journaled.lines()) {
            asked.add(ask(wish, journaled, line, new PoolChoice.Named(line.pool()), epochs, causes, patience)
                    .toCompletableFuture());
        }
        return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new)).thenApply(_ -> {
            Map<String, Outcome<Reply<Reservation>>> answers = new LinkedHashMap<>();
            for (int i = 0; i < asked.size(); i++) {
                Outcome<Reply<Reservation>> outcome = asked.get(i).join();
                answers.put(journaled.lines().get(i).reservationId(), repeated ? outcome : outcome.map(Reply::asFirst));
            }
            return new Answer.Asked(answers);
        });
    }

    private CompletionStage<Outcome<Reply<Reservation>>> ask(
            Wish wish,
            Group group,
            GroupLine line,
            PoolChoice choice,
            Optional<Epochs> epochs,
            Function<String, Cause> causes,
            Duration patience) {
        return reservations.ask(
                line.reservationId(),
                causes.apply(line.reservationId()),
                new ReservationCommand.Reserve(line.terms(), choice, wish.attentionAt(), Optional.of(group), epochs),
                patience);
    }
}
