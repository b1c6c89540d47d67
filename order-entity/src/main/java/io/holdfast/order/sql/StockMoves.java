package io.holdfast.order.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Moves units of final stock on behalf of an order and writes the ledger, in one statement: the numbers in the ledger are those the move
 * led to. The item's row is locked from here to the end of the transaction, so this comes last in every one.
 */
final class StockMoves {

    private StockMoves() {}

    private static final String MOVE = """
        with moved as (
            update sku_inventory
            set available_stock = available_stock + ?,
                occupied_stock = occupied_stock + ?,
                sold_stock = sold_stock + ?,
                version = version + 1,
                updated_at = clock_timestamp()
            where activity = ? and sku = ?
              and available_stock + ? >= 0 and occupied_stock + ? >= 0 and sold_stock + ? >= 0
            returning *)
        insert into order_ledger (
            activity, sku, version, operation_id, action, order_id,
            initial_delta, available_delta, occupied_delta, sold_delta,
            initial_stock, available_stock, occupied_stock, sold_stock)
        select activity, sku, version, ?, ?, ?, 0, ?, ?, ?, initial_stock, available_stock, occupied_stock, sold_stock
        from moved
        """;

    /** As {@link #MOVE}, for many orders at once: the ledger has a row for each, with the numbers each of them led to. */
    private static final String OCCUPY_ALL = """
        with moved as (
            update sku_inventory
            set available_stock = available_stock - ?,
                occupied_stock = occupied_stock + ?,
                version = version + ?,
                updated_at = clock_timestamp()
            where activity = ? and sku = ? and available_stock >= ?
            returning *)
        insert into order_ledger (
            activity, sku, version, operation_id, action, order_id,
            initial_delta, available_delta, occupied_delta, sold_delta,
            initial_stock, available_stock, occupied_stock, sold_stock)
        select m.activity, m.sku, m.version - ? + u.place, 'CREATE:' || u.order_id, 'OCCUPY', u.order_id,
            0, -u.units, u.units, 0,
            m.initial_stock, m.available_stock + (? - u.upto), m.occupied_stock - (? - u.upto), m.sold_stock
        from moved m, unnest(?::text[], ?::bigint[], ?::bigint[]) with ordinality u (order_id, units, upto, place)
        """;

    /** What an order does to the stock. */
    enum Action {
        /** From available to occupied. */
        OCCUPY(-1, 1, 0),
        /** From occupied to sold. */
        SELL(0, -1, 1),
        /** From occupied to available. */
        RELEASE(1, -1, 0),
        /** From sold to available. */
        RETURN(1, 0, -1);

        private final int available;
        private final int occupied;
        private final int sold;

        Action(int available, int occupied, int sold) {
            this.available = available;
            this.occupied = occupied;
            this.sold = sold;
        }
    }

    /**
     * Moves units, if there are that many where they are to come from.
     *
     * @param item the order's item
     * @param operationId once per item
     * @return whether they moved
     */
    static boolean move(Connection connection, Action action, Item item, String orderId, String operationId, long units)
            throws SQLException {
        long available = action.available * units;
        long occupied = action.occupied * units;
        long sold = action.sold * units;
        return Row.write(
                        connection,
                        MOVE,
                        available,
                        occupied,
                        sold,
                        item.activity(),
                        item.sku(),
                        available,
                        occupied,
                        sold,
                        operationId,
                        action.name(),
                        orderId,
                        available,
                        occupied,
                        sold)
                == 1;
    }

    /**
     * Takes the units of many orders, one after the other.
     *
     * @return whether they moved: all of them, or none
     */
    static boolean occupy(Connection connection, Item item, List<OrderCreations.Asked> orders) throws SQLException {
        Map<String, Long> upTo = new HashMap<>();
        long units = 0;
        for (OrderCreations.Asked order : orders) {
            units = Math.addExact(units, order.request().quantity());
            upTo.put(order.order(), units);
        }
        int moved = Row.write(
                connection,
                OCCUPY_ALL,
                units,
                units,
                orders.size(),
                item.activity(),
                item.sku(),
                units,
                orders.size(),
                units,
                units,
                OrderCreations.texts(connection, orders, OrderCreations.Asked::order),
                OrderCreations.numbers(
                        connection, orders, order -> order.request().quantity()),
                OrderCreations.numbers(connection, orders, order -> upTo.getOrDefault(order.order(), 0L)));
        return moved == orders.size();
    }

    /** An item of a sale. */
    record Item(String activity, String sku) {}
}
