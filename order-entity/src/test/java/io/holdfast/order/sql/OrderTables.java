package io.holdfast.order.sql;

import io.holdfast.order.port.FinalStock.Numbers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** Reads the tables for the tests, past the adapter. */
final class OrderTables {

    private final DataSource database;

    OrderTables(DataSource database) {
        this.database = database;
    }

    String status(String orderId) {
        return text("select status from orders where order_id = ?", orderId);
    }

    String payment(String paymentId) {
        return text("select status from payment_record where payment_id = ?", paymentId);
    }

    /** Of this query the first text; NONE where there is no row. */
    String text(String sql, String... parameters) {
        try (Connection connection = database.getConnection();
                PreparedStatement s = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                s.setString(i + 1, parameters[i]);
            }
            try (ResultSet row = s.executeQuery()) {
                return row.next() ? row.getString(1) : "NONE";
            }
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    List<Numbers> changes(String activity, String sku) {
        try (Connection connection = database.getConnection();
                PreparedStatement s = connection.prepareStatement("""
                    select initial_delta, available_delta, occupied_delta, sold_delta, version
                    from order_ledger where activity = ? and sku = ? order by version
                    """)) {
            s.setString(1, activity);
            s.setString(2, sku);
            List<Numbers> all = new ArrayList<>();
            try (ResultSet row = s.executeQuery()) {
                while (row.next()) {
                    all.add(new Numbers(
                            row.getLong(1), row.getLong(2), row.getLong(3), row.getLong(4), row.getLong(5)));
                }
            }
            return all;
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }
}
