package io.holdfast.reservation.day;

import io.holdfast.reservation.domain.BusinessCalendar;
import io.holdfast.reservation.domain.DishBaseline;
import java.sql.SQLException;
import java.time.ZoneId;
import java.util.Optional;
import java.util.OptionalLong;

/** What merchants set out to sell, and when their days are. Blocking, except for calendars. */
public interface Baselines {

    /** The baseline of a dish, unless it has none. */
    Optional<KeptBaseline> find(String merchant, String dish) throws SQLException;

    /**
     * Sets the baseline of a dish. Pools that exist stay as they are. Asked for what stands already, nothing is changed and all is well,
     * whatever version is expected.
     *
     * @param zone the merchant's; empty to leave it as it is
     * @param expectedVersion the version it is based on, 0 for none; empty where the caller does not care
     * @param who is named as the one who did it
     */
    BaselineChange set(DishBaseline wanted, Optional<ZoneId> zone, OptionalLong expectedVersion, String who)
            throws SQLException;

    /**
     * Withdraws the baseline of a dish. Pools that exist stay as they are.
     *
     * @param expectedVersion the version it is based on; empty where the caller does not care
     * @param who is named as the one who did it
     */
    BaselineWithdrawal withdraw(String merchant, String dish, OptionalLong expectedVersion, String who)
            throws SQLException;

    /** By which calendar the merchant's days are told. */
    BusinessCalendar calendar(String merchant);
}
