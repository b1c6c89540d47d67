package io.holdfast.http.access;

import java.util.Optional;

/**
 * Every route of the API: where it is, which permission it asks for and whose it must be. The routes are served by these constants and the
 * documents derived from them, so that none can be served that is not here.
 */
public enum ApiRoute {
    POOLS_PUT("POST", "/v1/pools", Permission.STOCK, Whose.BODY),
    POOL_PUT("PUT", "/v1/pools/{pool}", Permission.STOCK, Whose.ADDRESS),
    POOL_GET("GET", "/v1/pools/{pool}", Permission.SEE, Whose.ADDRESS),
    POOL_ADJUST("POST", "/v1/pools/{pool}/adjustments", Permission.STOCK, Whose.ADDRESS),
    POOL_PAUSE("POST", "/v1/pools/{pool}/pause", Permission.STOCK, Whose.ADDRESS),
    POOL_RESUME("POST", "/v1/pools/{pool}/resume", Permission.STOCK, Whose.ADDRESS),
    POOL_CLOSE("POST", "/v1/pools/{pool}/close", Permission.STOCK, Whose.ADDRESS),
    POOL_ARCHIVE("POST", "/v1/pools/{pool}/archive", Permission.STOCK, Whose.ADDRESS),
    POOL_VERIFY("POST", "/v1/pools/{pool}/verify", Permission.OPERATE, Whose.ADDRESS),
    POOL_REBUILD("POST", "/v1/pools/{pool}/rebuild", Permission.OPERATE, Whose.ADDRESS),
    POOL_DIFF("GET", "/v1/pools/{pool}/diff", Permission.SEE, Whose.ADDRESS),
    POOL_LEDGER("GET", "/v1/pools/{pool}/ledger", Permission.AUDIT, Whose.ADDRESS),
    POOL_SNAPSHOT("GET", "/v1/pools/{pool}/snapshot", Permission.AUDIT, Whose.ADDRESS),

    BASELINE_PUT("PUT", "/v1/baselines/{merchant}/{dish}", Permission.STOCK, Whose.ADDRESS),
    BASELINE_GET("GET", "/v1/baselines/{merchant}/{dish}", Permission.SEE, Whose.ADDRESS),
    BASELINE_WITHDRAW("DELETE", "/v1/baselines/{merchant}/{dish}", Permission.STOCK, Whose.ADDRESS),

    RESERVE("POST", "/v1/reservations", Permission.SELL, Whose.BODY),
    RESERVE_LINES("POST", "/v1/orders/{id}/reservations", Permission.SELL, Whose.BODY),
    RESERVATIONS("GET", "/v1/reservations", Permission.SEE_ORDERS, Whose.LIST),
    RESERVATION_GET("GET", "/v1/reservations/{id}", Permission.SEE_ORDERS, Whose.ENTITY),
    RESERVATION_DIFF("GET", "/v1/reservations/{id}/diff", Permission.SEE_ORDERS, Whose.ENTITY),
    RESERVATION_EVENTS("GET", "/v1/reservations/{id}/events", Permission.SEE_ORDERS, Whose.ENTITY),
    RESERVATION_JOURNAL("GET", "/v1/reservations/{id}/journal", Permission.AUDIT, Whose.ENTITY),
    RESERVATION_EVIDENCE("GET", "/v1/reservations/{id}/evidence", Permission.AUDIT, Whose.ENTITY),
    RESERVATION_CONFIRM("POST", "/v1/reservations/{id}/confirm", Permission.SELL, Whose.ENTITY),
    RESERVATION_CANCEL("POST", "/v1/reservations/{id}/cancel", Permission.SELL, Whose.ENTITY),
    RESERVATION_REFUND("POST", "/v1/reservations/{id}/refunds", Permission.SELL, Whose.ENTITY),
    RESERVATION_FREEZE("POST", "/v1/reservations/{id}/freeze", Permission.DECIDE, Whose.ENTITY),
    RESERVATION_RESOLVE("POST", "/v1/reservations/{id}/resolve", Permission.DECIDE, Whose.ENTITY),

