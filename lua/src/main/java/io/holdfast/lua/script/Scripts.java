package io.holdfast.lua.script;

import static io.holdfast.lua.script.ArgumentKind.BOUND;
import static io.holdfast.lua.script.ArgumentKind.FATE;
import static io.holdfast.lua.script.ArgumentKind.FENCE_OR_EMPTY;
import static io.holdfast.lua.script.ArgumentKind.FLAG;
import static io.holdfast.lua.script.ArgumentKind.ID;
import static io.holdfast.lua.script.ArgumentKind.ID_OR_EMPTY;
import static io.holdfast.lua.script.ArgumentKind.LINES;
import static io.holdfast.lua.script.ArgumentKind.LOOKS;
import static io.holdfast.lua.script.ArgumentKind.PATH;
import static io.holdfast.lua.script.ArgumentKind.POOLS;
import static io.holdfast.lua.script.ArgumentKind.POSITIVE;
import static io.holdfast.lua.script.ArgumentKind.SALE_OR_EMPTY;
import static io.holdfast.lua.script.ArgumentKind.SEEN_OR_EMPTY;
import static io.holdfast.lua.script.ArgumentKind.STATUS_RESTORED;
import static io.holdfast.lua.script.ArgumentKind.STATUS_TARGET;
import static io.holdfast.lua.script.ArgumentKind.WHOLE;

import io.holdfast.lua.AdmitReply;
import io.holdfast.lua.AdmitRequest;
import io.holdfast.lua.CancelReply;
import io.holdfast.lua.CancelRequest;
import io.holdfast.lua.ClaimDueReply;
import io.holdfast.lua.ClaimDueRequest;
import io.holdfast.lua.ConfirmReply;
import io.holdfast.lua.ConfirmRequest;
import io.holdfast.lua.GuardRefusal;
import io.holdfast.lua.HandedOffReply;
import io.holdfast.lua.HandedOffRequest;
import io.holdfast.lua.InspectReply;
import io.holdfast.lua.InspectRequest;
import io.holdfast.lua.LookReply;
import io.holdfast.lua.LookRequest;
import io.holdfast.lua.OrderTryReply;
import io.holdfast.lua.OrderTryRequest;
import io.holdfast.lua.PoolAdjustReply;
import io.holdfast.lua.PoolAdjustRequest;
import io.holdfast.lua.PoolExpireReply;
import io.holdfast.lua.PoolExpireRequest;
import io.holdfast.lua.PoolInitReply;
import io.holdfast.lua.PoolInitRequest;
import io.holdfast.lua.PoolRebuildBeginReply;
import io.holdfast.lua.PoolRebuildBeginRequest;
import io.holdfast.lua.PoolRebuildLoadReply;
import io.holdfast.lua.PoolRebuildLoadRequest;
import io.holdfast.lua.PoolRebuildOpenReply;
import io.holdfast.lua.PoolRebuildOpenRequest;
import io.holdfast.lua.PoolRepairReply;
import io.holdfast.lua.PoolRepairRequest;
import io.holdfast.lua.PoolStatusReply;
import io.holdfast.lua.PoolStatusRequest;
import io.holdfast.lua.PoolVerifyReply;
import io.holdfast.lua.PoolVerifyRequest;
import io.holdfast.lua.RefundReply;
import io.holdfast.lua.RefundRequest;
import io.holdfast.lua.Sale;
import io.holdfast.lua.TryReply;
import io.holdfast.lua.TryRequest;
import io.holdfast.lua.script.StockScript.OtherKeys;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The descriptors of all scripts. Each line of a descriptor has its line in the header of the script file; a test compares them. */
public final class Scripts {

