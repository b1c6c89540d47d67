package io.holdfast.engine.projection;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Table {@code projection_offset} as one worker uses it: where each share that it holds stands. */
final class Offsets {

    private static final String MINE = " where projection = ? and slice_from = any (?)";
    private static final String OBJECT_NOT_IN_PREREQUISITE_STATE = "55000";

    private final String projection;
    private final TreeMap<Integer, Offset> at = new TreeMap<>();

    Offsets(String projection) {
        this.projection = projection;
    }

    /** Makes a row for every share that has none: such a share begins before the first event. */
    void create(Connection connection) throws SQLException {
        try (PreparedStatement s =
                connection.prepareStatement("insert into projection_offset (projection, slice_from, slice_to, xid,"
                        + " ordering) values (?, ?, ?, '0', 0) on conflict do nothing")) {
            for (int share = 0; share < Slices.SHARES; share++) {
                s.setString(1, projection);
                s.setInt(2, Slices.share(share).from());
                s.setInt(3, Slices.share(share).to());
                s.addBatch();
            }
            s.executeBatch();
        }
    }

    /** Forgets what was known and reads where these shares stand. */
    void load(Connection connection, SortedSet<Integer> shares) throws SQLException {
        at.clear();
        try (PreparedStatement s =
                connection.prepareStatement("select slice_from, xid::text, ordering from projection_offset" + MINE)) {
            mine(connection, s, 1, shares);
            try (ResultSet r = s.executeQuery()) {
                while (r.next()) {
                    at.put(
                            r.getInt(1) * Slices.SHARES / Slices.COUNT,
                            new Offset(Long.parseLong(r.getString(2)), r.getLong(3)));
                }
            }
        }
        if (!at.keySet().equals(shares)) {
            throw moved(shares);
        }
    }

    SortedSet<Integer> shares() {
        return new TreeSet<>(at.keySet());
    }

    Offset of(int share) {
        Offset offset = at.get(share);
        if (offset == null) {
            throw new IllegalStateException("share " + share + " of " + projection + " is not held");
        }
        return offset;
    }

    /** The shares that are furthest behind. At least one is held. */
    Group lowest() {
        TreeSet<Offset> distinct = new TreeSet<>(at.values());
        Offset lowest = distinct.first();
        TreeSet<Integer> shares = new TreeSet<>();
        at.forEach((share, offset) -> {
            if (offset.equals(lowest)) {
                shares.add(share);
            }
        });
        return new Group(shares, Slices.ofShares(shares), lowest, Optional.ofNullable(distinct.higher(lowest)));
    }

    /** Moves a group within the current transaction; fails if one of its shares is not where this worker left it. */
    void move(Connection connection, SortedSet<Integer> shares, Offset from, Offset to) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement("update projection_offset"
                + " set xid = cast(? as xid8), ordering = ?, updated_at = now()" + MINE
                + " and xid = cast(? as xid8) and ordering = ?")) {
            s.setString(1, Long.toString(to.xid()));
            s.setLong(2, to.ordering());
            mine(connection, s, 3, shares);
            s.setString(5, Long.toString(from.xid()));
            s.setLong(6, from.ordering());
            if (s.executeUpdate() != shares.size()) {
                throw moved(shares);
            }
        }
    }

    /** The move was committed. */
    void nowAt(SortedSet<Integer> shares, Offset offset) {
        shares.forEach(share -> at.put(share, offset));
    }

    private void mine(Connection connection, PreparedStatement s, int first, Collection<Integer> shares)
            throws SQLException {
        s.setString(first, projection);
        s.setArray(
                first + 1,
                connection.createArrayOf(
                        "integer",
                        shares.stream().map(share -> Slices.share(share).from()).toArray()));
    }

    private SQLException moved(SortedSet<Integer> shares) {
        return new SQLException(
                "the offsets of projection " + projection + ", shares " + shares
                        + ", are not where this node left them",
                OBJECT_NOT_IN_PREREQUISITE_STATE);
    }
}
