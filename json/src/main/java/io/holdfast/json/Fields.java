package io.holdfast.json;

import io.holdfast.json.InputError.Code;
import io.holdfast.json.JsonValue.ArrayValue;
import io.holdfast.json.JsonValue.FractionToken;
import io.holdfast.json.JsonValue.IntegerToken;
import io.holdfast.json.JsonValue.Null;
import io.holdfast.json.JsonValue.ObjectValue;
import io.holdfast.json.JsonValue.Text;
import io.holdfast.reservation.domain.Ids;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one object, asked for one by one. Every fault is collected, so a caller learns all of them at once; a field nobody asked
 * for is a fault too. A field that is absent may be left out, but {@code null} is never a value.
 *
 * <pre>{@code
 * var fields = new Fields(object);
 * var total = fields.integer("total", 0, MAX);
 * return fields.into(() -> new Adjustment(total.get()));
 * }</pre>
 */
public final class Fields {

    /** The largest integer every part of the system keeps exactly: Redis' scripts and JSON readers compute with doubles. */
    public static final long MAX_INTEGER = Ids.LARGEST_QUANTITY;

    /** The syntax of ids, for people. */
    public static final String ID_SYNTAX = "1 to 64 of the characters A-Z a-z 0-9 . _ -";

    private final ObjectValue object;
    private final Set<String> asked = new LinkedHashSet<>();
    private final List<InputError> errors = new ArrayList<>();

    /** The fields of this object. */
    public Fields(ObjectValue object) {
        this.object = object;
    }

    /** An id that must be given. */
    public Supplier<String> id(String name) {
        return required(name, optionalId(name));
    }

    /** An id that may be left out. */
    public Supplier<Optional<String>> optionalId(String name) {
        return parsed(name, value -> idOf(name, value));
    }

    /** An integer of this range that must be given. */
    public Supplier<Long> integer(String name, long least, long most) {
        return required(name, optionalInteger(name, least, most));
    }

    /** An integer of this range that may be left out. */
    public Supplier<Optional<Long>> optionalInteger(String name, long least, long most) {
        return parsed(name, value -> integerOf(name, value, least, most));
    }

    /** A text without control characters that may be left out. */
    public Supplier<Optional<String>> optionalText(String name, int longest) {
        return parsed(name, value -> textOf(name, value, longest));
    }

    /** A point in time (RFC 3339, with its offset) that may be left out. */
    public Supplier<Optional<Instant>> optionalInstant(String name) {
        return parsed(name, value -> instantOf(name, value));
    }

    /** true or false; may be left out. */
    public Supplier<Optional<Boolean>> optionalBool(String name) {
        return parsed(
                name,
                value -> value instanceof JsonValue.Bool(boolean bool)
                        ? Parsed.valid(bool)
                        : wrongType(name, "true or false"));
    }

    /** One of the constants of an enum, as it is written in code; may be left out. */
    public <E extends Enum<E>> Supplier<Optional<E>> optionalChoice(String name, Class<E> type) {
        return parsed(name, value -> choiceOf(name, value, type));
    }

    /** A string in a syntax of its own that may be left out. */
    public <T> Supplier<Optional<T>> optionalString(String name, Function<String, Optional<T>> parse, String syntax) {
        return parsed(
                name,
                value -> value instanceof Text(String text)
                        ? parse.apply(text)
                                .map(Parsed::<T>valid)
                                .orElseGet(() -> Parsed.invalid(
                                        InputError.field(name, Code.BAD_SYNTAX, "Must be " + syntax + ".")))
                        : wrongType(name, "a string"));
    }

    /** A text of people that may be left out, whatever it holds: the receiver must make it fit for where it goes. */
    public Supplier<Optional<String>> optionalFreeText(String name) {
        return parsed(
                name, value -> value instanceof Text(String text) ? Parsed.valid(text) : wrongType(name, "a string"));
    }

    /** An object that may be left out; every fault of it is named with its place. */
    public <T> Supplier<Optional<T>> optionalObject(String name, Function<ObjectValue, Parsed<T>> read) {
        return parsed(
                name,
                value -> value instanceof ObjectValue fields
                        ? below("/" + name, read.apply(fields))
                        : wrongType(name, "an object"));
    }

    /**
     * A list of objects that may be left out; every fault of every element is named with its place.
     *
     * @param most elements, at least 1
     */
    public <T> Supplier<Optional<List<T>>> optionalObjects(
            String name, int most, Function<ObjectValue, Parsed<T>> element) {
        return parsed(
                name,
                value -> elements(
                        name,
                        value,
                        most,
                        (at, one) -> one instanceof ObjectValue fields
                                ? below(at, element.apply(fields))
                                : Parsed.invalid(InputError.body(at, Code.WRONG_TYPE, "Must be an object."))));
    }