    /** {@code lua/try.lua}. */
    public static final StockScript<TryRequest, TryReply> TRY =
            refusing(StockScript.<TryRequest, TryReply>ofReservation(
                            "try", OtherKeys.FENCE, TryRequest::pool, TryRequest::reservation)
                    .argument("epoch", POSITIVE, q -> text(q.epoch()))
                    .argument("now", WHOLE, q -> text(q.now()))
                    .argument("reservation", ID, TryRequest::reservation)
                    .argument("quantity", POSITIVE, q -> text(q.quantity()))
                    .result("HELD", a -> new TryReply.Held(a.books(), a.time(), a.repeated()))
                    .result("SHORT", a -> new TryReply.InsufficientStock(a.books(), a.time(), a.repeated()))
                    .result("CLOSED", a -> new TryReply.Closed(a.books(), a.time(), a.repeated()))
                    .result("PAUSED", a -> new TryReply.Paused(a.books(), a.time(), a.repeated()))
                    .result("FENCED", a -> new TryReply.Fenced(a.phase(0), a.books()))
                    .result("CONFLICT", a -> new TryReply.Conflict(a.number(0), a.books())));

    /** {@code lua/order_try.lua}. */
    public static final StockScript<OrderTryRequest, OrderTryReply> ORDER_TRY =
            StockScript.<OrderTryRequest, OrderTryReply>ofGroup(
                            "order_try", OrderTryRequest::pool, OrderTryRequest::reservation)
                    .argument("now", WHOLE, q -> text(q.now()))
                    .argument("reservation", ID, OrderTryRequest::reservation)
                    .argument("group", ID, OrderTryRequest::group)
                    .argument("fate", FATE, q -> q.fate().name())
                    .argument("pools", POOLS, GroupLines::pools)
                    .argument("lines", LINES, GroupLines::lines)
                    .result("HELD", a -> new OrderTryReply.Held(a.books(), a.time(), a.repeated()))
                    .result("SHORT", a -> new OrderTryReply.InsufficientStock(a.books(), a.time(), a.repeated()))
                    .result("CLOSED", a -> new OrderTryReply.Closed(a.books(), a.time(), a.repeated()))
                    .result("PAUSED", a -> new OrderTryReply.Paused(a.books(), a.time(), a.repeated()))
                    .result("OTHER_LINE", a -> new OrderTryReply.OtherLine(a.books(), a.time(), a.repeated()))
                    .result("FENCED", a -> new OrderTryReply.Fenced(a.phase(0), a.books()))
                    .result("CONFLICT", a -> new OrderTryReply.Conflict(a.text(0), a.books()))
                    .result("MISSING", a -> new OrderTryReply.Missing(a.books()))
                    .refusal("MALFORMED", a -> new OrderTryReply.Refused("", new GuardRefusal.Malformed(a.text(0))))
                    .refusal("POOL_MISSING", a -> new OrderTryReply.Refused(a.text(0), new GuardRefusal.PoolMissing()))
                    .refusal(
                            "POOL_SUSPECT",
                            a -> new OrderTryReply.Refused(
                                    a.text(2), new GuardRefusal.PoolSuspect(a.status(0), a.flag(1))))
                    .refusal(
                            "STALE_EPOCH",
                            a -> new OrderTryReply.Refused(a.text(1), new GuardRefusal.StaleEpoch(a.number(0))))
                    .refusal(
                            "BROKEN_BOOKS",
                            a -> new OrderTryReply.Refused(a.text(1), new GuardRefusal.BrokenBooks(a.text(0))));

    /** {@code lua/admit.lua}. */
    public static final StockScript<AdmitRequest, AdmitReply> ADMIT =
            refusing(StockScript.<AdmitRequest, AdmitReply>ofReservation(
                            "admit", OtherKeys.FENCE_AND_GATE, AdmitRequest::pool, AdmitRequest::reservation)
                    .argument("epoch", POSITIVE, q -> text(q.epoch()))
                    .argument("now", WHOLE, q -> text(q.now()))
                    .argument("reservation", ID, AdmitRequest::reservation)
                    .argument("user", ID, AdmitRequest::user)
                    .argument("request", ID, AdmitRequest::request)
                    .argument("quantity", POSITIVE, q -> text(q.quantity()))
                    .argument("deadline", WHOLE, q -> text(q.deadline()))
                    .argument("due_at", WHOLE, q -> text(q.dueAt()))
                    .result("QUEUED", a -> new AdmitReply.Queued(a.moment(0), a.books(), a.time(), a.repeated()))
                    .result("FENCED", a -> new AdmitReply.Fenced(a.phase(0), a.books()))
                    .result("CONFLICT", a -> new AdmitReply.Conflict(a.number(0), a.books()))
                    .result("KNOWN_AS", a -> new AdmitReply.KnownAs(a.text(0), a.books()))
                    .result("MISSING", a -> new AdmitReply.Missing(a.books()))
                    .result("NO_SALE", a -> new AdmitReply.NoSale(a.books()))
                    .result("NOT_STARTED", a -> new AdmitReply.NotStarted(a.moment(0), a.books()))
                    .result("CLOSED", a -> new AdmitReply.Closed(a.books()))
                    .result("PAUSED", a -> new AdmitReply.Paused(a.books()))
                    .result("LIMIT_REACHED", a -> new AdmitReply.LimitReached(a.number(0), a.number(1), a.books()))
                    .result("SOLD_OUT", a -> new AdmitReply.SoldOut(a.books())));

