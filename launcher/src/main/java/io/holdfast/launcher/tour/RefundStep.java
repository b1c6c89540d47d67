package io.holdfast.launcher.tour;

/** Units that were sold come back, part by part, each refund once. */
final class RefundStep implements Step {

    @Override
    public String title() {
        return "A refund in two parts, the first asked for twice";
    }

    @Override
    public void walk(Stage stage) {
        String id = Stage.idOf("ramen", "item-1");
        var first = stage.refund(id, "refund-1", 1);
        stage.refund(id, "refund-1", 1);
        var between = stage.look("ramen");
        var second = stage.refund(id, "refund-2", 1);
        var pool = stage.look("ramen");
        var report = stage.report();
        report.check(
                "after the first part it is still CONFIRMED",
                first.text("/status").equals("CONFIRMED"));
        report.check("the part came back once", Numbers.of(between).equals(new Numbers(1, 3, 1)));
        report.check("after the second it is REFUNDED", second.text("/status").equals("REFUNDED"));
        report.check("both units are available again", Numbers.of(pool).equals(new Numbers(2, 3, 0)));
    }
}
