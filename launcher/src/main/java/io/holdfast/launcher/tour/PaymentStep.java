package io.holdfast.launcher.tour;

import io.holdfast.launcher.Api.Answer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;

/** Buyers who pay, pay twice, pay late, and pay while they cancel: money and goods end together, each once. */
final class PaymentStep implements Step {

    private static final String SKU = "lamp";

    @Override
    public String title() {
        return "Paying, cancelling, both at once, too late, and twice";
    }

    @Override
    public boolean needsKafka() {
        return true;
    }

    @Override
    public void walk(Stage stage) throws Exception {
        var report = stage.report();
        var sales = new Sales(stage, "spring");
        sales.open(SKU, 10, 2);

        String paid = sales.buy(SKU, "ann");
        sales.pay(paid, "pay-ann", "DOUBLE");
        boolean isPaid = sales.order(paid, "PAID").text("/status").equals("PAID");
        boolean isSold = sales.ends(paid, "CONFIRMED");
        List<Long> twice = Wait.until(Stage.PATIENCE, () -> sales.refunded(paid), back -> back.contains(500L));

        String duplicate = sales.twice(SKU, "ann").text("/reservation_id");
        Answer rejected = sales.order(duplicate, "REJECTED");
        report.answered(rejected);
        boolean givenBack = sales.ends(duplicate, "CANCELED");

        String raced = sales.buy(SKU, "bob");
        String winner = race(sales, raced);
        report.saw("the race ended " + winner);
        boolean together = sales.ends(raced, winner.equals("PAID") ? "CONFIRMED" : "REFUNDED");

        String late = sales.buy(SKU, "cid");
        sales.pay(late, "pay-cid", "LATE");
        sales.cancel(late);
        sales.order(late, "CANCELLED");
        List<Long> lateBack =
                Wait.until(Stage.PATIENCE, () -> sales.refunded(late), back -> back.equals(List.of(500L)));
        Answer reconciled = Wait.until(
                Stage.PATIENCE,
                () -> stage.api().get("/v1/pools/" + sales.pool(SKU)),
                pool -> Numbers.of(pool).reserved() == 0);
        report.answered(reconciled);
        Answer found = stage.reconcile(sales.pool(SKU), "dry-run");
        stage.show(found);

        report.check("the order is paid and its unit sold", isPaid && isSold);
        report.check("who paid twice gets one payment back", twice.size() == 2 && twice.contains(0L));
        report.check(
                "a second order of the same buyer is rejected, and its unit can be sold again",
                rejected.text("/rejection").equals("DUPLICATE_BUYER") && givenBack);
        report.check("paid while cancelled: either both money and goods, or neither", together);
        report.check("money that came after the cancellation went back, once", lateBack.equals(List.of(500L)));
        report.check("a comparison of the sale with its journals finds nothing", found.number("/counts/findings") == 0);
    }

    /** The buyer pays and cancels at once; how the order ended. */
    private static String race(Sales sales, String order) throws InterruptedException {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<Object>> both = List.of(
                    () -> {
                        sales.pay(order, "pay-bob", "SUCCESS");
                        return Map.of();
                    },
                    () -> sales.cancel(order));
            threads.invokeAll(both);
        }
        Answer paid = sales.order(order, "PAID", "CANCELLED");
        return paid.text("/status");
    }
}
