package io.holdfast.reservation.view;

import io.holdfast.reservation.domain.PoolId;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Optional;

/**
 * Walks through the reservations of a pool, page by page, each once, in the order in which they began: a row keeps that moment for ever, so
 * all that are shown when the walk begins are met, whatever becomes of them meanwhile. Those that are added meanwhile may be met or not. When
 * the view is emptied meanwhile, to be built anew, the walk ends too soon: whoever walks looks at that afterwards
 * ({@link io.holdfast.engine.projection.Passage.Passed#rebuilds}).
 */
public final class PoolWalk {

    private static final String PLACE =
            " and (created_at, reservation_id) > ((select created_at from reservation_view where reservation_id = ?),"
                    + " ?)";

    private PoolWalk() {}

    /** The condition, with its parameters, of the page behind a reservation, and its order; to be followed by a limit. */
    public static String next(Optional<String> after) {
        return next(after, "");
    }

    /** Likewise, of rows that satisfy {@code also} as well, which begins with " and"; its parameters come before the limit. */
    public static String next(Optional<String> after, String also) {
        return "pool = ?" + (after.isPresent() ? PLACE : "") + also + " order by created_at, reservation_id limit ?";
    }

    /** Sets the parameters before those of {@code also}; gives the number of the last it has set. */
    public static int set(PreparedStatement statement, PoolId pool, Optional<String> after) throws SQLException {
        int i = 0;
        statement.setString(++i, pool.value());
        if (after.isPresent()) {
            statement.setString(++i, after.get());
            statement.setString(++i, after.get());
        }
        return i;
    }
}
