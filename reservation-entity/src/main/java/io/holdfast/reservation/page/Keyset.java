package io.holdfast.reservation.page;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The order of a list, by columns the last of which tells entries apart. A page begins behind the last entry of the page before, wherever
 * that stands by then: what is written meanwhile moves no entry from one page to another, and none is shown twice or left out.
 *
 * @param list name of the list, without blanks: a place in one list is none in another
 * @param falling whether the greatest comes first
 * @param <T> an entry
 */
public record Keyset<T>(String list, List<Key<T>> keys, boolean falling) {

    /** What a column holds. */
    public enum Kind {
        /** A moment, in microseconds. */
        TIME,
        /** Text without blanks, compared byte by byte. */
        TEXT,
        /** A whole number. */
        NUMBER
    }

    /**
     * One column.
     *
     * @param of its value in an entry: an {@link Instant}, a string or a long
     */
    public record Key<T>(String column, Kind kind, Function<T, Object> of) {}

    public Keyset {
        keys = List.copyOf(keys);
    }

    /** The greatest first. */
    @SafeVarargs
    public static <T> Keyset<T> falling(String list, Key<T>... keys) {
        return new Keyset<>(list, List.of(keys), true);
    }

    /** The least first. */
    @SafeVarargs
    public static <T> Keyset<T> rising(String list, Key<T>... keys) {
        return new Keyset<>(list, List.of(keys), false);
    }

    /** The same order of a list of its own, which is of this one thing. */
    public Keyset<T> of(String what) {
        return new Keyset<>(list + ":" + what, keys, falling);
    }

    /** Names the place behind this entry. Opaque to callers: characters of a URL that need no escaping. */
    String cursor(T entry) {
        String place = Stream.concat(
                        Stream.of(list),
                        keys.stream().map(key -> key.of().apply(entry).toString()))
                .collect(Collectors.joining(" "));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(place.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * The values a cursor names, as SQL takes them.
     *
     * @throws IllegalArgumentException if it is not one of this list
     */
    List<Object> place(String cursor) {
        String[] parts = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8).split(" ", -1);
        if (parts.length != keys.size() + 1 || !parts[0].equals(list)) {
            throw new IllegalArgumentException("this is not a cursor of this list");
        }
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            values.add(value(keys.get(i).kind(), parts[i + 1]));
        }
        return values;
    }

    private static Object value(Kind kind, String text) {
        try {
            return switch (kind) {
                case TIME -> OffsetDateTime.ofInstant(Instant.parse(text), ZoneOffset.UTC);
                case TEXT -> text;
                case NUMBER -> Long.parseLong(text);
            };
        } catch (DateTimeException | NumberFormatException e) {
            throw new IllegalArgumentException("this is not a cursor of this list", e);
        }
    }

    /** The condition of what lies behind a place, with a question mark for each value. */
    String behind() {
        return "(" + columns("") + (falling ? ") < (" : ") > (")
                + String.join(", ", Collections.nCopies(keys.size(), "?")) + ")";
    }

    /** What follows {@code order by}. */
    String order() {
        return columns(falling ? " desc" : "");
    }

    private String columns(String suffix) {
        return keys.stream().map(key -> key.column() + suffix).collect(Collectors.joining(", "));
    }
}
