package io.holdfast.launcher.tour;

import io.holdfast.launcher.Api.Answer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What steps ask of the sales of an activity, of their orders, and of the sandbox where buyers pay. */
final class Sales {

    private final Stage stage;
    private final String activity;

    Sales(Stage stage, String activity) {
        this.stage = stage;
        this.activity = activity;
    }

    /** Opens a sale. */
    void open(String sku, long units, long limit) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("total", units);
        body.put("sale", FlashSaleStep.window(limit));
        stage.report().does("PUT /v1/pools/" + pool(sku) + " total " + units + ", limit per user " + limit);
        stage.report().answered(stage.api().put("/v1/pools/" + pool(sku), body));
    }

    String pool(String sku) {
        return activity + ":" + sku;
    }

    String path(String sku) {
        return "/v1/sales/" + activity + "/skus/" + sku + "/reservations";
    }

    /** A user's request; says nothing. */
    Answer ask(String sku, String user, String request) {
        return stage.api().post(path(sku), Map.of("user_id", user, "request_id", request, "quantity", 1));
    }

    /** The same user with another request, aloud. */
    Answer twice(String sku, String user) {
        Answer answer = ask(sku, user, "r2");
        stage.report().does("POST " + path(sku) + " by " + user + ", who was let in before");
        stage.report().answered(answer);
        return answer;
    }

    /** Lets a user in and waits for the order. */
    String buy(String sku, String user) throws InterruptedException {
        String id = ask(sku, user, "r1").text("/reservation_id");
        order(id, "CREATED");
        return id;
    }

    /** The order once its status is one of these; the last one seen otherwise. */
    Answer order(String id, String... statuses) throws InterruptedException {
        return Wait.until(
                Stage.PATIENCE,
                () -> stage.api().get("/v1/orders/" + id),
                order -> List.of(statuses).contains(order.text("/status")));
    }

    /** Whether the reservation comes to that status. */
    boolean ends(String id, String status) throws InterruptedException {
        return Wait.until(
                        Stage.PATIENCE,
                        () -> stage.reservation(id),
                        answer -> answer.text("/status").equals(status))
                .text("/status")
                .equals(status);
    }

    /** Pays in the sandbox. */
    void pay(String order, String payment, String outcome) {
        stage.report().does("the buyer of " + order + " pays " + payment + " (" + outcome + ")");
        stage.sandbox()
                .post(
                        "/orders/" + order + "/payments",
                        Map.of("payment_id", payment, "amount", 500, "currency", "EUR", "outcome", outcome));
    }

    Answer cancel(String order) {
        stage.report().does("POST /v1/orders/" + order + "/cancel");
        return stage.api().post("/v1/orders/" + order + "/cancel", Map.of("by", "BUYER"));
    }

    /** What went back of all payments of an order, by the provider's statement. */
    List<Long> refunded(String order) {
        Answer statement = stage.sandbox().get("/statement?from=2020-01-01T00:00:00Z&to=2099-01-01T00:00:00Z");
        return statement
                .body()
                .path("payments")
                .valueStream()
                .filter(line -> line.path("order_id").asText().equals(order))
                .map(line -> line.path("refunded_amount").asLong())
                .toList();
    }
}