    /**
     * A list of ids that may be left out.
     *
     * @param most elements, at least 1
     */
    public Supplier<Optional<List<String>>> optionalIds(String name, int most) {
        return parsed(name, value -> elements(name, value, most, (at, one) -> below(at, idOf("", one))));
    }

    /**
     * A list of strings in a syntax of their own that may be left out.
     *
     * @param most elements, at least 1
     */
    public <T> Supplier<Optional<List<T>>> optionalStrings(
            String name, int most, Function<String, Optional<T>> parse, String syntax) {
        return parsed(
                name,
                value -> elements(
                        name,
                        value,
                        most,
                        (at, one) -> one instanceof Text(String text)
                                ? parse.apply(text)
                                        .map(Parsed::<T>valid)
                                        .orElseGet(() -> Parsed.invalid(
                                                InputError.body(at, Code.BAD_SYNTAX, "Must be " + syntax + ".")))
                                : Parsed.invalid(InputError.body(at, Code.WRONG_TYPE, "Must be a string."))));
    }

    /**
     * An object that gives names of a syntax of their own an integer of this range each; may be left out.
     *
     * @param longest how many names, at least 1
     * @param parse the thing a name stands for, if it is well-formed
     */
    public <K> Supplier<Optional<Map<K, Long>>> optionalIntegers(
            String name, int longest, Function<String, Optional<K>> parse, String syntax, long least, long most) {
        return parsed(name, value -> integersOf(name, value, longest, parse, syntax, least, most));
    }

    /** True when the field was given, rightly or not. */
    public boolean has(String name) {
        return object.fields().containsKey(name);
    }

    /** A fault the caller found, such as two fields that exclude each other. */
    public void fault(String name, Code code, String detail) {
        errors.add(InputError.field(name, code, detail));
    }

    /** The value built from the fields asked for, unless there was a fault or a field nobody asked for. */
    public <T> Parsed<T> into(Supplier<T> build) {
        for (String name : object.fields().keySet()) {
            if (!asked.contains(name)) {
                errors.add(InputError.field(
                        name,
                        Code.UNKNOWN,
                        asked.isEmpty()
                                ? "No field is known here."
                                : "Unknown field; known are " + String.join(", ", asked) + "."));
            }
        }
        return errors.isEmpty() ? Parsed.valid(build.get()) : new Parsed.Invalid<>(errors);
    }

    /** As {@link #into}, but a field nobody asked for is no fault: for senders that have others to tell more. */
    public <T> Parsed<T> intoIgnoringOthers(Supplier<T> build) {
        return errors.isEmpty() ? Parsed.valid(build.get()) : new Parsed.Invalid<>(errors);
    }

