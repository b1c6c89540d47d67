package io.holdfast.it;

/** A point inside the transactions of a sale, as a trigger finds it: whoever comes there for a shut order waits. */
enum Failpoint {
    /** The reservation's journal is about to have a hold that Redis let in. */
    BEFORE_ADOPTED("event_journal", "after insert", type("HoldAdopted"), "persistence_id", false),
    /** The broker has the request for an order, and the reservation's journal is about to say so. */
    BEFORE_MARKED_AS_SENT("event_journal", "after insert", type("OrderRequestSent"), "persistence_id", false),
    /** Nothing is written yet: a transaction that waits here holds up nobody who reads the journal. */
    BEFORE_INBOX_INSERT("consumer_inbox", "before insert", "true", "reservation_id", false),
    AFTER_INBOX_INSERT("consumer_inbox", "after insert", "true", "reservation_id", false),
    AFTER_ORDER_INSERT("orders", "after insert", "true", "order_id", false),
    AFTER_STOCK_DECREMENT("order_ledger", "after insert", "new.action = 'OCCUPY'", "order_id", false),
    IN_COMMIT_OF_CREATION("consumer_inbox", "after insert", "true", "reservation_id", true),
    AFTER_PAYMENT_INSERT("payment_record", "after insert", "true", "order_id", false),
    IN_COMMIT_OF_PAYMENT("payment_record", "after insert", "true", "order_id", true),
    AFTER_CANCEL_PENDING("orders", "after update", "new.status = 'CANCEL_PENDING'", "order_id", false),
    IN_COMMIT_OF_CANCEL_PENDING("orders", "after update", "new.status = 'CANCEL_PENDING'", "order_id", true),
    IN_COMMIT_OF_CANCELLATION("orders", "after update", "new.status = 'CANCELLED'", "order_id", true),
    /** What the transaction decided is about to be in the order's journal; until then its request is not acknowledged. */
    BEFORE_DECIDED_IS_JOURNALED(
            "event_journal",
            "after insert",
            type("OrderCreated", "OrderRejected", "OrderPaid", "OrderCancelled"),
            "persistence_id",
            false),
    /** The same of the mark that comes before a cancellation. */
    BEFORE_CANCEL_PENDING_IS_JOURNALED("event_journal", "after insert", type("CancelMarked"), "persistence_id", false);

    final String table;
    final String event;
    final String when;
    final String order;
    final boolean inCommit;

    /**
     * @param event of the table, and on which side of it
     * @param when condition on the new row
     * @param order column that names the order; what comes before a bar in it does not count
     * @param inCommit when the transaction commits, not when the row is written
     */
    Failpoint(String table, String event, String when, String order, boolean inCommit) {
        this.table = table;
        this.event = event;
        this.when = when;
        this.order = order;
        this.inCommit = inCommit;
    }

    private static String type(String... types) {
        return "journal_json(new.event_payload) ->> 'type' in ('" + String.join("', '", types) + "')";
    }
}