    /** {@code lua/claim_due.lua}. */
    public static final StockScript<ClaimDueRequest, ClaimDueReply> CLAIM_DUE =
            StockScript.<ClaimDueRequest, ClaimDueReply>ofPool(
                            "claim_due", OtherKeys.LIST, ClaimDueRequest::pool, false)
                    .argument("now", WHOLE, q -> text(q.now()))
                    .argument("due_by", WHOLE, q -> text(q.dueBy()))
                    .argument("lease_until", WHOLE, q -> text(q.leaseUntil()))
                    .argument("most", POSITIVE, q -> text(q.most()))
                    .result("CLAIMED", a -> new ClaimDueReply.Claimed(a.flag(0), a.number(1), a.due(2)))
                    .refusal("MALFORMED", a -> new GuardRefusal.Malformed(a.text(0)))
                    .refusal("POOL_MISSING", a -> new GuardRefusal.PoolMissing());

    /** {@code lua/handed_off.lua}. */
    public static final StockScript<HandedOffRequest, HandedOffReply> HANDED_OFF =
            refusing(StockScript.<HandedOffRequest, HandedOffReply>ofReservation(
                            "handed_off",
                            OtherKeys.FENCE_AND_LIST,
                            HandedOffRequest::pool,
                            HandedOffRequest::reservation)
                    .argument("epoch", POSITIVE, q -> text(q.epoch()))
                    .argument("now", WHOLE, q -> text(q.now()))
                    .argument("reservation", ID, HandedOffRequest::reservation)
                    .result(
                            "HANDED_OFF",
                            a -> new HandedOffReply.HandedOff(a.phase(0), a.books(), a.time(), a.repeated()))
                    .result("MISSING", a -> new HandedOffReply.Missing(a.books())));

    /** {@code lua/confirm.lua}. */
    public static final StockScript<ConfirmRequest, ConfirmReply> CONFIRM =
            refusing(StockScript.<ConfirmRequest, ConfirmReply>ofHold(
                            "confirm", ConfirmRequest::pool, ConfirmRequest::reservation, ConfirmRequest::admitted)
                    .argument("epoch", POSITIVE, q -> text(q.epoch()))
                    .argument("now", WHOLE, q -> text(q.now()))
                    .argument("reservation", ID, ConfirmRequest::reservation)
                    .argument("quantity", POSITIVE, q -> text(q.quantity()))
                    .result(
                            "CONFIRMED",
                            a -> new ConfirmReply.Confirmed(a.books(), a.number(1), a.time(), a.repeated()))
                    .result("CONFLICT", a -> new ConfirmReply.Conflict(a.number(0), a.books()))
                    .result("EXCEEDS", a -> new ConfirmReply.Exceeds(a.number(0), a.books()))
                    .result("CONTRADICTION", a -> new ConfirmReply.Contradiction(a.phase(0), a.books()))
                    .result("MISSING", a -> new ConfirmReply.Missing(a.books())));

