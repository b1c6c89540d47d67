package io.holdfast.http.route;

import io.holdfast.http.wire.Pools;
import io.holdfast.json.InputError;
import io.holdfast.json.Parsed;
import io.holdfast.reservation.domain.PoolId;
import java.util.regex.Pattern;

/** Ids in paths, checked before anything is asked. */
final class PathIds {

    private static final Pattern RESERVATION = Pattern.compile("[0-9a-f]{32}");

    private PathIds() {}

    static Parsed<String> reservation(String segment) {
        return RESERVATION.matcher(segment).matches()
                ? Parsed.valid(segment)
                : Parsed.invalid(InputError.path(
                        "reservation_id", InputError.Code.BAD_SYNTAX, "A reservation id is 32 lower-case hex digits."));
    }

    static Parsed<PoolId> pool(String segment) {
        return Pools.parse(segment)
                .map(Parsed::valid)
                .orElseGet(() -> Parsed.invalid(
                        InputError.path("pool", InputError.Code.BAD_SYNTAX, "A pool id is " + Pools.SYNTAX + ".")));
    }
}
