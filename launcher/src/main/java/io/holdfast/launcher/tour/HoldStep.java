package io.holdfast.launcher.tour;

/** Stock is held the instant it is asked for. */
final class HoldStep implements Step {

    @Override
    public String title() {
        return "A hold: 2 of 5 units";
    }

    @Override
    public void walk(Stage stage) {
        stage.create("ramen", 5);
        var held = stage.hold("ramen", "item-1", 2);
        var pool = stage.look("ramen");
        stage.report().check("the answer is RESERVED", held.text("/status").equals("RESERVED"));
        stage.report()
                .check("2 units are reserved, 3 available", Numbers.of(pool).equals(new Numbers(3, 2, 0)));
    }
}