    /** {@code lua/cancel.lua}. */
    public static final StockScript<CancelRequest, CancelReply> CANCEL =
            refusing(StockScript.<CancelRequest, CancelReply>ofHold(
                            "cancel", CancelRequest::pool, CancelRequest::reservation, CancelRequest::admitted)
                    .argument("epoch", POSITIVE, q -> text(q.epoch()))
                    .argument("now", WHOLE, q -> text(q.now()))
                    .argument("reservation", ID, CancelRequest::reservation)
                    .argument("operation_id", PATH, CancelRequest::operationId)
                    .argument("quantity", POSITIVE, q -> text(q.quantity()))
                    .argument("expect_held", FLAG, q -> text(q.expectHeld()))
                    .result("RELEASED", a -> new CancelReply.Released(a.books(), a.time()))
                    .result("ALREADY_RELEASED", a -> new CancelReply.AlreadyReleased(a.books(), a.time()))
                    .result("FENCED_EMPTY", a -> new CancelReply.FencedEmpty(a.books(), a.time(), a.repeated()))
                    .result("MISSING", a -> new CancelReply.Missing(a.books()))
                    .result("CONFIRMED_ALREADY", a -> new CancelReply.ConfirmedAlready(a.books()))
                    .result(
                            "OTHER_COMPENSATION",
                            a -> new CancelReply.OtherCompensation(a.phase(0), a.text(1), a.books()))
                    .result("MISMATCH", a -> new CancelReply.Mismatch(a.text(0), a.phase(1), a.books())));

    /** {@code lua/refund.lua}. */
    public static final StockScript<RefundRequest, RefundReply> REFUND =
            refusing(StockScript.<RefundRequest, RefundReply>ofHold(
                            "refund", RefundRequest::pool, RefundRequest::reservation, RefundRequest::admitted)
                    .argument("epoch", POSITIVE, q -> text(q.epoch()))
                    .argument("now", WHOLE, q -> text(q.now()))
                    .argument("reservation", ID, RefundRequest::reservation)
                    .argument("operation_id", PATH, RefundRequest::operationId)
                    .argument("refund", ID, RefundRequest::refundId)
                    .argument("quantity", POSITIVE, q -> text(q.quantity()))
                    .argument("restock", FLAG, q -> text(q.restock()))
                    .result(
                            "REFUNDED",
                            a -> new RefundReply.Refunded(a.phase(3), a.number(4), a.books(), a.time(), a.repeated()))
                    .result("CONFLICT", a -> new RefundReply.Conflict(a.number(1), a.flag(2), a.text(0), a.books()))
                    .result("EXCEEDS", a -> new RefundReply.Exceeds(a.number(0), a.books()))
                    .result("CONTRADICTION", a -> new RefundReply.Contradiction(a.phase(0), a.books()))
                    .result("MISSING", a -> new RefundReply.Missing(a.books()))
                    .result("ARCHIVED", a -> new RefundReply.Archived(a.books())));

    /** {@code lua/look.lua}. */
    public static final StockScript<LookRequest, LookReply> LOOK = StockScript.<LookRequest, LookReply>ofReservation(
                    "look", OtherKeys.FENCE, LookRequest::pool, LookRequest::reservation)
            .argument("reservation", ID, LookRequest::reservation)
            .result("SEEN", a -> new LookReply.Seen(a.flag(0), a.status(1), a.books(), a.fence(2)))
            .refusal("MALFORMED", a -> new GuardRefusal.Malformed(a.text(0)))
            .refusal("POOL_MISSING", a -> new GuardRefusal.PoolMissing())
            .refusal("BROKEN_BOOKS", a -> new GuardRefusal.BrokenBooks(a.text(0)));

    /** {@code lua/sold_out.lua}. */
    public static final StockScript<SoldOutLooks, LooksReply> SOLD_OUT = StockScript.<SoldOutLooks, LooksReply>ofLooks(
                    "sold_out", SoldOutLooks::firstPool, SoldOutLooks::keys)
            .argument("looks", LOOKS, SoldOutLooks::lines)
            .result("LOOKED", a -> new LooksReply.Looked(a.text(0)))
            .refusal("MALFORMED", a -> new LooksReply.Refused(new GuardRefusal.Malformed(a.text(0))));

