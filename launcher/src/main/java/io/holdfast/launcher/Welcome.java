package io.holdfast.launcher;

import java.net.URI;
import java.time.LocalDate;
import java.util.List;

/**
 * What a person who has just started the development stack is told. Everything in it can be pasted as it stands, in this order, on any day
 * and however often the stack was started before.
 *
 * @param address where the node serves
 * @param stores where PostgreSQL and Redis are
 * @param events where Kafka is, or that there is none
 * @param data where the data are kept
 * @param today the sample merchant's business day
 * @param pool a sample pool of that day
 * @param remarks what else is to be said, in sentences
 * @param orders where it is said what became of an order
 * @param more arguments that other commands need to find this stack; empty if they find it by themselves
 * @param tokens whether only callers with tokens may call
 */
record Welcome(
        URI address,
        String stores,
        String events,
        String data,
        LocalDate today,
        String pool,
        List<String> remarks,
        URI orders,
        String more,
        boolean tokens) {

    /** The last line: whoever reads along knows that it is all there. */
    static final String LAST_LINE = "Ctrl-C stops it.";

    /** The line that says where the node serves begins like this. */
    static final String SERVES_AT = "Holdfast serves at ";

    Welcome {
        remarks = List.copyOf(remarks);
    }

    @Override
    public String toString() {
        // Order items of a day: the hold of another day would be found again, in another pool.
        String order = "o-" + today;
        return """

            %1$s%2$s
              stores: %3$s
              events: %4$s
              data:   %5$s (kept; remove the folder to begin anew)
            %6$s
            Hold one ramen, see the pool, see what happened%13$s:
              curl -s -X POST %2$s/v1/reservations%12$s -H 'Content-Type: application/json' \\
                   -d '{"pool":"%7$s","order_id":"%8$s","order_item_id":"%8$s-1","quantity":1}'
              curl -s %2$s/v1/pools/%7$s%12$s
              curl -s '%2$s/v1/reservations?order_id=%8$s'%12$s

            All that is to be known of the API:
              curl -s %2$s/

            The first answer has a reservation_id. Every step it took, who asked, and the state after each:
              ./holdfast audit replay RESERVATION_ID%9$s

            An order nobody reports is asked for after reservation.attention-after; say what became of it:
              curl -s -X PUT %10$s/orders/%8$s -d created

            %11$s
            """.formatted(
                        SERVES_AT,
                        address,
                        stores,
                        events,
                        data,
                        remarkLines(),
                        pool,
                        order,
                        more.isEmpty() ? "" : " " + more,
                        orders,
                        LAST_LINE,
                        tokens ? " -H \"Authorization: Bearer $HOLDFAST_TOKEN\"" : "",
                        tokens ? " (with a token of yours in HOLDFAST_TOKEN)" : "");
    }

    private String remarkLines() {
        StringBuilder lines = new StringBuilder();
        remarks.forEach(remark -> lines.append('\n').append(remark));
        return lines.isEmpty() ? "" : lines.append('\n').toString();
    }
}
