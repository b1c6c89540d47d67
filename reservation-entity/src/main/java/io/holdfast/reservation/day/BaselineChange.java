package io.holdfast.reservation.day;

import java.time.ZoneId;
import java.util.Optional;

/** What came of a request to set a baseline. */
public sealed interface BaselineChange {

    /**
     * It stands as asked.
     *
     * @param created whether there was none before
     */
    record Stands(KeptBaseline kept, boolean created) implements BaselineChange {}

    /**
     * It was changed since the caller looked; nothing was changed.
     *
     * @param kept as it stands; empty when there is none
     */
    record OtherVersion(Optional<KeptBaseline> kept) implements BaselineChange {}

    /**
     * The merchant's days are told by another zone; nothing was changed.
     *
     * @param zone the merchant's
     */
    record OtherZone(ZoneId zone) implements BaselineChange {}
}