    /** {@code lua/inspect.lua}. */
    public static final StockScript<InspectRequest, InspectReply> INSPECT =
            StockScript.<InspectRequest, InspectReply>ofPool("inspect", OtherKeys.FENCE, InspectRequest::pool, false)
                    .argument("reservation", ID_OR_EMPTY, q -> q.reservation().orElse(""))
                    .result("INSPECTED", a -> new InspectReply.Inspected(a.flag(0), a.fields(1), a.fields(2)))
                    .refusal("MALFORMED", a -> new GuardRefusal.Malformed(a.text(0)))
                    .refusal("POOL_MISSING", a -> new GuardRefusal.PoolMissing());

    /** {@code lua/pool_init.lua}. */
    public static final StockScript<PoolInitRequest, PoolInitReply> POOL_INIT =
            StockScript.<PoolInitRequest, PoolInitReply>ofPool(
                            "pool_init", OtherKeys.OPERATIONS, PoolInitRequest::pool, true)
                    .argument("epoch", POSITIVE, q -> text(q.epoch()))
                    .argument("now", WHOLE, q -> text(q.now()))
                    .argument("operation_id", PATH, PoolInitRequest::operationId)
                    .argument("total", WHOLE, q -> text(q.total()))
                    .argument("sale", SALE_OR_EMPTY, q -> text(q.sale()))
                    .result("CREATED", a -> new PoolInitReply.Created(a.books(), a.time(), a.repeated()))
                    .result("EXISTS", a -> new PoolInitReply.Exists(a.status(0), a.books()))
                    .result("CONFLICT", a -> new PoolInitReply.Conflict(a.books()))
                    .refusal("MALFORMED", a -> new GuardRefusal.Malformed(a.text(0)))
                    .refusal("POOL_SUSPECT", a -> new GuardRefusal.PoolSuspect(a.status(0), a.flag(1)))
                    .refusal("STALE_EPOCH", a -> new GuardRefusal.StaleEpoch(a.number(0)))
                    .refusal("BROKEN_BOOKS", a -> new GuardRefusal.BrokenBooks(a.text(0)));

    /** {@code lua/pool_adjust.lua}. */
    public static final StockScript<PoolAdjustRequest, PoolAdjustReply> POOL_ADJUST =
            refusing(StockScript.<PoolAdjustRequest, PoolAdjustReply>ofPool(
                            "pool_adjust", OtherKeys.OPERATIONS, PoolAdjustRequest::pool, false)
                    .argument("epoch", POSITIVE, q -> text(q.epoch()))
                    .argument("now", WHOLE, q -> text(q.now()))
                    .argument("operation_id", PATH, PoolAdjustRequest::operationId)
                    .argument("new_total", WHOLE, q -> text(q.newTotal()))
                    .argument("baseline_version", POSITIVE, q -> text(q.baselineVersion()))
                    .argument("bound", BOUND, q -> q.bound().name())
                    .result("ADJUSTED", a -> new PoolAdjustReply.Adjusted(a.books(), a.time(), a.repeated()))
                    .result("CONFLICT", a -> new PoolAdjustReply.Conflict(a.books()))
                    .result("OUTDATED", a -> new PoolAdjustReply.Outdated(a.number(0), a.books()))
                    .result("WRONG_STATUS", a -> new PoolAdjustReply.WrongStatus(a.status(0), a.books()))
                    .result("TOO_FEW", a -> new PoolAdjustReply.TooFewAvailable(a.number(0), a.books())));

    /** {@code lua/pool_status.lua}. */
    public static final StockScript<PoolStatusRequest, PoolStatusReply> POOL_STATUS =
            refusing(StockScript.<PoolStatusRequest, PoolStatusReply>ofPool(
                            "pool_status", OtherKeys.OPERATIONS, PoolStatusRequest::pool, true)
                    .argument("epoch", POSITIVE, q -> text(q.epoch()))
                    .argument("now", WHOLE, q -> text(q.now()))
                    .argument("operation_id", PATH, PoolStatusRequest::operationId)
                    .argument("target", STATUS_TARGET, q -> q.target().name())
                    .result(
                            "CHANGED",
                            a -> new PoolStatusReply.Changed(a.status(0), a.books(), a.time(), a.repeated(), a.text(1)))
                    .result("WRONG_STATUS", a -> new PoolStatusReply.WrongStatus(a.status(0), a.books()))
                    .result("STILL_RESERVED", a -> new PoolStatusReply.StillReserved(a.books()))
                    .result("CONFLICT", a -> new PoolStatusReply.Conflict(a.books())));

