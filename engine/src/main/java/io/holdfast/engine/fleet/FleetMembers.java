package io.holdfast.engine.fleet;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Who takes part in some work of the fleet, as PostgreSQL sees it: one that died without a word is seen until its session is missed. */
public final class FleetMembers {

    private static final String ANY = """
        select exists (
            select from pg_locks l
            where l.locktype = 'advisory' and l.objsubid = 2 and l.granted
              and l.classid::bigint = ? and l.objid::bigint::bit(32)::integer = ?
              and l.database = (select d.oid from pg_database d where d.datname = current_database()))
        """;

    private FleetMembers() {}

    /**
     * Whether anybody takes part in this work.
     *
     * @param work the name of the work, as {@link DividedWork#name()} has it
     */
    public static boolean any(Connection session, String work) throws SQLException {
        try (PreparedStatement s = session.prepareStatement(ANY)) {
            s.setLong(1, Integer.toUnsignedLong(Claims.key(work)));
            s.setInt(2, Claims.MEMBER);
            try (ResultSet r = s.executeQuery()) {
                return r.next() && r.getBoolean(1);
            }
        }
    }
}
