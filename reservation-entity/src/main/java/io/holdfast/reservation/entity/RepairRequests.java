package io.holdfast.reservation.entity;

import io.holdfast.lua.Fence;
import io.holdfast.lua.JournaledFence;
import io.holdfast.lua.Phase;
import io.holdfast.lua.PoolRepairRequest;
import io.holdfast.reservation.domain.FenceRepair;
import io.holdfast.reservation.domain.StockPoolEffect.RepairPool;
import java.time.Instant;
import java.util.Map;

/** A repair as the script takes it. */
final class RepairRequests {

    private RepairRequests() {}

    static PoolRepairRequest of(RepairPool effect, Instant now) {
        var target = effect.repair().target();
        return new PoolRepairRequest(
                effect.pool().value(),
                effect.epoch(),
                effect.operationId(),
                effect.repair().seen().version(),
                target.total(),
                target.deficit(),
                target.available(),
                target.reserved(),
                target.sold(),
                effect.repair().fence().map(RepairRequests::fence),
                now);
    }

    private static PoolRepairRequest.FenceRepair fence(FenceRepair repair) {
        return new PoolRepairRequest.FenceRepair(
                repair.reservationId(),
                repair.seen().map(RepairRequests::seen),
                repair.target().map(target -> target(repair.reservationId(), target)));
    }

    private static Fence seen(FenceRepair.Seen seen) {
        return new Fence(
                Phase.valueOf(seen.phase().name()),
                seen.quantity(),
                seen.confirmed(),
                seen.released(),
                seen.refunded(),
                Map.of());
    }

    private static JournaledFence target(String reservationId, FenceRepair.Target target) {
        return new JournaledFence(
                reservationId,
                Phase.valueOf(target.phase().name()),
                target.quantity(),
                target.confirmed(),
                target.released(),
                target.refunded(),
                ScriptBooks.of(target.hold()),
                ScriptBooks.of(target.latest()),
                target.admitted().map(ScriptAdmission::of),
                target.refunds().stream()
                        .map(refund -> new JournaledFence.Refund(refund.id(), refund.quantity(), refund.restock()))
                        .toList());
    }
}
