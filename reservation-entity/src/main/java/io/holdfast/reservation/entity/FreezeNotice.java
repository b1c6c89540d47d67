package io.holdfast.reservation.entity;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.reservation.domain.Claim;
import io.holdfast.reservation.domain.Group;
import io.holdfast.reservation.domain.PoolEpoch;
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
import io.holdfast.reservation.port.VerificationNotice;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tells reservations that owe an operation that their pool is frozen. From then on they record nothing that Redis answered before, so that
 * what is compared or loaded now is not undone by an answer on its way.
 */
final class FreezeNotice {

    private static final Pattern OURS = Pattern.compile("(?:VERIFY|REBUILD):[0-9]{1,19}:([0-9]{1,16})");

    private final VerificationNotice notice;

    FreezeNotice(VerificationNotice notice) {
        this.notice = notice;
    }

    /**
     * The generation that names a freeze: the number of the attempt that made it first, for as long as the process that did so has kept
     * the pool frozen.
     *
     * @param frozenSince the operation from which on this process has kept the pool frozen
     * @param attempt this attempt's number, for a freeze of which nobody was told
     */
    static long generation(String frozenSince, long attempt) {
        Matcher ours = OURS.matcher(frozenSince);
        return ours.matches() ? Long.parseLong(ours.group(1)) : attempt;
    }

    /**
     * The reservation as it may be believed: told of the freeze, where an operation is owed. Where that is the Try of a group, the line that
     * decides for the group is told as well, also where it is of another pool: what it has not journaled by now of a decision made before the
     * freeze, it never will. No two freezes have one generation.
     *
     * @param loaded the pool and its new epoch, where it is loaded anew
     */
    CompletionStage<Outcome<Settled>> settled(Reservation reservation, long generation, Optional<PoolEpoch> loaded) {
        return mustBeTold(reservation, loaded.isPresent())
                ? Outcomes.then(
                        notice.tell(reservation.id(), generation, loaded), now -> withItsGroup(now, generation, loaded))
                : Outcomes.done(Outcome.known(Settled.alone(reservation)));
    }

    /** Whether it has to be told of a freeze before it may be believed. */
    static boolean mustBeTold(Reservation reservation, boolean loadedAnew) {
        return switch (reservation.unmarked()) {
            case Preparing _, Confirming _, Canceling _, Refunding _ -> true;
            // What a rebuild decides of an admission must not meet an earlier answer that takes it off the list, nor an
            // earlier rebuild.
            case Reserved _ -> loadedAnew && reservation.isProvisional();
            case None _, CreatedReserved _, Confirmed _, Canceled _, Refunded _, Rejected _ -> false;
        };
    }

    /**
     * Ends an admission that was told of a rebuild, because others have its units.
     *
     * @return that it has ended; Unavailable where something has become of it meanwhile
     */
    CompletionStage<Outcome<Reservation>> lost(Reservation admission, long generation, long total, long promised) {
        return notice.admissionLost(admission.id(), generation, total, promised)
                .thenApply(outcome -> Outcomes.flatMap(
                        outcome,
                        now -> now.unmarked() instanceof Canceled
                                ? Outcome.known(now)
                                : Outcome.unavailable(now.id() + " was to end for want of units and is " + now.status()
                                        + "; it must be read again")));
    }

    private CompletionStage<Outcome<Settled>> withItsGroup(
            Reservation line, long generation, Optional<PoolEpoch> loaded) {
        if (!(line.unmarked() instanceof Preparing(Claim claim, var _, var _))) {
            return Outcomes.done(Outcome.known(Settled.alone(line)));
        }
        return claim.group()
                .filter(group -> !group.isDecidedBy(line.id()))
                .map(group -> notice.tell(group.deciding().reservationId(), generation, loaded)
                        .thenApply(outcome ->
                                outcome.map(deciding -> new Settled(line, group.fateBy(deciding) == Group.Fate.HELD))))
                .orElseGet(() -> Outcomes.done(Outcome.known(Settled.alone(line))));
    }
}