    private static <T> Parsed<List<T>> elements(
            String name, JsonValue value, int most, BiFunction<String, JsonValue, Parsed<T>> element) {
        if (!(value instanceof ArrayValue(List<JsonValue> all))) {
            return wrongType(name, "a list");
        }
        if (all.isEmpty() || all.size() > most) {
            return Parsed.invalid(InputError.field(name, Code.OUT_OF_RANGE, "Must have 1 to " + most + " elements."));
        }
        List<T> read = new ArrayList<>();
        List<InputError> faults = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            switch (element.apply(InputError.pointerTo(name) + "/" + i, all.get(i))) {
                case Parsed.Valid<T>(T one) -> read.add(one);
                case Parsed.Invalid<T>(List<InputError> found) -> faults.addAll(found);
            }
        }
        return faults.isEmpty() ? Parsed.valid(List.copyOf(read)) : new Parsed.Invalid<>(faults);
    }

    /** The same, every fault's place told from further up. */
    private static <T> Parsed<T> below(String at, Parsed<T> parsed) {
        return switch (parsed) {
            case Parsed.Valid<T> valid -> valid;
            case Parsed.Invalid<T>(List<InputError> errors) ->
                new Parsed.Invalid<>(errors.stream()
                        .map(error -> InputError.body(
                                error.pointer().equals("/") ? at : at + error.pointer(), error.code(), error.detail()))
                        .toList());
        };
    }

    private <T> Supplier<Optional<T>> parsed(String name, Function<JsonValue, Parsed<T>> parse) {
        asked.add(name);
        JsonValue value = object.fields().get(name);
        if (value == null) {
            return Optional::empty;
        }
        Parsed<T> result = value instanceof Null
                ? Parsed.invalid(
                        InputError.field(name, Code.WRONG_TYPE, "null is no value; leave the field out instead."))
                : parse.apply(value);
        return switch (result) {
            case Parsed.Valid<T>(T read) -> () -> Optional.of(read);
            case Parsed.Invalid<T>(List<InputError> found) -> {
                errors.addAll(found);
                yield Optional::empty;
            }
        };
    }

    private <T> Supplier<T> required(String name, Supplier<Optional<T>> field) {
        if (!has(name)) {
            errors.add(InputError.field(name, Code.MISSING, "This field must be given."));
        }
        return () -> field.get().orElseThrow();
    }

    private static Parsed<String> idOf(String name, JsonValue value) {
        if (!(value instanceof Text(String text))) {
            return wrongType(name, "a string; ids are never numbers");
        }
        return Ids.isPart(text)
                ? Parsed.valid(text)
                : Parsed.invalid(InputError.field(name, Code.BAD_SYNTAX, "An id is " + ID_SYNTAX + "."));
    }

    private static Parsed<Long> integerOf(String name, JsonValue value, long least, long most) {
        Optional<String> token = switch (value) {
            case IntegerToken(String digits) -> Optional.of(digits);
            case FractionToken(String fraction) -> Integers.withoutZeros(fraction);
            case ObjectValue _, ArrayValue _, Text _, JsonValue.Bool _, Null _ -> Optional.empty();
        };
        if (token.isEmpty()) {
            return wrongType(name, "a whole number without an exponent, from " + least + " to " + most);
        }
        Optional<Long> number = Integers.parse(token.get());
        if (number.isEmpty() || number.get() < least || number.get() > most) {
            return Parsed.invalid(InputError.field(
                    name, Code.OUT_OF_RANGE, "Must be a whole number from " + least + " to " + most + "."));
        }
        return Parsed.valid(number.get());
    }

    private static <K> Parsed<Map<K, Long>> integersOf(
            String name,
            JsonValue value,
            int longest,
            Function<String, Optional<K>> parse,
            String syntax,
            long least,
            long most) {
        if (!(value instanceof ObjectValue(Map<String, JsonValue> entries))) {
            return wrongType(name, "an object");
        }
        if (entries.isEmpty() || entries.size() > longest) {
            return Parsed.invalid(InputError.field(name, Code.OUT_OF_RANGE, "Must have 1 to " + longest + " fields."));
        }
        Map<K, Long> read = new LinkedHashMap<>();
        List<InputError> faults = new ArrayList<>();
        entries.forEach((key, entry) -> {
            String pointer = InputError.pointerTo(name) + InputError.pointerTo(key);
            Optional<K> known = parse.apply(key);
            if (known.isEmpty()) {
                faults.add(InputError.body(pointer, Code.BAD_SYNTAX, "The name must be " + syntax + "."));
                return;
            }
            switch (integerOf(key, entry, least, most)) {
                case Parsed.Valid<Long>(Long number) -> read.put(known.get(), number);
                case Parsed.Invalid<Long>(List<InputError> found) ->
                    found.forEach(error -> faults.add(InputError.body(pointer, error.code(), error.detail())));
            }
        });
        return faults.isEmpty() ? Parsed.valid(read) : new Parsed.Invalid<>(faults);
    }

    private static Parsed<String> textOf(String name, JsonValue value, int longest) {
        if (!(value instanceof Text(String text))) {
            return wrongType(name, "a string");
        }
        String fault = textFault(text, longest);
        return fault == null ? Parsed.valid(text) : Parsed.invalid(InputError.field(name, Code.BAD_SYNTAX, fault));
    }

    private static @Nullable String textFault(String text, int longest) {
        if (text.isBlank() || text.length() > longest) {
            return "Must be a text of 1 to " + longest + " characters.";
        }
        boolean unusable = text.codePoints()
                .anyMatch(c ->
                        Character.isISOControl(c) || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE));
        return unusable ? "Must not contain control characters or half of a surrogate pair." : null;
    }

    private static Parsed<Instant> instantOf(String name, JsonValue value) {
        if (!(value instanceof Text(String text))) {
            return wrongType(name, "a string");
        }
        return Timestamps.parse(text)
                .map(Parsed::valid)
                .orElseGet(() ->
                        Parsed.invalid(InputError.field(name, Code.BAD_SYNTAX, "Must be " + Timestamps.SYNTAX + ".")));
    }

    private static <E extends Enum<E>> Parsed<E> choiceOf(String name, JsonValue value, Class<E> type) {
        String known = Stream.of(type.getEnumConstants()).map(Enum::name).collect(Collectors.joining(", "));
        if (!(value instanceof Text(String text))) {
            return wrongType(name, "one of the strings " + known);
        }
        for (E constant : type.getEnumConstants()) {
            if (constant.name().equals(text)) {
                return Parsed.valid(constant);
            }
        }
        return Parsed.invalid(InputError.field(name, Code.BAD_SYNTAX, "Must be one of " + known + "."));
    }

    private static <T> Parsed<T> wrongType(String name, String wanted) {
        return Parsed.invalid(InputError.field(name, Code.WRONG_TYPE, "Must be " + wanted + "."));
    }
}