    /** {@code lua/pool_verify.lua}. */
    public static final StockScript<PoolVerifyRequest, PoolVerifyReply> POOL_VERIFY =
            StockScript.<PoolVerifyRequest, PoolVerifyReply>ofPool(
                            "pool_verify", OtherKeys.OPERATIONS, PoolVerifyRequest::pool, true)
                    .argument("epoch", POSITIVE, q -> text(q.epoch()))
                    .argument("now", WHOLE, q -> text(q.now()))
                    .argument("operation_id", PATH, PoolVerifyRequest::operationId)
                    .argument("version", POSITIVE, q -> text(q.version()))
                    .argument("total", WHOLE, q -> text(q.total()))
                    .argument("deficit", WHOLE, q -> text(q.deficit()))
                    .argument("available", WHOLE, q -> text(q.available()))
                    .argument("reserved", WHOLE, q -> text(q.reserved()))
                    .argument("sold", WHOLE, q -> text(q.sold()))
                    .argument("restore", STATUS_RESTORED, q -> q.restore().name())
                    .result(
                            "VERIFIED",
                            a -> new PoolVerifyReply.Verified(a.status(0), a.books(), a.time(), a.repeated()))
                    .result("DIFFERS", a -> new PoolVerifyReply.Differs(a.status(0), a.books()))
                    .result("NOT_FROZEN", a -> new PoolVerifyReply.NotFrozen(a.status(0), a.books()))
                    .result("CONFLICT", a -> new PoolVerifyReply.Conflict(a.books()))
                    .refusal("MALFORMED", a -> new GuardRefusal.Malformed(a.text(0)))
                    .refusal("POOL_MISSING", a -> new GuardRefusal.PoolMissing())
                    .refusal("BROKEN_BOOKS", a -> new GuardRefusal.BrokenBooks(a.text(0)));

    /** {@code lua/pool_rebuild_begin.lua}. */
    public static final StockScript<PoolRebuildBeginRequest, PoolRebuildBeginReply> POOL_REBUILD_BEGIN =
            StockScript.<PoolRebuildBeginRequest, PoolRebuildBeginReply>ofPool(
                            "pool_rebuild_begin", OtherKeys.OPERATIONS_AND_GATE, PoolRebuildBeginRequest::pool, true)
                    .argument("epoch", POSITIVE, q -> text(q.epoch()))
                    .argument("now", WHOLE, q -> text(q.now()))
                    .argument("operation_id", PATH, PoolRebuildBeginRequest::operationId)
                    .result("BEGUN", a -> new PoolRebuildBeginReply.Begun(a.books(), a.time(), a.repeated(), a.text(0)))
                    .result(
                            "ALREADY_OPEN",
                            a -> new PoolRebuildBeginReply.AlreadyOpen(a.status(0), a.number(1), a.books()))
                    .refusal("MALFORMED", a -> new GuardRefusal.Malformed(a.text(0)))
                    .refusal("STALE_EPOCH", a -> new GuardRefusal.StaleEpoch(a.number(0)));

