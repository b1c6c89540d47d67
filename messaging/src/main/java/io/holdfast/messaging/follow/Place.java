package io.holdfast.messaging.follow;

import io.holdfast.engine.projection.Offset;
import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How far a follower has come: all announcements up to here are behind it, none later. Means something within one PostgreSQL cluster alone,
 * as the transaction ids in it do.
 *
 * @param row the last row it was told of
 * @param told how many of that row's announcements; {@link #ALL} once it is done with
 */
public record Place(Offset row, int told) implements Comparable<Place> {

    /** All announcements of the row. */
    public static final int ALL = Integer.MAX_VALUE;

    /** Before everything. */
    public static final Place START = new Place(Offset.START, ALL);

    private static final Pattern TEXT = Pattern.compile("([0-9]{1,18})-([0-9]{1,18})(?:-([0-9]{1,4}))?");

    /** Behind everything this row announces. */
    static Place behind(Offset row) {
        return new Place(row, ALL);
    }

    /** The text of a place; empty if it is none. */
    public static Optional<Place> parse(String text) {
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches()) {
            return Optional.empty();
        }
        var row = new Offset(Long.parseLong(parts.group(1)), Long.parseLong(parts.group(2)));
        return Optional.of(new Place(row, parts.group(3) == null ? ALL : Integer.parseInt(parts.group(3))));
    }

    /** The rows that must be read to go on from here lie behind this. */
    Offset before() {
        return told == ALL ? row : new Offset(row.xid(), row.ordering() - 1);
    }

    /** Digits and hyphens, at most 42 characters. */
    public String text() {
        return row.xid() + "-" + row.ordering() + (told == ALL ? "" : "-" + told);
    }

    @Override
    public int compareTo(Place other) {
        return Comparator.comparing(Place::row).thenComparingInt(Place::told).compare(this, other);
    }
}
