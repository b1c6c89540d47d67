package io.holdfast.reservation.entity;

import io.holdfast.lua.Fence;
import io.holdfast.lua.Phase;
import io.holdfast.reservation.domain.Account;
import io.holdfast.reservation.domain.Claim;
import io.holdfast.reservation.domain.DenialReason;
import io.holdfast.reservation.domain.Reservation;
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
import java.util.Arrays;
import java.util.Optional;

/**
 * Whether a reservation's fence in Redis is one its journal allows. While an operation is owed it may have happened or not, so both sides
 * of it are allowed, and what counts is what the fence says. The fence of one that has ended may be of an earlier epoch, and so be gone.
 */
public final class FenceComparison {

    private FenceComparison() {}

    /** What a fence amounts to. */
    public sealed interface Result {
        /**
         * Allowed.
         *
         * @param reserved units it has in the pool's reserved
         * @param sold units it has in the pool's sold
         */
        record Agrees(long reserved, long sold) implements Result {}

        /** Not allowed. */
        record Differs(String journal, String fence) implements Result {}
    }

    /**
     * Of a pool that is at this epoch. A hold that was turned down under it moved no number, so that only the missing fence shows that Redis
     * forgot it; and whoever has not heard of it yet would be held now. A pool that is closed turns it down again.
     */
    static Result compare(Settled settled, Optional<Fence> fence, long epoch) {
        return fence.isEmpty()
                        && settled.reservation().unmarked() instanceof Rejected rejected
                        && rejected.reason() != DenialReason.CLOSED
                        && rejected.books().epoch() == epoch
                ? differs(rejected, Phase.REJECTED.name(), fence)
                : compare(settled, fence);
    }

    static Result compare(Settled settled, Optional<Fence> fence) {
        return settled.heldByItsGroup() && settled.reservation().unmarked() instanceof Preparing preparing
                ? held(settled.reservation(), fence, preparing.claim().terms().quantity(), 0)
                : compare(settled.reservation(), fence);
    }

    /** Of a reservation as journaled, and its fence, if there is one. */
    public static Result compare(Reservation reservation, Optional<Fence> fence) {
        return switch (reservation.unmarked()) {
            case None _ -> new Result.Agrees(0, 0);
            case Preparing(Claim claim, var _, var _) ->
                fence.filter(f -> f.phase() == Phase.RESERVED).isPresent()
                        ? held(reservation, fence, claim.terms().quantity(), 0)
                        : ended(reservation, fence, 0, Phase.REJECTED, Phase.CANCELED, Phase.REFUNDED);
            case Reserved s -> held(reservation, fence, s.account());
            case CreatedReserved s -> held(reservation, fence, s.account());
            case Confirming s ->
                did(fence, "confirm") ? sold(reservation, fence, s.account()) : held(reservation, fence, s.account());
            case Confirmed s -> sold(reservation, fence, s.account());
            case Canceling s ->
                did(fence, "cancel")
                        ? ended(reservation, fence, s.account().keptSold(), Phase.CANCELED)
                        : held(reservation, fence, s.account());
            case Canceled s ->
                ended(reservation, fence, s.account().map(Account::keptSold).orElse(0L), Phase.CANCELED);
            case Refunding s -> refunding(s, reservation, fence);
            case Refunded s -> ended(reservation, fence, s.account().keptSold(), Phase.REFUNDED);
            case Rejected s ->
                s.reason() == DenialReason.FENCED
                        ? ended(reservation, fence, 0, Phase.CANCELED, Phase.REFUNDED)
                        : ended(reservation, fence, 0, Phase.REJECTED);
        };
    }

    private static Result refunding(Refunding state, Reservation shown, Optional<Fence> fence) {
        Account account = state.account();
        boolean wasSold = state.origin() == Origin.CONFIRMED;
        if (!did(fence, "refund:" + state.refund().id())) {
            return wasSold ? sold(shown, fence, account) : held(shown, fence, account);
        }
        long left = (wasSold ? account.remaining() : account.remaining() + account.surplus())
                - state.refund().quantity();
        long keptSold = account.keptSold()
                + (state.refund().restock() ? 0 : state.refund().quantity());
        if (left == 0) {
            return ended(shown, fence, keptSold, Phase.REFUNDED);
        }
        return wasSold ? sold(shown, fence, left, keptSold) : held(shown, fence, left, keptSold);
    }

    private static boolean did(Optional<Fence> fence, String operation) {
        return fence.filter(f -> f.operations().containsKey(operation)).isPresent();
    }

    private static Result held(Reservation shown, Optional<Fence> fence, Account account) {
        return held(shown, fence, account.remaining() + account.surplus(), account.keptSold());
    }

    private static Result held(Reservation shown, Optional<Fence> fence, long left, long keptSold) {
        return is(fence, Phase.RESERVED, left)
                ? new Result.Agrees(left, keptSold)
                : differs(shown, "RESERVED with " + left + " left", fence);
    }

    private static Result sold(Reservation shown, Optional<Fence> fence, Account account) {
        return sold(shown, fence, account.remaining(), account.keptSold());
    }

    private static Result sold(Reservation shown, Optional<Fence> fence, long left, long keptSold) {
        return is(fence, Phase.CONFIRMED, left)
                ? new Result.Agrees(0, left + keptSold)
                : differs(shown, "CONFIRMED with " + left + " left", fence);
    }

    private static Result ended(Reservation shown, Optional<Fence> fence, long keptSold, Phase... allowed) {
        return fence.map(Fence::phase)
                        .filter(phase -> !Arrays.asList(allowed).contains(phase))
                        // That of an admission that came when it had ended, and went back.
                        .filter(phase -> phase != Phase.CANCELED || shown.late().isEmpty())
                        .isEmpty()
                ? new Result.Agrees(0, keptSold)
                : differs(shown, Arrays.toString(allowed) + " or gone", fence);
    }

    private static boolean is(Optional<Fence> fence, Phase phase, long left) {
        return fence.filter(f -> f.phase() == phase && f.left() == left).isPresent();
    }

    private static Result differs(Reservation shown, String expected, Optional<Fence> fence) {
        return new Result.Differs(
                shown.status() + ", so " + expected,
                fence.map(f -> f.phase() + " with " + f.left() + " left").orElse("no fence"));
    }
}
