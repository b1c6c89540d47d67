package io.holdfast.launcher.tour;

/** Redis loses everything. Its pools are loaded anew from the journals, by themselves, and what was held is held. */
final class RedisFlushStep implements Step {

    private static final String DISH = "takoyaki";

    @Override
    public String title() {
        return "Redis lost everything: the pool is loaded anew from the journals";
    }

    @Override
    public void walk(Stage stage) throws Exception {
        var report = stage.report();
        stage.create(DISH, 5);
        stage.hold(DISH, "item-8", 2);
        stage.hold(DISH, "item-9", 1);
        stage.confirm(Stage.idOf(DISH, "item-9"));
        report.does("redis-cli FLUSHALL");
        stage.redis().ask("FLUSHALL");
        var held = stage.hold(DISH, "item-10", 1);
        var confirmed = stage.orderCreated(DISH, "item-8", 2);
        var pool = stage.look(DISH);
        var journal = stage.terminal().replay(stage.pool(DISH));
        report.check(
                "who asked meanwhile, and again until it was settled, was not refused: RESERVED",
                held.text("/status").equals("RESERVED"));
        report.check(
                "what was held before is held, and goes on",
                confirmed.text("/status").equals("CONFIRMED"));
        report.check(
                "the numbers are whole: 1 available, 1 reserved, 3 sold",
                Numbers.of(pool).equals(new Numbers(1, 1, 3)));
        report.check(
                "the pool's journal shows its rebuild",
                journal.text().contains("RebuildStarted") && journal.text().contains("PoolRebuilt"));
    }
}
