package io.holdfast.launcher.tour;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.launcher.Api.Answer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** An order of two lines, one of them short: each on its own, where the order decides; and all or nothing. */
final class OrderLinesStep implements Step {

    /** Pools of one day of this merchant share a hash tag. */
    static final String MERCHANT = "dumpling-house";

    private static final String PLENTY = "bao";
    private static final String SHORT = "siu-mai";
    private static final Numbers UNTOUCHED = new Numbers(5, 0, 0);

    @Override
    public String title() {
        return "An order of two lines, one of them short: each on its own, or all or nothing";
    }

    @Override
    public void walk(Stage stage) throws Exception {
        stage.api().put("/v1/pools/" + pool(stage, PLENTY), Map.of("total", 5));
        stage.api().put("/v1/pools/" + pool(stage, SHORT), Map.of("total", 1));
        var report = stage.report();

        Answer each = order(stage, "order-each", false, 2);
        Numbers heldMeanwhile = Numbers.of(stage.api().get("/v1/pools/" + pool(stage, PLENTY)));
        Answer canceled = failed(stage, each.text("/lines/0/reservation_id"));
        report.answered(canceled);
        report.check(
                "each on its own: one is held, the other sold out, and nothing is released because of that",
                each.status() == 207
                        && lines(each).equals(List.of("RESERVED", "SOLD_OUT"))
                        && heldMeanwhile.equals(new Numbers(3, 2, 0)));
        report.check(
                "the order fails, and the held line goes back",
                canceled.text("/status").equals("CANCELED")
                        && Numbers.of(look(stage)).equals(UNTOUCHED));

        Answer none = order(stage, "order-none", true, 2);
        report.check(
                "all or nothing: nothing is held, and nothing had to be given back",
                none.text("/result").equals("NONE_HELD")
                        && lines(none).equals(List.of("OTHER_LINE_NOT_HELD", "SOLD_OUT"))
                        && Numbers.of(look(stage)).equals(UNTOUCHED));
        Answer all = order(stage, "order-all", true, 1);
        report.check(
                "with enough of both, both are held",
                all.status() == 201 && lines(all).equals(List.of("RESERVED", "RESERVED")));
    }

    /** The order system has decided: the order fails. What becomes of the line that is held. */
    private static Answer failed(Stage stage, String held) throws Exception {
        if (stage.kafka().isPresent()) {
            stage.orderFailed("evt-each", "order-each", "a line was sold out");
            return stage.becomes(held, "CANCELED");
        }
        stage.report().does("POST …/" + held + "/cancel: the order failed");
        return stage.api()
                .post(
                        "/v1/reservations/" + held + "/cancel",
                        Map.of("order_id", "order-each", "reason", "a line was sold out"));
    }

    private static String pool(Stage stage, String dish) {
        return MERCHANT + ":" + dish + ":" + stage.day();
    }

    private static Answer look(Stage stage) {
        return stage.api().get("/v1/pools/" + pool(stage, PLENTY));
    }

    private static Answer order(Stage stage, String order, boolean allOrNothing, int quantity) {
        List<Map<String, Object>> lines = new ArrayList<>();
        for (String dish : List.of(PLENTY, SHORT)) {
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("order_item_id", order + "-" + dish);
            line.put("pool", pool(stage, dish));
            line.put("quantity", quantity);
            lines.add(line);
        }
        stage.report()
                .does("POST /v1/orders/" + order + "/reservations " + quantity + " of " + PLENTY + ", " + quantity
                        + " of " + SHORT + (allOrNothing ? ", all or nothing" : ""));
        Answer answer = stage.api()
                .post("/v1/orders/" + order + "/reservations", Map.of("lines", lines, "all_or_nothing", allOrNothing));
        stage.report().saw(answer.status() + " " + answer.text("/result") + " " + lines(answer));
        return answer;
    }

    /** Of each line its status, or why it is not held. */
    private static List<String> lines(Answer answer) {
        List<String> said = new ArrayList<>();
        for (JsonNode line : answer.body().path("lines")) {
            said.add(line.at("/problem/code")
                    .asText(line.at("/reservation/status").asText("")));
        }
        return said;
    }
}
