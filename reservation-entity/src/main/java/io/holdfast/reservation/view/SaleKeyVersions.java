package io.holdfast.reservation.view;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.SortedSet;
import java.util.TreeSet;
import javax.sql.DataSource;

/** Which versions of secrets the sales keep that are not archived, as far as the view is. */
public final class SaleKeyVersions {

    private final DataSource database;

    /** Of this database. */
    public SaleKeyVersions(DataSource database) {
        this.database = database;
    }

    /** The versions, the lowest first. */
    public SortedSet<Integer> inUse() throws SQLException {
        SortedSet<Integer> versions = new TreeSet<>();
        try (Connection connection = database.getConnection();
                PreparedStatement select = connection.prepareStatement("""
                    select distinct key_version from pool_view where key_version is not null and status <> 'ARCHIVED'
                    """);
                ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                versions.add(rows.getInt(1));
            }
        }
        return versions;
    }
}