    /** {@code lua/pool_rebuild_load.lua}. */
    public static final StockScript<PoolRebuildLoadRequest, PoolRebuildLoadReply> POOL_REBUILD_LOAD =
            StockScript.<PoolRebuildLoadRequest, PoolRebuildLoadReply>ofPool(
                            "pool_rebuild_load", OtherKeys.FENCES_AND_GATE, PoolRebuildLoadRequest::pool, false)
                    .argument("epoch", POSITIVE, q -> text(q.epoch()))
                    .argument("now", WHOLE, q -> text(q.now()))
                    .argument("operation_id", PATH, PoolRebuildLoadRequest::operationId)
                    .argument("chunk", POSITIVE, q -> text(q.chunk()))
                    .fences(q -> FenceLines.text(q.fences()), q -> FenceLines.reservations(q.fences()))
                    .result("LOADED", a -> new PoolRebuildLoadReply.Loaded(a.number(0), a.repeated()))
                    .result("OUT_OF_ORDER", a -> new PoolRebuildLoadReply.OutOfOrder(a.number(0)))
                    .result("NOT_BEGUN", a -> new PoolRebuildLoadReply.NotBegun(a.status(0)))
                    .refusal("MALFORMED", a -> new GuardRefusal.Malformed(a.text(0)))
                    .refusal("POOL_MISSING", a -> new GuardRefusal.PoolMissing())
                    .refusal("STALE_EPOCH", a -> new GuardRefusal.StaleEpoch(a.number(0)))
                    .refusal("BROKEN_BOOKS", a -> new GuardRefusal.BrokenBooks(a.text(0)));

    /** {@code lua/pool_rebuild_open.lua}. */
    public static final StockScript<PoolRebuildOpenRequest, PoolRebuildOpenReply> POOL_REBUILD_OPEN =
            StockScript.<PoolRebuildOpenRequest, PoolRebuildOpenReply>ofPool(
                            "pool_rebuild_open", OtherKeys.OPERATIONS_AND_GATE, PoolRebuildOpenRequest::pool, true)
                    .argument("epoch", POSITIVE, q -> text(q.epoch()))
                    .argument("now", WHOLE, q -> text(q.now()))
                    .argument("operation_id", PATH, PoolRebuildOpenRequest::operationId)
                    .argument("chunks", WHOLE, q -> text(q.chunks()))
                    .argument("fence_count", WHOLE, q -> text(q.fences()))
                    .argument("fenced_sold", WHOLE, q -> text(q.fencedSold()))
                    .argument("version", POSITIVE, q -> text(q.version()))
                    .argument("total", WHOLE, q -> text(q.total()))
                    .argument("deficit", WHOLE, q -> text(q.deficit()))
                    .argument("available", WHOLE, q -> text(q.available()))
                    .argument("reserved", WHOLE, q -> text(q.reserved()))
                    .argument("sold", WHOLE, q -> text(q.sold()))
                    .argument("baseline", POSITIVE, q -> text(q.baselineVersion()))
                    .argument("restore", STATUS_RESTORED, q -> q.restore().name())
                    .argument("sale", SALE_OR_EMPTY, q -> text(q.sale()))
                    .result(
                            "OPENED",
                            a -> new PoolRebuildOpenReply.Opened(a.status(0), a.books(), a.time(), a.repeated()))
                    .result("DIFFERS", a -> new PoolRebuildOpenReply.Differs(a.texts()))
                    .result("NOT_BEGUN", a -> new PoolRebuildOpenReply.NotBegun(a.status(0)))
                    .result("STILL_DUE", a -> new PoolRebuildOpenReply.StillDue(a.number(0)))
                    .result("CONFLICT", a -> new PoolRebuildOpenReply.Conflict(a.books()))
                    .refusal("MALFORMED", a -> new GuardRefusal.Malformed(a.text(0)))
                    .refusal("POOL_MISSING", a -> new GuardRefusal.PoolMissing())
                    .refusal("STALE_EPOCH", a -> new GuardRefusal.StaleEpoch(a.number(0)))
                    .refusal("BROKEN_BOOKS", a -> new GuardRefusal.BrokenBooks(a.text(0)));

