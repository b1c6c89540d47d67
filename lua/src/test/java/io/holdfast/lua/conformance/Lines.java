package io.holdfast.lua.conformance;

import io.holdfast.lua.AdmitReply;
import io.holdfast.lua.Books;
import io.holdfast.lua.CancelReply;
import io.holdfast.lua.ClaimDueReply;
import io.holdfast.lua.ConfirmReply;
import io.holdfast.lua.GuardRefusal;
import io.holdfast.lua.HandedOffReply;
import io.holdfast.lua.LookReply;
import io.holdfast.lua.OrderTryReply;
import io.holdfast.lua.PoolAdjustReply;
import io.holdfast.lua.PoolExpireReply;
import io.holdfast.lua.PoolInitReply;
import io.holdfast.lua.PoolRebuildBeginReply;
import io.holdfast.lua.PoolRebuildLoadReply;
import io.holdfast.lua.PoolRebuildOpenReply;
import io.holdfast.lua.PoolRepairReply;
import io.holdfast.lua.PoolStatusReply;
import io.holdfast.lua.PoolVerifyReply;
import io.holdfast.lua.RefundReply;
import io.holdfast.lua.SoldOutReply;
import io.holdfast.lua.TryReply;
import java.util.stream.Collectors;

/**
 * Replies as one line for tables: {@code RESULT details vVERSION TOTAL+DEFICIT=AVAILABLE/RESERVED/SOLD}. A repeat is written as
 * {@code again}.
 */
public final class Lines {

    private Lines() {}

    /** Numbers. */
    public static String of(Books b) {
        return "v" + b.version() + " " + b.total() + "+" + b.deficit() + "=" + b.available() + "/" + b.reserved() + "/"
                + b.sold();
    }

    private static String done(String result, Books books, boolean repeated) {
        return result + (repeated ? " again " : " ") + of(books);
    }

    private static String no(String result, Books books) {
        return result + " " + of(books);
    }

    /** A refusal of the guards. */
    public static String of(GuardRefusal reply) {
        return switch (reply) {
            case GuardRefusal.Malformed r -> "MALFORMED " + r.what();
            case GuardRefusal.PoolMissing _ -> "POOL_MISSING";
            case GuardRefusal.PoolSuspect r ->
                "POOL_SUSPECT " + r.status() + (r.otherProcess() ? " other process" : "");
            case GuardRefusal.StaleEpoch r -> "STALE_EPOCH " + r.currentEpoch();
            case GuardRefusal.BrokenBooks r -> "BROKEN_BOOKS " + r.what();
        };
    }

    /** A reply of sold_out. */
    public static String of(SoldOutReply reply) {
        return switch (reply) {
            case SoldOutReply.SoldOut() -> "SOLD_OUT";
            case SoldOutReply.Ask() -> "ASK";
            case GuardRefusal.Malformed r -> "MALFORMED " + r.what();
        };
    }

    /** A reply of try. */
    public static String of(TryReply reply) {
        return switch (reply) {
            case TryReply.Held r -> done("HELD", r.books(), r.repeated());
            case TryReply.InsufficientStock r -> done("SHORT", r.books(), r.repeated());
            case TryReply.Closed r -> done("CLOSED", r.books(), r.repeated());
            case TryReply.Paused r -> done("PAUSED", r.books(), r.repeated());
            case TryReply.Fenced r -> no("FENCED " + r.phase(), r.books());
            case TryReply.Conflict r -> no("CONFLICT " + r.quantity(), r.books());
            case GuardRefusal r -> of(r);
        };
    }

