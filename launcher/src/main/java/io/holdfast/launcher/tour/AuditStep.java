package io.holdfast.launcher.tour;

import java.io.IOException;

/** Every step of a reservation, replayed from its journal through the functions that decided it. */
final class AuditStep implements Step {

    @Override
    public String title() {
        return "The audit: every step of the first reservation, and the state after each";
    }

    @Override
    public void walk(Stage stage) throws IOException, InterruptedException {
        var report = stage.report();
        String id = Stage.idOf("ramen", "item-1");
        report.does("./holdfast audit replay " + id);
        var replay = stage.terminal().replay(id);
        replay.text().lines().limit(40).forEach(report::saw);
        report.check("it replays to the end", replay.exitCode() == 0);
        report.check(
                "it ends where the reservation is now: REFUNDED",
                replay.text().contains("ends as  Refunded")
                        && stage.reservation(id).text("/status").equals("REFUNDED"));
    }
}
