package io.holdfast.launcher.tour;

/** The same request again is the same hold; the same line with another quantity is refused. */
final class DuplicateStep implements Step {

    @Override
    public String title() {
        return "The same hold again, and once more with another quantity";
    }

    @Override
    public void walk(Stage stage) {
        var again = stage.hold("ramen", "item-1", 2);
        var other = stage.hold("ramen", "item-1", 3);
        var pool = stage.look("ramen");
        var report = stage.report();
        report.check(
                "a repeat is answered like the first time: RESERVED",
                again.text("/status").equals("RESERVED"));
        report.check("other content under the same id is refused (422)", other.status() == 422);
        report.check("nothing moved: 3 available, 2 reserved", Numbers.of(pool).equals(new Numbers(3, 2, 0)));
    }
}