    ADMIT("POST", "/v1/sales/{activity}/skus/{sku}/reservations", Permission.BUY, Whose.ADDRESS),

    ORDER_GET("GET", "/v1/orders/{id}", Permission.SEE_ORDERS, Whose.ENTITY),
    ORDER_PAY("POST", "/v1/orders/{id}/payments", Permission.BUY, Whose.ENTITY),
    ORDER_CANCEL("POST", "/v1/orders/{id}/cancel", Permission.CALL_OFF, Whose.ENTITY),
    ORDER_REFUND("POST", "/v1/orders/{id}/refunds", Permission.GIVE_BACK, Whose.ENTITY),
    ORDER_FREEZE("POST", "/v1/orders/{id}/freeze", Permission.DECIDE, Whose.ENTITY),
    ORDER_RESOLVE("POST", "/v1/orders/{id}/resolve", Permission.DECIDE, Whose.ENTITY),

    EVENTS("GET", "/v1/events", Permission.SEE_ORDERS, Whose.LIST),

    WEBHOOKS("GET", "/v1/webhooks", Permission.SEE, Whose.LIST),
    WEBHOOK_CREATE("POST", "/v1/webhooks", Permission.SUBSCRIBE, Whose.BODY),
    WEBHOOK_GET("GET", "/v1/webhooks/{id}", Permission.SEE, Whose.ENTITY),
    WEBHOOK_REMOVE("DELETE", "/v1/webhooks/{id}", Permission.SUBSCRIBE, Whose.ENTITY),
    WEBHOOK_ENABLE("POST", "/v1/webhooks/{id}/enable", Permission.SUBSCRIBE, Whose.ENTITY),
    WEBHOOK_DISABLE("POST", "/v1/webhooks/{id}/disable", Permission.SUBSCRIBE, Whose.ENTITY),
    WEBHOOK_SECRET_ADD("POST", "/v1/webhooks/{id}/secrets", Permission.SUBSCRIBE, Whose.ENTITY),
    WEBHOOK_SECRET_RETIRE("DELETE", "/v1/webhooks/{id}/secrets/{version}", Permission.SUBSCRIBE, Whose.ENTITY),
    WEBHOOK_DELIVERIES("GET", "/v1/webhooks/{id}/deliveries", Permission.SEE, Whose.ENTITY),
    WEBHOOK_DELIVERY("GET", "/v1/webhooks/{id}/deliveries/{delivery}", Permission.SEE, Whose.ENTITY),
    WEBHOOK_DELIVERY_REPLAY(
            "POST", "/v1/webhooks/{id}/deliveries/{delivery}/replay", Permission.SUBSCRIBE, Whose.ENTITY),
    WEBHOOK_REPLAY("POST", "/v1/webhooks/{id}/replay", Permission.SUBSCRIBE, Whose.ENTITY),

    PAYMENT_NOTICE("POST", "/v1/payment-notices", Proof.SIGNATURE),
    PAYMENT_RECONCILE("POST", "/v1/payment-reconciliations", Permission.OPERATE, Whose.FLEET),

    ANOMALIES("GET", "/v1/anomalies", Permission.AUDIT, Whose.LIST),
    ANOMALY_GET("GET", "/v1/anomalies/{id}", Permission.AUDIT, Whose.ENTITY),
    REPAIRS("GET", "/v1/repairs", Permission.AUDIT, Whose.FLEET),

    COMPENSATIONS("GET", "/v1/compensations", Permission.AUDIT, Whose.LIST),
    COMPENSATION_GET("GET", "/v1/compensations/{key}", Permission.AUDIT, Whose.ENTITY),
    COMPENSATION_FREEZE("POST", "/v1/compensations/{key}/freeze", Permission.DECIDE, Whose.ENTITY),
    COMPENSATION_RESOLVE("POST", "/v1/compensations/{key}/resolve", Permission.DECIDE, Whose.ENTITY),
    COMPENSATION_APPROVE("POST", "/v1/compensations/{key}/approve", Permission.DECIDE, Whose.ENTITY),
    COMPENSATION_DECLINE("POST", "/v1/compensations/{key}/decline", Permission.DECIDE, Whose.ENTITY),

