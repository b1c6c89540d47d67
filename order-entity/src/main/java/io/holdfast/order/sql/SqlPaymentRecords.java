package io.holdfast.order.sql;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.order.domain.Money;
import io.holdfast.order.domain.Payment;
import io.holdfast.order.port.PaymentRecords;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import javax.sql.DataSource;

/** Payments on record in PostgreSQL. */
public final class SqlPaymentRecords implements PaymentRecords {

    private final DataSource database;
    private final Executor executor;

    /** @param executor runs what blocks */
    public SqlPaymentRecords(DataSource database, Executor executor) {
        this.database = database;
        this.executor = executor;
    }

    @Override
    public CompletionStage<Outcome<List<OnRecord>>> between(String provider, Instant from, Instant to) {
        try {
            return CompletableFuture.supplyAsync(() -> read(provider, from, to), executor);
        } catch (RejectedExecutionException e) {
            return CompletableFuture.completedFuture(Outcome.unavailable("no room for another question"));
        }
    }

    private Outcome<List<OnRecord>> read(String provider, Instant from, Instant to) {
        try (Connection connection = database.getConnection();
                PreparedStatement s = connection.prepareStatement("""
                    select * from payment_record where provider = ? and paid_at >= ? and paid_at < ? order by paid_at, payment_id
                    """)) {
            s.setString(1, provider);
            s.setObject(2, from.atOffset(ZoneOffset.UTC));
            s.setObject(3, to.atOffset(ZoneOffset.UTC));
            List<OnRecord> found = new ArrayList<>();
            try (ResultSet row = s.executeQuery()) {
                while (row.next()) {
                    found.add(onRecord(row));
                }
            }
            return Outcome.known(found);
        } catch (SQLException e) {
            return Outcome.unavailable("payment_record can't be read: " + e.getMessage());
        }
    }

    private static OnRecord onRecord(ResultSet row) throws SQLException {
        String status = row.getString("status");
        long amount = row.getLong("amount");
        return new OnRecord(
                row.getString("order_id"),
                new Payment(
                        row.getString("payment_id"),
                        row.getString("provider"),
                        row.getString("provider_transaction"),
                        new Money(amount, row.getString("currency")),
                        Row.instant(row, "paid_at")),
                status.equals("RETURNED") ? amount : row.getLong("refunded_amount"),
                status.equals("SURPLUS"));
    }
}
