package io.holdfast.http.wire;

/** The addresses answers point to. Ids have no character that a path would have to escape. */
public final class Paths {

    private Paths() {}

    /** Where a reservation is read. */
    public static String reservation(String id) {
        return "/v1/reservations/" + id;
    }

    /** Where the order of a hold that came in by a gate is read. */
    public static String order(String id) {
        return "/v1/orders/" + id;
    }

    /** Where a reservation's journal is read. */
    public static String journal(String id) {
        return "/v1/reservations/" + id + "/journal";
    }

    /** Where the reservations of an order are listed. */
    public static String ofOrder(String orderId) {
        return "/v1/reservations?order_id=" + orderId;
    }

    /** Where a compensation is read. */
    public static String compensation(String key) {
        return "/v1/compensations/" + key;
    }

    /** Where an anomaly is read. */
    public static String anomaly(String id) {
        return "/v1/anomalies/" + id;
    }

    /** Where a pool is read. */
    public static String pool(String id) {
        return "/v1/pools/" + id;
    }

    /** Where units of a sale are asked for. */
    public static String gate(String activity, String sku) {
        return "/v1/sales/" + activity + "/skus/" + sku + "/reservations";
    }

    /** Where a run of reconciliation is read. */
    public static String reconciliation(String id) {
        return "/v1/reconciliations/" + id;
    }
}
