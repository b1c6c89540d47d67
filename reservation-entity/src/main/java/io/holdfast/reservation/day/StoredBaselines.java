package io.holdfast.reservation.day;

import io.holdfast.reservation.domain.BusinessCalendar;
import io.holdfast.reservation.domain.DishBaseline;
import java.sql.SQLException;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.Optional;
import java.util.OptionalLong;

/** Baselines in the database, with the calendars this node goes by. */
public final class StoredBaselines implements Baselines {

    private final BaselineTable table;
    private final MerchantCalendars calendars;
    private final InstantSource clock;

    /** @param clock gives the times of changes */
    public StoredBaselines(BaselineTable table, MerchantCalendars calendars, InstantSource clock) {
        this.table = table;
        this.calendars = calendars;
        this.clock = clock;
    }

    @Override
    public Optional<KeptBaseline> find(String merchant, String dish) throws SQLException {
        return table.find(merchant, dish);
    }

    @Override
    public BaselineChange set(DishBaseline wanted, Optional<ZoneId> zone, OptionalLong expectedVersion, String who)
            throws SQLException {
        Optional<ZoneId> settled = calendars.settled(wanted.merchant());
        if (settled.isPresent() && zone.isPresent() && !zone.equals(settled)) {
            return new BaselineChange.OtherZone(settled.get());
        }
        ZoneId wish = zone.or(() -> settled)
                .orElseGet(() -> calendars.of(wanted.merchant()).zone());
        BaselineChange change = table.set(
                wanted,
                new BaselineTable.WantedZone(wish, zone.isPresent(), settled.isPresent()),
                expectedVersion,
                who,
                clock.instant());
        calendars.refresh();
        return change;
    }

    @Override
    public BaselineWithdrawal withdraw(String merchant, String dish, OptionalLong expectedVersion, String who)
            throws SQLException {
        return table.withdraw(merchant, dish, expectedVersion, who, clock.instant());
    }

    @Override
    public BusinessCalendar calendar(String merchant) {
        return calendars.of(merchant);
    }
}
