package io.holdfast.launcher.tour;

import java.io.IOException;

/**
 * A node dies in the middle of a hold. To make the middle certain, Redis is stopped in its tracks first: the hold is in the journal and
 * can't go on. Redis then wakes, and may still carry out what the dead node had sent; the new node asks again under the same id.
 */
final class KilledNodeStep implements Step {

    @Override
    public String title() {
        return "A node killed (SIGKILL) in the middle of a hold, and started again";
    }

    @Override
    public void walk(Stage stage) throws IOException, InterruptedException {
        stage.create("tempura", 4);
        var report = stage.report();
        String id = Stage.idOf("tempura", "item-4");
        stage.redis().pause();
        try {
            report.does("SIGSTOP to Redis: it accepts, and answers nothing");
            var accepted = stage.holdWithoutWaiting("tempura", "item-4", 1);
            report.check(
                    "the hold is journaled and not settled: 202, PREPARING",
                    accepted.status() == 202 && accepted.text("/status").equals("PREPARING"));
            report.does("SIGKILL to the node, process " + stage.node().pid());
            stage.node().kill();
        } finally {
            stage.redis().resume();
        }
        report.does("SIGCONT to Redis, and the node started again; nobody asks for the hold");
        stage.node().restart();
        var settled = Wait.until(
                Stage.PATIENCE,
                () -> stage.reservation(id),
                answer -> answer.text("/status").equals("RESERVED"));
        report.answered(settled);
        var again = stage.hold("tempura", "item-4", 1);
        var pool = stage.look("tempura");
        report.check(
                "the hold came to its end by itself: RESERVED",
                settled.text("/status").equals("RESERVED"));
        report.check(
                "the client that asks again hears the same",
                again.text("/status").equals("RESERVED"));
        report.check(
                "the unit moved once: 3 available, 1 reserved", Numbers.of(pool).equals(new Numbers(3, 1, 0)));
    }
}