    /** A reply of order_try. */
    public static String of(OrderTryReply reply) {
        return switch (reply) {
            case OrderTryReply.Held r -> done("HELD", r.books(), r.repeated());
            case OrderTryReply.InsufficientStock r -> done("SHORT", r.books(), r.repeated());
            case OrderTryReply.Closed r -> done("CLOSED", r.books(), r.repeated());
            case OrderTryReply.Paused r -> done("PAUSED", r.books(), r.repeated());
            case OrderTryReply.OtherLine r -> done("OTHER_LINE", r.books(), r.repeated());
            case OrderTryReply.Fenced r -> no("FENCED " + r.phase(), r.books());
            case OrderTryReply.Conflict r -> no("CONFLICT " + r.reservation(), r.books());
            case OrderTryReply.Missing r -> no("MISSING", r.books());
            case OrderTryReply.Refused r -> (of(r.refusal()) + " " + r.pool()).strip();
        };
    }

    /** A reply of admit. */
    public static String of(AdmitReply reply) {
        return switch (reply) {
            case AdmitReply.Queued r -> done("QUEUED", r.books(), r.repeated());
            case AdmitReply.Fenced r -> no("FENCED " + r.phase(), r.books());
            case AdmitReply.Conflict r -> no("CONFLICT " + r.quantity(), r.books());
            case AdmitReply.KnownAs r -> no("KNOWN_AS " + r.reservation(), r.books());
            case AdmitReply.Missing r -> no("MISSING", r.books());
            case AdmitReply.NoSale r -> no("NO_SALE", r.books());
            case AdmitReply.NotStarted r -> no("NOT_STARTED " + r.opensAt(), r.books());
            case AdmitReply.Closed r -> no("CLOSED", r.books());
            case AdmitReply.Paused r -> no("PAUSED", r.books());
            case AdmitReply.LimitReached r -> no("LIMIT_REACHED " + r.held() + " of " + r.limit(), r.books());
            case AdmitReply.SoldOut r -> no("SOLD_OUT", r.books());
            case GuardRefusal r -> of(r);
        };
    }

    /** A reply of claim_due: {@code CLAIMED [untrusted] listed N: RES USER/REQUEST QUANTITY vVERSION, RES lost, ...}. */
    public static String of(ClaimDueReply reply) {
        return switch (reply) {
            case ClaimDueReply.Claimed r ->
                ("CLAIMED " + (r.trusted() ? "" : "untrusted ") + "listed " + r.listed() + ": "
                                + r.holds().stream().map(Lines::of).collect(Collectors.joining(", ")))
                        .strip();
            case GuardRefusal.Malformed r -> of((GuardRefusal) r);
            case GuardRefusal.PoolMissing r -> of((GuardRefusal) r);
        };
    }

    private static String of(ClaimDueReply.Due due) {
        return due.reservation()
                + due.admission()
                        .map(a -> " " + a.user() + "/" + a.request() + " " + a.quantity() + " v"
                                + a.books().version())
                        .orElse(" lost");
    }

    /** A reply of handed_off. */
    public static String of(HandedOffReply reply) {
        return switch (reply) {
            case HandedOffReply.HandedOff r -> done("HANDED_OFF " + r.phase(), r.books(), r.repeated());
            case HandedOffReply.Missing r -> no("MISSING", r.books());
            case GuardRefusal r -> of(r);
        };
    }

    /** A reply of confirm. */
    public static String of(ConfirmReply reply) {
        return switch (reply) {
            case ConfirmReply.Confirmed r -> done("CONFIRMED released " + r.released(), r.books(), r.repeated());
            case ConfirmReply.Conflict r -> no("CONFLICT " + r.quantity(), r.books());
            case ConfirmReply.Exceeds r -> no("EXCEEDS " + r.left(), r.books());
            case ConfirmReply.Contradiction r -> no("CONTRADICTION " + r.phase(), r.books());
            case ConfirmReply.Missing r -> no("MISSING", r.books());
            case GuardRefusal r -> of(r);
        };
    }

