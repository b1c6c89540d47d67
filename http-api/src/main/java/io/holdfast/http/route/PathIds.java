package io.holdfast.http.route;

import io.holdfast.http.wire.Pools;
import io.holdfast.json.Fields;
import io.holdfast.json.InputError;
import io.holdfast.json.Integers;
import io.holdfast.json.Parsed;
import io.holdfast.reservation.domain.Ids;
import io.holdfast.reservation.domain.PoolId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.pekko.http.javadsl.model.HttpResponse;

/** Ids in paths, checked before anything is asked. */
final class PathIds {

    private static final Pattern HEX = Pattern.compile("[0-9a-f]{32}");

    private static final Pattern KEPT = Pattern.compile("[A-Za-z0-9._-]{1,128}");

    private PathIds() {}

    static Parsed<String> reservation(String segment) {
        return HEX.matcher(segment).matches()
                ? Parsed.valid(segment)
                : Parsed.invalid(InputError.path(
                        "reservation_id", InputError.Code.BAD_SYNTAX, "A reservation id is 32 lower-case hex digits."));
    }

    /** A merchant's dish. */
    record Dish(String merchant, String dish) {}

    static Parsed<Dish> dish(String merchant, String dish) {
        List<InputError> errors = new ArrayList<>();
        Map.of("merchant", merchant, "dish", dish).forEach((name, segment) -> {
            if (!Ids.isPart(segment)) {
                errors.add(InputError.path(name, InputError.Code.BAD_SYNTAX, "An id is " + Fields.ID_SYNTAX + "."));
            }
        });
        return errors.isEmpty() ? Parsed.valid(new Dish(merchant, dish)) : new Parsed.Invalid<>(errors);
    }

    /** What an activity sells. */
    record SaleOf(String activity, String sku) {}

    static Parsed<SaleOf> sale(String activity, String sku) {
        List<InputError> errors = new ArrayList<>();
        Map.of("activity", activity, "sku", sku).forEach((name, segment) -> {
            if (!Ids.isPart(segment)) {
                errors.add(InputError.path(name, InputError.Code.BAD_SYNTAX, "An id is " + Fields.ID_SYNTAX + "."));
            }
        });
        return errors.isEmpty() ? Parsed.valid(new SaleOf(activity, sku)) : new Parsed.Invalid<>(errors);
    }

    /** What something of this service's own is called by: a run, an anomaly, a machine. */
    static Parsed<String> kept(String name, String segment) {
        return KEPT.matcher(segment).matches()
                ? Parsed.valid(segment)
                : Parsed.invalid(
                        InputError.path(name, InputError.Code.BAD_SYNTAX, "Must be 1 to 128 of A-Z a-z 0-9 . _ -."));
    }

    /** A number that something was given when it was kept. */
    static Parsed<Long> number(String name, String segment) {
        return Integers.parse(segment)
                .filter(number -> number >= 0)
                .map(Parsed::valid)
                .orElseGet(() ->
                        Parsed.invalid(InputError.path(name, InputError.Code.BAD_SYNTAX, "Must be a whole number.")));
    }

    /** A webhook's. */
    static Parsed<String> webhook(String segment) {
        return HEX.matcher(segment).matches()
                ? Parsed.valid(segment)
                : Parsed.invalid(InputError.path(
                        "webhook_id", InputError.Code.BAD_SYNTAX, "A webhook's id is 32 lower-case hex digits."));
    }

    static Parsed<String> order(String segment) {
        return Ids.isPart(segment)
                ? Parsed.valid(segment)
                : Parsed.invalid(InputError.path(
                        "order_id", InputError.Code.BAD_SYNTAX, "An order id is " + Fields.ID_SYNTAX + "."));
    }

    /** A pool that is there, or is not. */
    static Parsed<PoolId> pool(String segment) {
        return pool(Pools.known(segment));
    }

    /** A pool that is to be. */
    static Parsed<PoolId> newPool(String segment) {
        return pool(Pools.parse(segment));
    }

    /** Where there is no such pool: what is wrong with an id under which none could be made, or else the answer given. */
    static HttpResponse orMistaken(HttpResponse absent, PoolId pool, Exchange exchange) {
        return newPool(pool.value()) instanceof Parsed.Invalid<PoolId>(List<InputError> errors)
                ? Answers.invalid(errors, exchange.path())
                : absent;
    }

    private static Parsed<PoolId> pool(Optional<PoolId> read) {
        return read.map(Parsed::valid)
                .orElseGet(() -> Parsed.invalid(
                        InputError.path("pool", InputError.Code.BAD_SYNTAX, "A pool id is " + Pools.SYNTAX + ".")));
    }
}
