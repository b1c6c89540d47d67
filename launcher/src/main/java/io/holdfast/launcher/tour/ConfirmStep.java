package io.holdfast.launcher.tour;

/** The order was created: what was reserved is sold. */
final class ConfirmStep implements Step {

    @Override
    public String title() {
        return "The order exists: confirm, twice";
    }

    @Override
    public void walk(Stage stage) {
        String id = Stage.idOf("ramen", "item-1");
        var confirmed = stage.confirm(id);
        var again = stage.confirm(id);
        var pool = stage.look("ramen");
        var report = stage.report();
        report.check(
                "the answer is CONFIRMED, both times",
                confirmed.text("/status").equals("CONFIRMED")
                        && again.text("/status").equals("CONFIRMED"));
        report.check("2 units are sold, once", Numbers.of(pool).equals(new Numbers(0, 3, 2)));
    }
}
