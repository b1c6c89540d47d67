package io.holdfast.http.route;

import io.holdfast.json.Fields;
import io.holdfast.json.InputError;
import io.holdfast.json.InputError.Code;
import io.holdfast.json.Integers;
import io.holdfast.json.Parsed;
import io.holdfast.reservation.domain.Ids;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** Query parameters asked for one by one; every fault is collected. Which names are known was checked before. */
final class QueryParameters {

    private final Map<String, String> values;
    private final List<InputError> errors = new ArrayList<>();

    QueryParameters(Map<String, String> values) {
        this.values = values;
    }

    /** A value in a syntax of its own, if it was given. */
    <T> Supplier<Optional<T>> optional(String name, Function<String, Optional<T>> parse, String syntax) {
        String value = values.get(name);
        if (value == null) {
            return Optional::empty;
        }
        Optional<T> read = parse.apply(value);
        if (read.isEmpty()) {
            errors.add(InputError.query(name, Code.BAD_SYNTAX, "Must be " + syntax + "."));
        }
        return () -> read;
    }

    /** An integer of this range. */
    Supplier<Long> integer(String name, long least, long most, long unlessGiven) {
        var read = optional(
                name,
                text -> Integers.parse(text).filter(number -> number >= least && number <= most),
                "a whole number from " + least + " to " + most);
        return () -> read.get().orElse(unlessGiven);
    }

    /** An id, if it was given. */
    Supplier<Optional<String>> id(String name) {
        return optional(name, text -> Ids.isPart(text) ? Optional.of(text) : Optional.empty(), Fields.ID_SYNTAX);
    }

    /** The value built from them, unless there was a fault. */
    <T> Parsed<T> into(Supplier<T> build) {
        return errors.isEmpty() ? Parsed.valid(build.get()) : new Parsed.Invalid<>(errors);
    }
}
