package io.holdfast.http.route;

import io.holdfast.reservation.day.BaselineChange;
import io.holdfast.reservation.day.BaselineWithdrawal;
import io.holdfast.reservation.day.Baselines;
import io.holdfast.reservation.day.KeptBaseline;
import io.holdfast.reservation.domain.BusinessCalendar;
import io.holdfast.reservation.domain.DishBaseline;
import java.time.Instant;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Baselines in memory, for one zone that can't be changed. */
final class TestBaselines implements Baselines {

    static final ZoneId ZONE = ZoneId.of("Europe/Berlin");
    static final Instant CHANGED = Instant.parse("2026-07-25T12:30:00Z");

    private final Map<String, KeptBaseline> kept = new HashMap<>();

    @Override
    public synchronized Optional<KeptBaseline> find(String merchant, String dish) {
        return Optional.ofNullable(kept.get(merchant + ":" + dish));
    }

    @Override
    public synchronized BaselineChange set(
            DishBaseline wanted, Optional<ZoneId> zone, OptionalLong expectedVersion, String who) {
        if (zone.filter(asked -> !asked.equals(ZONE)).isPresent()) {
            return new BaselineChange.OtherZone(ZONE);
        }
        Optional<KeptBaseline> before = find(wanted.merchant(), wanted.dish());
        long version = before.map(KeptBaseline::version).orElse(0L);
        if (expectedVersion.isPresent() && expectedVersion.getAsLong() != version) {
            return new BaselineChange.OtherVersion(before);
        }
        var now = new KeptBaseline(wanted, version + 1, CHANGED, who);
        kept.put(wanted.merchant() + ":" + wanted.dish(), now);
        return new BaselineChange.Stands(now, before.isEmpty());
    }

    @Override
    public synchronized BaselineWithdrawal withdraw(
            String merchant, String dish, OptionalLong expectedVersion, String who) {
        Optional<KeptBaseline> before = find(merchant, dish);
        if (before.isEmpty()) {
            return new BaselineWithdrawal.NoneThere();
        }
        if (expectedVersion.isPresent()
                && expectedVersion.getAsLong() != before.get().version()) {
            return new BaselineWithdrawal.OtherVersion(before.get());
        }
        kept.remove(merchant + ":" + dish);
        return new BaselineWithdrawal.Done();
    }

    @Override
    public BusinessCalendar calendar(String merchant) {
        return new BusinessCalendar(ZONE);
    }
}