    /** {@code lua/pool_repair.lua}. */
    public static final StockScript<PoolRepairRequest, PoolRepairReply> POOL_REPAIR =
            refusing(StockScript.<PoolRepairRequest, PoolRepairReply>ofPool(
                            "pool_repair", OtherKeys.OPERATIONS_FENCE_AND_GATE, PoolRepairRequest::pool, false)
                    .argument("epoch", POSITIVE, q -> text(q.epoch()))
                    .argument("now", WHOLE, q -> text(q.now()))
                    .argument("operation_id", PATH, PoolRepairRequest::operationId)
                    .argument("version", POSITIVE, q -> text(q.version()))
                    .argument("total", WHOLE, q -> text(q.total()))
                    .argument("deficit", WHOLE, q -> text(q.deficit()))
                    .argument("available", WHOLE, q -> text(q.available()))
                    .argument("reserved", WHOLE, q -> text(q.reserved()))
                    .argument("sold", WHOLE, q -> text(q.sold()))
                    .argument("seen", SEEN_OR_EMPTY, q -> FenceLines.seen(q.fence()))
                    .argument("fence", FENCE_OR_EMPTY, q -> FenceLines.text(q.fence()))
                    .result("REPAIRED", a -> new PoolRepairReply.Repaired(a.books(), a.time(), a.repeated()))
                    .result("MOVED", a -> new PoolRepairReply.Moved(a.number(0), a.books()))
                    .result("FENCE_MOVED", a -> new PoolRepairReply.FenceMoved(a.text(0), a.books()))
                    .result("CONFLICT", a -> new PoolRepairReply.Conflict(a.books())));

    /** {@code lua/pool_expire.lua}. */
    public static final StockScript<PoolExpireRequest, PoolExpireReply> POOL_EXPIRE =
            refusing(StockScript.<PoolExpireRequest, PoolExpireReply>ofPool(
                            "pool_expire", OtherKeys.OPERATIONS_FENCE_AND_GATE, PoolExpireRequest::pool, false)
                    .argument("epoch", POSITIVE, q -> text(q.epoch()))
                    .argument("now", WHOLE, q -> text(q.now()))
                    .argument("operation_id", PATH, PoolExpireRequest::operationId)
                    .argument("keep", POSITIVE, q -> text(q.keep().toMillis()))
                    .argument("fence", FENCE_OR_EMPTY, q -> FenceLines.nothingOf(q.reservation()))
                    .result("EXPIRES", a -> new PoolExpireReply.Expires(a.books()))
                    .result("WRONG_STATUS", a -> new PoolExpireReply.WrongStatus(a.status(0), a.books())));

    /** All of them. */
    public static final List<StockScript<?, ?>> ALL = List.of(
            TRY,
            ORDER_TRY,
            ADMIT,
            CLAIM_DUE,
            HANDED_OFF,
            CONFIRM,
            CANCEL,
            REFUND,
            LOOK,
            SOLD_OUT,
            INSPECT,
            POOL_INIT,
            POOL_ADJUST,
            POOL_STATUS,
            POOL_VERIFY,
            POOL_REBUILD_BEGIN,
            POOL_REBUILD_LOAD,
            POOL_REBUILD_OPEN,
            POOL_REPAIR,
            POOL_EXPIRE);

    private Scripts() {}

    private static <Q, R> StockScript<Q, R> refusing(StockScript<Q, R> script) {
        return script.refusal("MALFORMED", a -> Scripts.<R>reply(new GuardRefusal.Malformed(a.text(0))))
                .refusal("POOL_MISSING", a -> Scripts.<R>reply(new GuardRefusal.PoolMissing()))
                .refusal("POOL_SUSPECT", a -> Scripts.<R>reply(new GuardRefusal.PoolSuspect(a.status(0), a.flag(1))))
                .refusal("STALE_EPOCH", a -> Scripts.<R>reply(new GuardRefusal.StaleEpoch(a.number(0))))
                .refusal("BROKEN_BOOKS", a -> Scripts.<R>reply(new GuardRefusal.BrokenBooks(a.text(0))));
    }

    /** A guard refusal is a reply of every script it is registered for: {@link GuardRefusal} extends all of their types. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <R> R reply(GuardRefusal refusal) {
        return (R) refusal;
    }

    private static String text(long number) {
        return Long.toString(number);
    }

    private static String text(boolean flag) {
        return flag ? "1" : "0";
    }

    private static String text(Optional<Sale> sale) {
        return sale.map(s -> s.limit() + "," + text(s.opensAt()) + "," + text(s.closesAt()))
                .orElse("");
    }

    private static String text(Instant time) {
        return Long.toString(time.toEpochMilli());
    }
}
