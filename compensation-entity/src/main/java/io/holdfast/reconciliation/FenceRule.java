package io.holdfast.reconciliation;

import io.holdfast.lua.Fence;
import io.holdfast.lua.Phase;
import io.holdfast.reservation.domain.Account;
import io.holdfast.reservation.domain.DenialReason;
import io.holdfast.reservation.domain.LateAdmission;
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
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What Redis may show of a reservation, and what it means when it shows something else. While an operation is owed it may have happened or
 * not, so both sides of it are allowed. Stricter than the comparison of a frozen pool, which asks for units only: here every quantity counts.
 */
public final class FenceRule {

    /** A reading of both sides. */
    public sealed interface Judgement {
        /** Units in the pool's reserved. */
        long reserved();

        /** Units in the pool's sold. */
        long sold();

        /** Redis shows what it may; the units are those it shows. */
        record Agrees(long reserved, long sold) implements Judgement {}

        /** Redis shows something else; the units are those of the journal. */
        record Differs(FindingType type, FindingClass kind, String journal, String redis, long reserved, long sold)
                implements Judgement {}
    }

    /** One thing that Redis may show. */
    private sealed interface Allowed {
        /** Units held, or sold and still refundable. */
        record Holding(Phase phase, long quantity, long confirmed, long givenBack, long left, long keptSold)
                implements Allowed {
            boolean matches(Fence fence) {
                return fence.phase() == phase
                        && fence.quantity() == quantity
                        && fence.confirmed() == confirmed
                        && fence.released() + fence.refunded() == givenBack;
            }

            Judgement.Agrees agreed() {
                return phase == Phase.RESERVED
                        ? new Judgement.Agrees(left, keptSold)
                        : new Judgement.Agrees(0, left + keptSold);
            }
        }

        /**
         * Nothing held any more, or never.
         *
         * @param mayBeGone such a fence is kept for a while only, and one that nothing was done to need not be there
         */
        record Ended(Set<Phase> phases, long keptSold, boolean mayBeGone) implements Allowed {
            boolean matches(Optional<Fence> fence) {
                return fence.map(there -> phases.contains(there.phase())).orElse(mayBeGone);
            }
        }
    }

    private final Reservation reservation;
    private final List<Allowed> allowed = new ArrayList<>(2);
    private boolean owed;

    private FenceRule(Reservation reservation) {
        this.reservation = reservation;
    }

    /**
     * Judges one reading.
     *
     * @param fence as Redis has it; empty where it has none
     */
    public static Judgement judge(Reservation reservation, Optional<Fence> fence) {
        return new FenceRule(reservation).expecting().judged(fence);
    }

    /** The fence can't be read: units are those of the journal, and what was written there is nobody's operation. */
    static Judgement.Differs unreadable(Reservation reservation, String what) {
        FenceRule rule = new FenceRule(reservation).expecting();
        return rule.differs(FindingType.FENCE_UNREADABLE, FindingClass.MANUAL, "unreadable: " + what);
    }

    private FenceRule expecting() {
        switch (reservation.unmarked()) {
            case None _ -> ended(0, Phase.CANCELED);
            case Preparing s -> {
                owed = true;
                long quantity = s.claim().terms().quantity();
                allowed.add(new Allowed.Holding(Phase.RESERVED, quantity, 0, 0, quantity, 0));
                ended(0, Phase.REJECTED, Phase.CANCELED, Phase.REFUNDED);
            }
            case Reserved s -> held(s);
            case CreatedReserved s -> held(s);
            case Confirming s -> {
                owed = true;
                held(s);
                Account account = s.account();
                allowed.add(new Allowed.Holding(
                        Phase.CONFIRMED,
                        account.held(),
                        account.remaining(),
                        account.held() - account.remaining(),
                        account.remaining(),
                        account.keptSold()));
            }
            case Confirmed s -> sold(s, s.confirmed());
            case Canceling s -> {
                owed = true;
                held(s);
                justEnded(s.account().keptSold(), Phase.CANCELED);
            }
            case Canceled s -> ended(s.account().map(Account::keptSold).orElse(0L), Phase.CANCELED, Phase.REJECTED);
            case Refunding s -> refunding(s);
            case Refunded s -> ended(s.account().keptSold(), Phase.REFUNDED);
            case Rejected s -> {
                if (s.reason() == DenialReason.FENCED) {
                    ended(0, Phase.CANCELED, Phase.REFUNDED);
                } else {
                    ended(0, Phase.REJECTED);
                }
            }
        }
        reservation
                .late()
                .filter(late -> reservation
                        .asked()
                        .filter(claim -> claim.pool().equals(late.pool()))
                        .isPresent())
                .ifPresent(this::cameLate);
        return this;
    }

