package io.holdfast.engine.fleet;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The units one session holds, as advisory locks of that session: they live and die with it. Whoever takes part also holds a shared lock, so
 * that all see in {@code pg_locks} how many they are and what each holds, and come to equal parts without talking to each other.
 */
final class Claims {

    /** Unit number under which everybody who takes part is seen. */
    static final int MEMBER = -1;

    private static final String ALL = """
        select l.pid, l.objid::bigint::bit(32)::integer, l.pid = pg_backend_pid()
        from pg_locks l
        where l.locktype = 'advisory' and l.objsubid = 2 and l.granted and l.classid::bigint = ?
          and l.database = (select d.oid from pg_database d where d.datname = current_database())
        """;

    private final Connection session;
    private final int work;
    private final SortedSet<Integer> units;
    private final SortedSet<Integer> mine = new TreeSet<>();

    Claims(Connection session, String work, SortedSet<Integer> units) {
        this.session = session;
        this.work = key(work);
        this.units = units;
    }

    /** The first number of every lock of this work. */
    static int key(String work) {
        return ("holdfast:" + work).hashCode();
    }

    /** Takes part from now on. */
    void join() throws SQLException {
        call("select pg_advisory_lock_shared(?, ?)", MEMBER);
    }

    SortedSet<Integer> mine() {
        return new TreeSet<>(mine);
    }

    /**
     * Gives one unit up if another member has clearly less, or else takes free ones up to an equal part. Called again and again by everybody,
     * this ends in parts that differ by one at most.
     *
     * @return whether what this session holds has changed
     */
    boolean tend() throws SQLException {
        Map<Integer, Set<Integer>> others = new HashMap<>();
        Set<Integer> taken = new HashSet<>(mine);
        try (PreparedStatement s = session.prepareStatement(ALL)) {
            s.setLong(1, Integer.toUnsignedLong(work));
            try (ResultSet r = s.executeQuery()) {
                while (r.next()) {
                    if (!r.getBoolean(3)) {
                        Set<Integer> its = others.computeIfAbsent(r.getInt(1), _ -> new HashSet<>());
                        if (r.getInt(2) != MEMBER) {
                            its.add(r.getInt(2));
                            taken.add(r.getInt(2));
                        }
                    }
                }
            }
        }
        int least = others.values().stream().mapToInt(Set::size).min().orElse(mine.size());
        if (mine.size() >= least + 2) {
            int given = mine.last();
            call("select pg_advisory_unlock(?, ?)", given);
            mine.remove(given);
            return true;
        }
        int part = Math.ceilDiv(units.size(), others.size() + 1);
        List<Integer> free = new ArrayList<>(units);
        free.removeAll(taken);
        boolean changed = false;
        for (int unit : free) {
            if (mine.size() < part && call("select pg_try_advisory_lock(?, ?)", unit)) {
                mine.add(unit);
                changed = true;
            }
        }
        return changed;
    }

    private boolean call(String lockFunction, int unit) throws SQLException {
        try (PreparedStatement s = session.prepareStatement(lockFunction)) {
            s.setInt(1, work);
            s.setInt(2, unit);
            try (ResultSet r = s.executeQuery()) {
                return r.next() && "t".equals(r.getString(1));
            }
        }
    }
}
