package io.holdfast.launcher.tour;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.launcher.Api;
import io.holdfast.launcher.Api.Answer;
import io.holdfast.launcher.NodeProcess;
import io.holdfast.launcher.Terminal;
import io.holdfast.localstack.RedisServer;
import io.holdfast.reservation.domain.ReservationIds;
import java.time.Duration;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the steps act on, and the requests they share.
 *
 * @param api a shop that calls the node
 * @param node the node, in a process of its own
 * @param redis the Redis it uses
 * @param kafka the Kafka it uses, if it uses one
 * @param sandbox caller of the provider where buyers pay; its steps need Kafka
 * @param terminal runs commands
 * @param report where it is said
 * @param day the business day of pools that are made by hand: one that does not end before the tour does
 */
record Stage(
        Shop api,
        NodeProcess node,
        RedisServer redis,
        Optional<Broker> kafka,
        Api sandbox,
        Terminal terminal,
        Report report,
        LocalDate day) {

    static final String MERCHANT = "noodle-bar";
    static final String ORDER = "order-1";

    /** How long the slowest thing here may take. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    /** Pool of a dish. */
    String pool(String dish) {
        return MERCHANT + ":" + dish + ":" + day;
    }

    /** Asks for a hold of so many units. */
    Answer hold(String dish, String item, long quantity) {
        return said(line(item, quantity, pool(dish)), api.post("/v1/reservations", body(dish, item, quantity)));
    }

    /**
     * Asks for a hold by merchant and dish: the node tells the day, and with it the pool.
     *
     * @param more fields of the request
     */
    Answer holdFor(String merchant, String dish, String item, long quantity, Map<String, String> more) {
        Map<String, Object> body = order(item, quantity);
        body.put("merchant", merchant);
        body.put("dish", dish);
        body.putAll(more);
        String whose = merchant + " " + dish + (more.isEmpty() ? "" : " " + more);
        return said(line(item, quantity, whose), api.post("/v1/reservations", body));
    }

    /** Asks for a hold in a pool that is named, whatever the day. */
    Answer holdIn(String pool, String item, long quantity) {
        Map<String, Object> body = order(item, quantity);
        body.put("pool", pool);
        return said(line(item, quantity, pool), api.post("/v1/reservations", body));
    }

    /** Says what a merchant sets out to be sold of a dish, by day. */
    void setOut(String merchant, String dish, Map<String, ?> baseline) {
        String path = "/v1/baselines/" + merchant + "/" + dish;
        said("PUT " + path + " " + baseline, api.put(path, baseline));
    }

    /** Publishes that the order was created, with this line. */
    void orderCreated(String event, String merchant, String dish, String item, long quantity) throws Exception {
        report.does("publish OrderCreated " + event + " of " + ORDER + " to " + Broker.ORDERS);
        Map<String, ?> line = Map.of("merchant", merchant, "dish", dish, "order_item_id", item, "quantity", quantity);
        broker().publish("OrderCreated", event, ORDER, Map.of("order_id", ORDER, "lines", List.of(line)));
    }

    /** Publishes that an order was not created after all; it names no line, so it is for all of them. */
    void orderFailed(String event, String order, String reason) throws Exception {
        report.does("publish OrderCreatedFailed " + event + " of " + order + " to " + Broker.ORDERS);
        broker().publish("OrderCreatedFailed", event, order, Map.of("order_id", order, "reason", reason));
    }

    /** Tells that the order of a hold was created, by an event where there is Kafka; the reservation then, confirmed in the end. */
    Answer orderCreated(String dish, String item, long quantity) throws Exception {
        String id = idOf(dish, item);
        if (kafka.isEmpty()) {
            return confirm(id);
        }
        orderCreated("evt-" + item, MERCHANT, dish, item, quantity);
        return becomes(id, "CONFIRMED");
    }

    /** A reservation once it has this status, or as it is when patience ends; says nothing. */
    Answer becomes(String reservation, String status) throws InterruptedException {
        return Wait.until(
                PATIENCE,
                () -> reservation(reservation),
                answer -> answer.text("/status").equals(status));
    }

    /** The Kafka of a step that needs one. */
    Broker broker() {
        return kafka.orElseThrow();
    }

    /** As {@link #hold}, saying nothing: for many at once. */
    Answer quietHold(String dish, String item, long quantity) {
        return api.post("/v1/reservations", body(dish, item, quantity));
    }

    /** As {@link #hold}, without waiting until it is settled. */
    Answer holdWithoutWaiting(String dish, String item, long quantity) {
        return said(
                line(item, quantity, pool(dish)) + " (not waiting)",
                api.postWithoutWaiting("/v1/reservations", body(dish, item, quantity)));
    }

    Answer confirm(String reservation) {
        return said(
                "POST …/" + reservation + "/confirm",
                api.post(path(reservation) + "/confirm", Map.of("order_id", ORDER)));
    }

    Answer cancel(String reservation) {
        return said(
                "POST …/" + reservation + "/cancel",
                api.post(path(reservation) + "/cancel", Map.of("order_id", ORDER, "reason", "payment declined")));
    }

    Answer refund(String reservation, String refund, long quantity) {
        return said(
                "POST …/" + reservation + "/refunds " + refund + ", " + quantity + " unit",
                api.post(
                        path(reservation) + "/refunds",
                        Map.of("order_id", ORDER, "refund_id", refund, "quantity", quantity)));
    }

    /** Numbers of a pool as they are now. */
    Answer look(String dish) {
        return said("GET /v1/pools/" + pool(dish), api.get("/v1/pools/" + pool(dish)));
    }

    /** Compares a pool with its journals, whole; says nothing. */
    Answer reconcile(String pool, String mode) {
        return reconcile(Map.of("pool", pool, "mode", mode, "full", true));
    }

    /** Compares all pools with their journals, and all systems with each other; says nothing. */
    Answer reconcileAll() {
        return reconcile(Map.of("all", true, "mode", "dry-run", "full", true));
    }

    private Answer reconcile(Map<String, ?> wish) {
        String run = api.post("/v1/reconciliations", wish).text("/run");
        try {
            return Wait.until(
                    PATIENCE,
                    () -> api.get("/v1/reconciliations/" + run),
                    answer -> !answer.text("/finished_at").isEmpty());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a run was waited for", e);
        }
    }

    /** Says what a comparison found. */
    void show(Answer run) {
        report.does("POST /v1/reconciliations " + run.text("/mode") + " " + run.text("/pool"));
        for (JsonNode finding : run.body().path("findings")) {
            report.saw(finding.path("type").asText() + " "
                    + finding.path("class").asText() + " "
                    + finding.path("state").asText());
            report.saw("  journal: " + finding.path("journal").asText());
            report.saw("  redis:   " + finding.path("redis").asText());
        }
    }

    /** A reservation as it is now; says nothing. */
    Answer reservation(String id) {
        return api.get(path(id));
    }

    /** Makes a pool of its own for a step, so that its numbers are easy to follow. */
    void create(String dish, long total) {
        said(
                "PUT /v1/pools/" + pool(dish) + " total " + total,
                api.put("/v1/pools/" + pool(dish), Map.of("total", total)));
    }

    /** The id an item's reservation has, whether it was asked for yet or not: everybody computes the same. */
    static String idOf(String dish, String item) {
        return ReservationIds.journalFirst(MERCHANT, dish, item);
    }

    private Answer said(String what, Answer answer) {
        report.does(what);
        report.answered(answer);
        return answer;
    }

    private static String path(String reservation) {
        return "/v1/reservations/" + reservation;
    }

    private static String line(String item, long quantity, String pool) {
        return "POST /v1/reservations " + item + ": " + quantity + " of " + pool;
    }

    private Map<String, Object> body(String dish, String item, long quantity) {
        Map<String, Object> body = order(item, quantity);
        body.put("pool", pool(dish));
        return body;
    }

    private static Map<String, Object> order(String item, long quantity) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("order_id", ORDER);
        body.put("order_item_id", item);
        body.put("quantity", quantity);
        return body;
    }
}
