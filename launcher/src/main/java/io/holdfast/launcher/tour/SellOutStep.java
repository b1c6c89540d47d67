package io.holdfast.launcher.tour;

import io.holdfast.launcher.Api;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Many buyers, few units: never one too many. */
final class SellOutStep implements Step {

    private static final int BUYERS = 20;
    private static final int UNITS = 3;

    @Override
    public String title() {
        return BUYERS + " buyers at once for the last " + UNITS + " units";
    }

    @Override
    public void walk(Stage stage) throws InterruptedException, ExecutionException {
        List<Api.Answer> answers = everybodyAtOnce(stage);
        long held = answers.stream()
                .filter(answer -> answer.text("/status").equals("RESERVED"))
                .count();
        long soldOut = answers.stream()
                .filter(answer -> answer.text("/code").equals("SOLD_OUT"))
                .count();
        var report = stage.report();
        report.does(BUYERS + " × POST /v1/reservations, 1 of " + stage.pool("ramen") + " each, at once");
        report.saw(held + " RESERVED, " + soldOut + " SOLD_OUT");
        var pool = stage.look("ramen");
        var again = stage.hold("ramen", "item-1", 2);
        report.check(
                "exactly " + UNITS + " got one, the others were told SOLD_OUT",
                held == UNITS && soldOut == BUYERS - UNITS);
        report.check("5 units are reserved, none is left", Numbers.of(pool).equals(new Numbers(0, 5, 0)));
        report.check(
                "the first hold, asked again after the sell-out, is still RESERVED",
                again.text("/status").equals("RESERVED"));
    }

    private static List<Api.Answer> everybodyAtOnce(Stage stage) throws InterruptedException, ExecutionException {
        List<Callable<Api.Answer>> buyers = new ArrayList<>();
        for (int buyer = 0; buyer < BUYERS; buyer++) {
            String item = "rush-" + buyer;
            buyers.add(() -> stage.quietHold("ramen", item, 1));
        }
        List<Api.Answer> answers = new ArrayList<>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Api.Answer> answer : threads.invokeAll(buyers)) {
                answers.add(answer.get());
            }
        }
        return answers;
    }
}
