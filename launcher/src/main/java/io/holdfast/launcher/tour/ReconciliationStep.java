package io.holdfast.launcher.tour;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.launcher.Api.Answer;
import java.util.Map;

/** Somebody deletes what Redis knows of a hold. A comparison names it, and puts it back before anybody buys it twice. */
final class ReconciliationStep implements Step {

    private static final String DISH = "mochi";
    private static final String ITEM = "item-7";

    @Override
    public String title() {
        return "Damage done by hand in Redis: named with both sides, and put right";
    }

    @Override
    public void walk(Stage stage) throws InterruptedException {
        var report = stage.report();
        String pool = stage.pool(DISH);
        String id = Stage.idOf(DISH, ITEM);
        stage.create(DISH, 5);
        stage.hold(DISH, ITEM, 2);
        report.does("redis-cli DEL hf:{" + pool + "}:r:" + id);
        stage.redis().ask("DEL", "hf:{" + pool + "}:r:" + id);
        // What moved within the last seconds is not judged yet: asked until it is.
        Answer found =
                Wait.until(Stage.PATIENCE, () -> run(stage, "dry-run"), run -> run.number("/counts/findings") > 0);
        show(stage, found);
        Answer repaired = run(stage, "repair");
        show(stage, repaired);
        Answer after = run(stage, "dry-run");
        var confirmed = stage.confirm(id);
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

    private static Answer run(Stage stage, String mode) {
        Map<String, Object> wish = Map.of("pool", stage.pool(DISH), "mode", mode, "full", true);
        String run = stage.api().post("/v1/reconciliations", wish).text("/run");
        try {
            return Wait.until(
                    Stage.PATIENCE,
                    () -> stage.api().get("/v1/reconciliations/" + run),
                    answer -> !answer.text("/finished_at").isEmpty());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a run was waited for", e);
        }
    }

    private static void show(Stage stage, Answer run) {
        stage.report().does("POST /v1/reconciliations " + run.text("/mode") + " " + run.text("/pool"));
        for (JsonNode finding : run.body().path("findings")) {
            stage.report()
                    .saw(finding.path("type").asText() + " "
                            + finding.path("class").asText() + " "
                            + finding.path("state").asText());
            stage.report().saw("  journal: " + finding.path("journal").asText());
            stage.report().saw("  redis:   " + finding.path("redis").asText());
        }
    }
}