    /** A reply of cancel. */
    public static String of(CancelReply reply) {
        return switch (reply) {
            case CancelReply.Released r -> done("RELEASED", r.books(), false);
            case CancelReply.AlreadyReleased r -> no("ALREADY_RELEASED", r.books());
            case CancelReply.FencedEmpty r -> done("FENCED_EMPTY", r.books(), r.repeated());
            case CancelReply.Missing r -> no("MISSING", r.books());
            case CancelReply.ConfirmedAlready r -> no("CONFIRMED_ALREADY", r.books());
            case CancelReply.OtherCompensation r ->
                no("OTHER_COMPENSATION " + r.phase() + " " + r.operationId(), r.books());
            case CancelReply.Mismatch r -> no("MISMATCH " + r.what() + " " + r.phase(), r.books());
            case GuardRefusal r -> of(r);
        };
    }

    /** A reply of refund. */
    public static String of(RefundReply reply) {
        return switch (reply) {
            case RefundReply.Refunded r -> done("REFUNDED " + r.phase() + " left " + r.left(), r.books(), r.repeated());
            case RefundReply.Conflict r ->
                no(
                        "CONFLICT " + r.quantity() + " " + (r.restock() ? "restock" : "keep") + " " + r.operationId(),
                        r.books());
            case RefundReply.Exceeds r -> no("EXCEEDS " + r.left(), r.books());
            case RefundReply.Contradiction r -> no("CONTRADICTION " + r.phase(), r.books());
            case RefundReply.Missing r -> no("MISSING", r.books());
            case RefundReply.Archived r -> no("ARCHIVED", r.books());
            case GuardRefusal r -> of(r);
        };
    }

    /** A reply of pool_init. */
    public static String of(PoolInitReply reply) {
        return switch (reply) {
            case PoolInitReply.Created r -> done("CREATED", r.books(), r.repeated());
            case PoolInitReply.Exists r -> no("EXISTS " + r.status(), r.books());
            case PoolInitReply.Conflict r -> no("CONFLICT", r.books());
            case GuardRefusal r -> of(r);
        };
    }

    /** A reply of pool_adjust. */
    public static String of(PoolAdjustReply reply) {
        return switch (reply) {
            case PoolAdjustReply.Adjusted r -> done("ADJUSTED", r.books(), r.repeated());
            case PoolAdjustReply.Conflict r -> no("CONFLICT", r.books());
            case PoolAdjustReply.Outdated r -> no("OUTDATED " + r.baselineVersion(), r.books());
            case PoolAdjustReply.WrongStatus r -> no("WRONG_STATUS " + r.status(), r.books());
            case PoolAdjustReply.TooFewAvailable r -> no("TOO_FEW " + r.available(), r.books());
            case GuardRefusal r -> of(r);
        };
    }

    /** A reply of pool_status. */
    public static String of(PoolStatusReply reply) {
        return switch (reply) {
            case PoolStatusReply.Changed r ->
                done(
                        "CHANGED " + r.status() + (r.frozenSince().isEmpty() ? "" : " since " + r.frozenSince()),
                        r.books(),
                        r.repeated());
            case PoolStatusReply.WrongStatus r -> no("WRONG_STATUS " + r.status(), r.books());
            case PoolStatusReply.StillReserved r -> no("STILL_RESERVED", r.books());
            case PoolStatusReply.Conflict r -> no("CONFLICT", r.books());
            case GuardRefusal r -> of(r);
        };
    }

    /** A reply of pool_verify. */
    public static String of(PoolVerifyReply reply) {
        return switch (reply) {
            case PoolVerifyReply.Verified r -> done("VERIFIED " + r.status(), r.books(), r.repeated());
            case PoolVerifyReply.Differs r ->
                no("DIFFERS " + r.status() + " epoch " + r.actual().epoch(), r.actual());
            case PoolVerifyReply.NotFrozen r -> no("NOT_FROZEN " + r.status(), r.books());
            case PoolVerifyReply.Conflict r -> no("CONFLICT", r.books());
            case GuardRefusal r -> of(r);
        };
    }

