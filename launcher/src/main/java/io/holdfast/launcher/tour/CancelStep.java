package io.holdfast.launcher.tour;

/** The order will never exist: what was held is available again, and the id has ended. */
final class CancelStep implements Step {

    @Override
    public String title() {
        return "The order failed: cancel gives the unit back, and a confirm that comes too late moves nothing";
    }

    @Override
    public void walk(Stage stage) {
        stage.create("gyoza", 1);
        stage.hold("gyoza", "item-2", 1);
        String id = Stage.idOf("gyoza", "item-2");
        var canceled = stage.cancel(id);
        var late = stage.confirm(id);
        var pool = stage.look("gyoza");
        var report = stage.report();
        report.check("the answer is CANCELED", canceled.text("/status").equals("CANCELED"));
        report.check("the late confirm is refused as a conflict (409)", late.status() == 409);
        report.check(
                "the unit is available again, none is sold", Numbers.of(pool).equals(new Numbers(1, 0, 0)));
    }
}
