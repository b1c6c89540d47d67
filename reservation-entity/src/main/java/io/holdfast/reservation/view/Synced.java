package io.holdfast.reservation.view;

import io.holdfast.reservation.domain.Books;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/**
 * Whether the ledger has what a reservation did to its pool.
 *
 * @param status how it is
 * @param at epoch and version of the pool up to which the ledger has it; empty before the first
 */
public record Synced(Status status, Optional<Version> at) {

    /** Of a reservation that has done nothing to its pool yet. */
    public static final Synced NOTHING = new Synced(Status.NONE, Optional.empty());

    /** How it is. The names are stored. */
    public enum Status {
        /** No operation has ended yet. */
        NONE,
        /** The ledger has all of it. */
        SYNCED,
        /** The ledger lacks something, and that will not come by itself: it contradicts another change, or an event was left out. */
        DEAD
    }

    /** What orders the changes of a pool. */
    public record Version(long epoch, long version) {}

    /** With all that led to these numbers in the ledger. What it once lacks it lacks for good. */
    Synced with(Optional<Books> latest) {
        return status == Status.DEAD || latest.isEmpty()
                ? this
                : new Synced(Status.SYNCED, latest.map(books -> new Version(books.epoch(), books.version())));
    }

    /** With something missing. */
    Synced dead() {
        return new Synced(Status.DEAD, at);
    }

    /** From epoch, version and status, in columns from this one on. */
    static Synced read(ResultSet r, int column) throws SQLException {
        long epoch = r.getLong(column);
        Optional<Version> at = r.wasNull() ? Optional.empty() : Optional.of(new Version(epoch, r.getLong(column + 1)));
        return new Synced(Status.valueOf(r.getString(column + 2)), at);
    }
}