    /** A reply of pool_rebuild_begin. */
    public static String of(PoolRebuildBeginReply reply) {
        return switch (reply) {
            case PoolRebuildBeginReply.Begun r ->
                done("BEGUN epoch " + r.books().epoch() + " since " + r.frozenSince(), r.books(), r.repeated());
            case PoolRebuildBeginReply.AlreadyOpen r ->
                no("ALREADY_OPEN " + r.status() + " fences " + r.fences(), r.books());
            case GuardRefusal.Malformed r -> of((GuardRefusal) r);
            case GuardRefusal.StaleEpoch r -> of((GuardRefusal) r);
        };
    }

    /** A reply of pool_rebuild_load. */
    public static String of(PoolRebuildLoadReply reply) {
        return switch (reply) {
            case PoolRebuildLoadReply.Loaded r -> "LOADED " + r.chunk() + (r.repeated() ? " again" : "");
            case PoolRebuildLoadReply.OutOfOrder r -> "OUT_OF_ORDER " + r.next();
            case PoolRebuildLoadReply.NotBegun r -> "NOT_BEGUN " + r.status();
            case GuardRefusal.Malformed r -> of((GuardRefusal) r);
            case GuardRefusal.PoolMissing r -> of((GuardRefusal) r);
            case GuardRefusal.StaleEpoch r -> of((GuardRefusal) r);
            case GuardRefusal.BrokenBooks r -> of((GuardRefusal) r);
        };
    }

    /** A reply of pool_rebuild_open. */
    public static String of(PoolRebuildOpenReply reply) {
        return switch (reply) {
            case PoolRebuildOpenReply.Opened r ->
                done("OPENED " + r.status() + " epoch " + r.books().epoch(), r.books(), r.repeated());
            case PoolRebuildOpenReply.Differs r -> "DIFFERS " + r.loaded();
            case PoolRebuildOpenReply.StillDue r -> "STILL_DUE " + r.waiting();
            case PoolRebuildOpenReply.NotBegun r -> "NOT_BEGUN " + r.status();
            case PoolRebuildOpenReply.Conflict r -> no("CONFLICT", r.books());
            case GuardRefusal.Malformed r -> of((GuardRefusal) r);
            case GuardRefusal.PoolMissing r -> of((GuardRefusal) r);
            case GuardRefusal.StaleEpoch r -> of((GuardRefusal) r);
            case GuardRefusal.BrokenBooks r -> of((GuardRefusal) r);
        };
    }

    /** A reply of pool_expire. */
    public static String of(PoolExpireReply reply) {
        return switch (reply) {
            case PoolExpireReply.Expires r -> no("EXPIRES", r.books());
            case PoolExpireReply.WrongStatus r -> no("WRONG_STATUS " + r.status(), r.books());
            case GuardRefusal r -> of(r);
        };
    }

    /** A reply of pool_repair. */
    public static String of(PoolRepairReply reply) {
        return switch (reply) {
            case PoolRepairReply.Repaired r -> done("REPAIRED", r.books(), r.repeated());
            case PoolRepairReply.Moved r -> no("MOVED " + r.version(), r.books());
            case PoolRepairReply.FenceMoved r -> no("FENCE_MOVED " + r.now(), r.books());
            case PoolRepairReply.Conflict r -> no("CONFLICT", r.books());
            case GuardRefusal r -> of(r);
        };
    }

    /** A reply of look; the fence as {@code PHASE quantity/confirmed/released/refunded}. */
    public static String of(LookReply reply) {
        return switch (reply) {
            case LookReply.Seen r ->
                no(
                        "SEEN " + (r.trusted() ? "trusted " : "untrusted ") + r.status() + " "
                                + r.fence()
                                        .map(f -> f.phase() + " " + f.quantity() + "/" + f.confirmed() + "/"
                                                + f.released() + "/" + f.refunded())
                                        .orElse("no fence"),
                        r.books());
            case GuardRefusal.Malformed r -> of((GuardRefusal) r);
            case GuardRefusal.PoolMissing r -> of((GuardRefusal) r);
            case GuardRefusal.BrokenBooks r -> of((GuardRefusal) r);
        };
    }
}
