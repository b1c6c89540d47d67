package io.holdfast.launcher.tour;

/** A cancel overtakes its own hold: the hold that comes after it takes nothing. */
final class LateTryStep implements Step {

    @Override
    public String title() {
        return "A cancel that arrives before its hold";
    }

    @Override
    public void walk(Stage stage) {
        String id = Stage.idOf("gyoza", "item-3");
        var canceled = stage.cancel(id);
        var late = stage.hold("gyoza", "item-3", 1);
        var pool = stage.look("gyoza");
        var report = stage.report();
        report.check(
                "the cancel is remembered: CANCELED", canceled.text("/status").equals("CANCELED"));
        report.check("the hold that comes late is refused (409)", late.status() == 409);
        report.check("no unit moved", Numbers.of(pool).equals(new Numbers(1, 0, 0)));
    }
}