    RECONCILE("POST", "/v1/reconciliations", Permission.OPERATE, Whose.FLEET),
    RECONCILIATIONS("GET", "/v1/reconciliations", Permission.AUDIT, Whose.FLEET),
    RECONCILIATION_GET("GET", "/v1/reconciliations/{run}", Permission.AUDIT, Whose.FLEET),

    MACHINES("GET", "/v1/machines", Permission.LEARN, Whose.NOBODY),
    MACHINE_GET("GET", "/v1/machines/{name}", Permission.LEARN, Whose.NOBODY),

    DEAD_LETTERS("GET", "/v1/dead-letters", Permission.AUDIT, Whose.FLEET),
    DEAD_LETTERS_REPLAY("POST", "/v1/dead-letters/replay", Permission.OPERATE, Whose.FLEET),
    PARKED_EVENTS("GET", "/v1/parked-events", Permission.AUDIT, Whose.FLEET),
    PARKED_EVENTS_RETRY("POST", "/v1/parked-events/retry", Permission.OPERATE, Whose.FLEET),
    PARKED_EVENT_DISCARD("POST", "/v1/parked-events/{id}/discard", Permission.OPERATE, Whose.FLEET),
    EVENT_REPLAY("POST", "/v1/event-replays", Permission.OPERATE, Whose.FLEET),
    EVENT_REPLAY_GET("GET", "/v1/event-replays/{id}", Permission.AUDIT, Whose.FLEET),

    LIVE("GET", "/health/live", Proof.NONE),
    READY("GET", "/health/ready", Proof.NONE),
    METRICS("GET", "/metrics", Proof.NONE),
    INDEX("GET", "/", Proof.NONE),
    ROUTES("GET", "/v1", Proof.NONE),
    PROBLEMS("GET", "/errors", Proof.NONE),
    PROBLEM("GET", "/errors/{code}", Proof.NONE),
    OPENAPI_YAML("GET", "/openapi.yaml", Proof.NONE),
    OPENAPI_JSON("GET", "/openapi.json", Proof.NONE),
    PAGES("GET", "/docs", Proof.NONE),
    PAGE("GET", "/docs/{page}", Proof.NONE),
    FOLDER_PAGE("GET", "/docs/{folder}/{page}", Proof.NONE);

    /** How whoever calls proves to be allowed to. */
    public enum Proof {
        /** Not at all: nothing there is secret. */
        NONE,
        /** By signing what is sent. */
        SIGNATURE,
        /** By a bearer token. */
        TOKEN
    }

    private final String method;
    private final String template;
    private final Proof proof;
    private final Optional<Permission> permission;
    private final Whose whose;

    ApiRoute(String method, String template, Permission permission, Whose whose) {
        this(method, template, Proof.TOKEN, Optional.of(permission), whose);
    }

    ApiRoute(String method, String template, Proof proof) {
        this(method, template, proof, Optional.empty(), Whose.NOBODY);
    }

    ApiRoute(String method, String template, Proof proof, Optional<Permission> permission, Whose whose) {
        this.method = method;
        this.template = template;
        this.proof = proof;
        this.permission = permission;
        this.whose = whose;
    }

    /** The HTTP method. */
    public String method() {
        return method;
    }

    /** The path, with names in braces for its variable parts. */
    public String template() {
        return template;
    }

    /** How a caller proves to be allowed. */
    public Proof proof() {
        return proof;
    }

    /** What a token must stand for; empty exactly where none is asked for. */
    public Optional<Permission> permission() {
        return permission;
    }

    /** How it is known whose merchant's it is. */
    public Whose whose() {
        return whose;
    }
}