    /** An admission that came when it had ended: until it has gone back its units are held, and then the fence says that it did. */
    private void cameLate(LateAdmission late) {
        allowed.stream()
                .flatMap(one -> one instanceof Allowed.Ended ended ? Stream.of(ended.keptSold()) : Stream.empty())
                .findFirst()
                .ifPresent(keptSold -> ended(keptSold, Phase.CANCELED));
        if (!late.returned()) {
            owed = true;
            long quantity = late.terms().quantity();
            allowed.add(new Allowed.Holding(Phase.RESERVED, quantity, 0, 0, quantity, 0));
        }
    }

    private void held(Accounted state) {
        Account account = state.account();
        long left = account.remaining() + account.surplus();
        allowed.add(new Allowed.Holding(
                Phase.RESERVED, account.held(), 0, account.held() - left, left, account.keptSold()));
    }

    private void sold(Accounted state, long confirmed) {
        Account account = state.account();
        allowed.add(new Allowed.Holding(
                Phase.CONFIRMED,
                account.held(),
                confirmed,
                account.held() - account.remaining(),
                account.remaining(),
                account.keptSold()));
    }

    private void refunding(Refunding state) {
        owed = true;
        Account account = state.account();
        boolean wasSold = state.origin() == Origin.CONFIRMED;
        if (wasSold) {
            sold(state, state.confirmed().orElseThrow());
        } else {
            held(state);
        }
        long before = wasSold ? account.remaining() : account.remaining() + account.surplus();
        long left = before - state.refund().quantity();
        long keptSold = account.keptSold()
                + (state.refund().restock() ? 0 : state.refund().quantity());
        if (left == 0) {
            justEnded(keptSold, Phase.REFUNDED);
        } else {
            allowed.add(new Allowed.Holding(
                    wasSold ? Phase.CONFIRMED : Phase.RESERVED,
                    account.held(),
                    wasSold ? state.confirmed().orElseThrow() : 0,
                    account.held() - left,
                    left,
                    keptSold));
        }
    }

    private void ended(long keptSold, Phase... phases) {
        allowed.add(new Allowed.Ended(EnumSet.of(phases[0], phases), keptSold, true));
    }

    /** By the operation that is owed still: its fence is there. */
    private void justEnded(long keptSold, Phase phase) {
        allowed.add(new Allowed.Ended(EnumSet.of(phase), keptSold, false));
    }

    private Judgement judged(Optional<Fence> fence) {
        for (Allowed one : allowed) {
            switch (one) {
                case Allowed.Holding holding -> {
                    if (fence.filter(holding::matches).isPresent()) {
                        return holding.agreed();
                    }
                }
                case Allowed.Ended ended -> {
                    if (ended.matches(fence)) {
                        return new Judgement.Agrees(0, ended.keptSold());
                    }
                }
            }
        }
        FindingType type = type(fence);
        return differs(type, kind(type), fence.map(FenceRule::text).orElse("no fence"));
    }

