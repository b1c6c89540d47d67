package io.holdfast.launcher.tour;

import io.holdfast.launcher.Api.Answer;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A crowd before the gate of a sale, a node killed behind it, and every unit that was let in becomes an order all the same. */
final class FlashSaleStep implements Step {

    private static final String ACTIVITY = "spring";
    private static final String SKU = "phone";
    private static final int CROWD = 60;
    private static final int UNITS = 5;

    @Override
    public String title() {
        return "A flash sale: " + CROWD + " users at once for " + UNITS + " units, and the node killed behind the gate";
    }

    @Override
    public boolean needsKafka() {
        return true;
    }

    @Override
    public void walk(Stage stage) throws Exception {
        var report = stage.report();
        Sales sales = new Sales(stage, ACTIVITY);
        sales.open(SKU, UNITS, 2);
        Map<String, Answer> answers = everybodyAtOnce(sales);
        List<String> letIn = new ArrayList<>();
        answers.forEach((user, answer) -> {
            if (answer.text("/status").equals("QUEUED")) {
                letIn.add(answer.text("/reservation_id"));
            }
        });
        long soldOut = answers.values().stream()
                .filter(answer -> answer.text("/code").equals("SOLD_OUT"))
                .count();
        report.does(CROWD + " × POST " + sales.path(SKU) + ", 1 each, at once");
        report.saw(letIn.size() + " QUEUED, " + soldOut + " SOLD_OUT");
        report.does("SIGKILL to the node, process " + stage.node().pid() + ", and started again");
        stage.node().kill();
        stage.node().restart();
        String user = answers.entrySet().stream()
                .filter(one -> one.getValue().text("/status").equals("QUEUED"))
                .findFirst()
                .orElseThrow()
                .getKey();
        Answer again = sales.ask(SKU, user, "r1");
        List<String> orders = new ArrayList<>();
        for (String id : letIn) {
            orders.add(sales.order(id, "CREATED").text("/status"));
        }
        report.does(letIn.size() + " × GET /v1/orders/…");
        report.saw(String.join(", ", orders));
        Answer second = sales.twice(SKU, user);
        report.check(
                "exactly " + UNITS + " were let in, all others were told SOLD_OUT",
                letIn.size() == UNITS && soldOut == CROWD - UNITS);
        report.check(
                "who was let in and asks again hears so, under the same id",
                again.text("/status").equals("QUEUED") && letIn.contains(again.text("/reservation_id")));
        report.check(
                "every one of them became an order, though the node died",
                orders.stream().allMatch("CREATED"::equals));
        report.check(
                "the same user asks for a second one: SOLD_OUT, since there is none",
                second.text("/code").equals("SOLD_OUT"));
    }

    private static Map<String, Answer> everybodyAtOnce(Sales sales) throws InterruptedException, ExecutionException {
        Map<String, Future<Answer>> asked = new LinkedHashMap<>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < CROWD; i++) {
                String user = "user-" + i;
                Callable<Answer> ask = () -> sales.ask(SKU, user, "r1");
                asked.put(user, threads.submit(ask));
            }
        }
        Map<String, Answer> answers = new LinkedHashMap<>();
        for (var one : asked.entrySet()) {
            answers.put(one.getKey(), one.getValue().get());
        }
        return answers;
    }

    /** From when to when sales of the tour are open. */
    static Map<String, Object> window(long limit) {
        Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        return Map.of(
                "limit_per_user", limit,
                "opens_at", now.minus(Duration.ofMinutes(1)).toString(),
                "closes_at", now.plus(Duration.ofHours(1)).toString());
    }
}
