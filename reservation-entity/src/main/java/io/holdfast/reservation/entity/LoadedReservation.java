package io.holdfast.reservation.entity;

import io.holdfast.lua.Books;
import io.holdfast.lua.JournaledFence;
import io.holdfast.lua.Phase;
import io.holdfast.reservation.domain.Account;
import io.holdfast.reservation.domain.Admission;
import io.holdfast.reservation.domain.Claim;
import io.holdfast.reservation.domain.FenceRepair;
import io.holdfast.reservation.domain.Refund;
import io.holdfast.reservation.domain.Reservation;
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
import io.holdfast.reservation.port.Loadable;
import java.util.List;
import java.util.Optional;

/**
 * What a reservation is in a pool that is loaded anew. An operation it owes has not happened: it is asked for again. One that has ended
 * needs no fence, since its journal answers whoever asks.
 *
 * @param fence the fence it gets; empty where it holds nothing and has sold nothing that could be refunded
 * @param reserved units in the pool's reserved
 * @param sold units in the pool's sold
 * @param latestVersion the pool's version after its latest operation; 0 where there was none
 */
record LoadedReservation(Optional<JournaledFence> fence, long reserved, long sold, long latestVersion) {

    private static final LoadedReservation NOTHING = new LoadedReservation(Optional.empty(), 0, 0, 0);

    /** Of one that is held although its own journal does not say so, nobody knows the numbers: it is told those that it finds. */
    private static final Books NOT_KNOWN = new Books(0, 0, 0, 0, 0, 0, 0);

    static LoadedReservation of(Settled settled) {
        return settled.heldByItsGroup() && settled.reservation().unmarked() instanceof Preparing preparing
                ? heldByItsGroup(preparing)
                : of(settled.reservation());
    }

    private static LoadedReservation heldByItsGroup(Preparing state) {
        long quantity = state.claim().terms().quantity();
        return new LoadedReservation(
                Optional.of(new JournaledFence(
                        state.id(), Phase.RESERVED, quantity, 0, 0, 0, NOT_KNOWN, NOT_KNOWN, List.of())),
                quantity,
                0,
                0);
    }

    static LoadedReservation of(Reservation reservation) {
        return switch (reservation.unmarked()) {
            case None _, Preparing _ -> NOTHING;
            case Rejected s ->
                new LoadedReservation(Optional.empty(), 0, 0, s.books().version());
            case Reserved s -> held(s);
            case CreatedReserved s -> held(s);
            case Confirming s -> held(s);
            case Canceling s -> held(s);
            case Confirmed s -> sold(s, s.confirmed());
            case Refunding s ->
                s.origin() == Origin.CONFIRMED ? sold(s, s.confirmed().orElseThrow()) : held(s);
            case Canceled s -> s.account().map(LoadedReservation::ended).orElse(NOTHING);
            case Refunded s -> ended(s.account());
        };
    }

    static LoadedReservation of(Loadable.Plain plain) {
        boolean sold = plain.confirmed().isPresent();
        JournaledFence fence = new JournaledFence(
                plain.id(),
                sold ? Phase.CONFIRMED : Phase.RESERVED,
                plain.held(),
                plain.confirmed().orElse(0),
                sold ? plain.released() : 0,
                sold ? 0 : plain.released(),
                ScriptBooks.of(plain.hold()),
                ScriptBooks.of(plain.latest()),
                List.of());
        return new LoadedReservation(
                Optional.of(fence),
                sold ? 0 : fence.left(),
                sold ? fence.left() : 0,
                plain.latest().version());
    }

    private static LoadedReservation held(Accounted state) {
        Account account = state.account();
        // Nothing was confirmed, so what went back is a refund to Redis, also where it was a surplus to the journal.
        JournaledFence fence = fence(state, Phase.RESERVED, 0, 0, account.refunded() + account.released());
        return new LoadedReservation(
                Optional.of(fence),
                fence.left(),
                account.keptSold(),
                account.latest().version());
    }

    private static LoadedReservation sold(Accounted state, long confirmed) {
        Account account = state.account();
        JournaledFence fence = fence(state, Phase.CONFIRMED, confirmed, account.released(), account.refunded());
        return new LoadedReservation(
                Optional.of(fence),
                0,
                fence.left() + account.keptSold(),
                account.latest().version());
    }

    private static LoadedReservation ended(Account account) {
        return new LoadedReservation(
                Optional.empty(), 0, account.keptSold(), account.latest().version());
    }

    /** The fence a reservation gets in Redis when its journal is all that counts; empty where it needs none. */
    Optional<FenceRepair.Target> target(Reservation reservation) {
        return fence.map(loaded -> new FenceRepair.Target(
                FenceRepair.Phase.valueOf(loaded.phase().name()),
                loaded.quantity(),
                loaded.confirmed(),
                loaded.released(),
                loaded.refunded(),
                ScriptAnswers.books(loaded.hold()),
                ScriptAnswers.books(loaded.latest()),
                loaded.refunds().stream()
                        .map(refund -> new Refund(refund.id(), refund.quantity(), refund.restock()))
                        .toList(),
                reservation.asked().flatMap(Claim::admission).map(Admission::order)));
    }

    private static JournaledFence fence(Accounted state, Phase phase, long confirmed, long released, long refunded) {
        Account account = state.account();
        return new JournaledFence(
                state.id(),
                phase,
                account.held(),
                confirmed,
                released,
                refunded,
                ScriptBooks.of(account.hold()),
                ScriptBooks.of(account.latest()),
                state.claim().admission().map(admission -> ScriptAdmission.of(admission.order())),
                account.refunds().values().stream()
                        .map(refund -> new JournaledFence.Refund(refund.id(), refund.quantity(), refund.restock()))
                        .toList());
    }
}