    private FindingClass kind(FindingType type) {
        if (reservation.underReview().isPresent()) {
            return FindingClass.MANUAL;
        }
        if (owed || isLostAdmission(type)) {
            // The operation itself meets this fence, and its pool or a person is told by that.
            return FindingClass.WAIT;
        }
        return switch (type) {
            case FENCE_MISSING, FENCE_BEHIND, FENCE_DIFFERS, FENCE_LEFT_OVER -> FindingClass.REPAIR;
            case FENCE_AHEAD,
                    FENCE_ENDED_OTHERWISE,
                    FENCE_UNREADABLE,
                    FENCE_UNKNOWN,
                    NUMBERS_DIFFER,
                    LEDGER_INCOMPLETE,
                    LEDGER_DIFFERS,
                    POOL_LOST,
                    TOO_MANY,
                    NOT_COMPARED -> FindingClass.MANUAL;
        };
    }

    /**
     * Put back on its own, the fence of an admission that was never handed off might hold what others have: whether it fits is for a rebuild
     * to say, and the operation that hands it off has the pool loaded anew.
     */
    private boolean isLostAdmission(FindingType type) {
        return type == FindingType.FENCE_MISSING && reservation.isProvisional();
    }

    private FindingType type(Optional<Fence> fence) {
        if (fence.isEmpty()) {
            return FindingType.FENCE_MISSING;
        }
        return switch (allowed.getFirst()) {
            case Allowed.Holding expected -> typeOfHeld(expected, fence.get());
            case Allowed.Ended _ -> typeOfEnded(fence.get());
        };
    }

    private static FindingType typeOfHeld(Allowed.Holding expected, Fence fence) {
        return switch (fence.phase()) {
            case CANCELED, REFUNDED, REJECTED -> FindingType.FENCE_AHEAD;
            case CONFIRMED, RESERVED -> {
                if (fence.released() + fence.refunded() > expected.givenBack()
                        || (fence.phase() == Phase.CONFIRMED && expected.phase() == Phase.RESERVED)) {
                    yield FindingType.FENCE_AHEAD;
                }
                if (fence.quantity() != expected.quantity()) {
                    yield FindingType.FENCE_DIFFERS;
                }
                yield fence.phase() != expected.phase() || fence.released() + fence.refunded() < expected.givenBack()
                        ? FindingType.FENCE_BEHIND
                        : FindingType.FENCE_DIFFERS;
            }
        };
    }

    private FindingType typeOfEnded(Fence fence) {
        return switch (fence.phase()) {
            case RESERVED -> FindingType.FENCE_LEFT_OVER;
            // It was sold before everything went back, so only the refund is missing; otherwise nobody sold it.
            case CONFIRMED ->
                reservation.unmarked() instanceof Refunded refunded
                                && refunded.confirmed().isPresent()
                        ? FindingType.FENCE_LEFT_OVER
                        : FindingType.FENCE_AHEAD;
            case CANCELED, REFUNDED, REJECTED -> FindingType.FENCE_ENDED_OTHERWISE;
        };
    }

    private Judgement.Differs differs(FindingType type, FindingClass kind, String redis) {
        return switch (allowed.getFirst()) {
            case Allowed.Holding holding -> {
                Judgement.Agrees units = holding.agreed();
                yield new Judgement.Differs(type, kind, expected(), redis, units.reserved(), units.sold());
            }
            case Allowed.Ended ended -> new Judgement.Differs(type, kind, expected(), redis, 0, ended.keptSold());
        };
    }

    private String expected() {
        List<String> texts = allowed.stream().map(FenceRule::text).toList();
        return reservation.status() + ": " + String.join("; or, once what is owed is done, ", texts);
    }

    private static String text(Allowed one) {
        return switch (one) {
            case Allowed.Holding(Phase phase, long quantity, long confirmed, long givenBack, var _, var _) ->
                text(phase, quantity, confirmed, givenBack);
            case Allowed.Ended(Set<Phase> phases, var _, boolean mayBeGone) -> phases + (mayBeGone ? " or gone" : "");
        };
    }

    /** A fence in words. */
    static String text(Fence fence) {
        return text(fence.phase(), fence.quantity(), fence.confirmed(), fence.released() + fence.refunded());
    }

    private static String text(Phase phase, long quantity, long confirmed, long givenBack) {
        return phase + ", quantity " + quantity + ", confirmed " + confirmed + ", given back " + givenBack;
    }
}
