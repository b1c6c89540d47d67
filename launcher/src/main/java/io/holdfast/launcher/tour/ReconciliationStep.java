package io.holdfast.launcher.tour;

import io.holdfast.launcher.Api.Answer;

/** Somebody deletes what Redis knows of a hold. A comparison names it, and puts it back before anybody buys it twice. */
final class ReconciliationStep implements Step {

    private static final String DISH = "mochi";
    private static final String ITEM = "item-7";

    @Override
    public String title() {
        return "Damage done by hand in Redis: named with both sides, and put right";
    }

    @Override
    public void walk(Stage stage) throws Exception {
        var report = stage.report();
        String pool = stage.pool(DISH);
        String id = Stage.idOf(DISH, ITEM);
        stage.create(DISH, 5);
        stage.hold(DISH, ITEM, 2);
        report.does("redis-cli DEL hf:{" + pool + "}:r:" + id);
        stage.redis().ask("DEL", "hf:{" + pool + "}:r:" + id);
        // What moved within the last seconds is not judged yet: asked until it is.
        Answer found = Wait.until(
                Stage.PATIENCE, () -> stage.reconcile(pool, "dry-run"), run -> run.number("/counts/findings") > 0);
        stage.show(found);
        Answer repaired = stage.reconcile(pool, "repair");
        stage.show(repaired);
        Answer after = stage.reconcile(pool, "dry-run");
        var confirmed = stage.orderCreated(DISH, ITEM, 2);
        report.check(
                "the missing fence is named, with what the journal says and what Redis has",
                found.text("/findings/0/type").equals("FENCE_MISSING")
                        && found.text("/findings/0/reservation_id").equals(id));
        report.check(
                "it is put back by an operation of the pool, and nothing differs any more",
                repaired.text("/findings/0/state").equals("REPAIRED") && after.number("/counts/findings") == 0);
        report.check(
                "the order goes on as if nothing had happened",
                confirmed.text("/status").equals("CONFIRMED"));
    }
}
