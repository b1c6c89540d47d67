package io.holdfast.launcher.tour;

import java.io.IOException;

/** A Redis that restarted may have lost the last moments: no pool is served until it was compared with the journals. */
final class RedisRestartStep implements Step {

    @Override
    public String title() {
        return "Redis restarted: the pool is suspect until it is compared with the journals";
    }

    @Override
    public void walk(Stage stage) throws InterruptedException, IOException {
        var report = stage.report();
        report.does("stop Redis, start Redis; its data are on the disk");
        stage.redis().stop();
        stage.redis().start();
        var held = stage.hold("tempura", "item-5", 1);
        var pool = stage.look("tempura");
        report.does("./holdfast audit replay " + stage.pool("tempura"));
        var replay = stage.terminal().replay(stage.pool("tempura"));
        replay.text().lines().filter(line -> line.matches(" *\\d+  .*")).forEach(report::saw);
        report.check(
                "the hold was not lost and not refused: who asks again until it is settled hears RESERVED",
                held.text("/status").equals("RESERVED"));
        report.check(
                "the pool's journal shows that it was suspect and compared",
                replay.text().contains("SuspicionRaised") && replay.text().contains("PoolReopened"));
        report.check(
                "the numbers are whole: 2 available, 2 reserved",
                Numbers.of(pool).equals(new Numbers(2, 2, 0)));
    }
}
