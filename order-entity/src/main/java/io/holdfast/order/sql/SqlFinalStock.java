package io.holdfast.order.sql;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.order.port.BookAnswer;
import io.holdfast.order.port.BooksListener;
import io.holdfast.order.port.FinalStock;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import javax.sql.DataSource;

/** Final stock in PostgreSQL. */
public final class SqlFinalStock implements FinalStock {

    private final Transactions transactions;

    /**
     * @param database connections of a role that may write the tables, with a time-out of their statements
     * @param executor runs what blocks
     */
    public SqlFinalStock(DataSource database, Executor executor) {
        this.transactions = new Transactions(database, executor, BooksListener.NONE);
    }

    @Override
    public CompletionStage<Outcome<TotalAnswer>> setTotal(String activity, String sku, String operationId, long total) {
        return known(transactions.decide(
                connection -> BookAnswer.decided(set(connection, activity, sku, operationId, total))));
    }

    @Override
    public CompletionStage<Outcome<Optional<Numbers>>> find(String activity, String sku) {
        return known(transactions.decide(connection -> BookAnswer.decided(Row.find(
                connection,
                "select * from sku_inventory where activity = ? and sku = ?",
                SqlFinalStock::numbers,
                activity,
                sku))));
    }

    private static <T> CompletionStage<Outcome<T>> known(CompletionStage<Outcome<BookAnswer<T>>> answered) {
        return answered.thenApply(outcome -> switch (outcome) {
            case Outcome.Known<BookAnswer<T>>(BookAnswer<T> answer) ->
                switch (answer) {
                    case BookAnswer.Decided<T>(T value) -> Outcome.known(value);
                    case BookAnswer.Contradicted<T>(String code, var evidence) ->
                        Outcome.unavailable(code + " " + evidence);
                };
            case Outcome.Unknown<BookAnswer<T>>(String why) -> Outcome.unknown(why);
            case Outcome.Unavailable<BookAnswer<T>>(String why) -> Outcome.unavailable(why);
        });
    }

    private static TotalAnswer set(Connection connection, String activity, String sku, String operationId, long total)
            throws SQLException {
        // The first total makes the row, with nothing in it; whoever comes at the same time waits for it.
        Row.write(connection, """
            insert into sku_inventory (
                activity, sku, initial_stock, available_stock, occupied_stock, sold_stock, version)
            values (?, ?, 0, 0, 0, 0, 0)
            on conflict do nothing
            """, activity, sku);
        Numbers before = Row.find(
                        connection,
                        "select * from sku_inventory where activity = ? and sku = ? for no key update",
                        SqlFinalStock::numbers,
                        activity,
                        sku)
                .orElseThrow();
        Optional<Numbers> then = Row.find(
                connection,
                "select * from order_ledger where activity = ? and sku = ? and operation_id = ?",
                SqlFinalStock::numbers,
                activity,
                sku,
                operationId);
        if (then.isPresent()) {
            return then.get().initial() == total
                    ? new TotalAnswer.Done(then.get())
                    : new TotalAnswer.OtherTotal(then.get());
        }
        long delta = total - before.initial();
        if (before.available() + delta < 0) {
            return new TotalAnswer.TooLow(before);
        }
        return new TotalAnswer.Done(Row.find(
                        connection, """
                        with changed as (
                            update sku_inventory
                            set initial_stock = initial_stock + ?, available_stock = available_stock + ?,
                                version = version + 1, updated_at = clock_timestamp()
                            where activity = ? and sku = ?
                            returning *)
                        insert into order_ledger (
                            activity, sku, version, operation_id, action,
                            initial_delta, available_delta, occupied_delta, sold_delta,
                            initial_stock, available_stock, occupied_stock, sold_stock)
                        select activity, sku, version, ?, 'SET_TOTAL', ?, ?, 0, 0,
                               initial_stock, available_stock, occupied_stock, sold_stock
                        from changed
                        returning *
                        """, SqlFinalStock::numbers, delta, delta, activity, sku, operationId, delta, delta)
                .orElseThrow());
    }

    private static Numbers numbers(ResultSet row) throws SQLException {
        return new Numbers(
                row.getLong("initial_stock"),
                row.getLong("available_stock"),
                row.getLong("occupied_stock"),
                row.getLong("sold_stock"),
                row.getLong("version"));
    }
}
