package io.holdfast.launcher.tour;

import io.holdfast.launcher.Api.Answer;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * Somebody gives a sold unit back by hand in Redis. A comparison names it, and lets it be: Redis shows what no journal has. When the buyer
 * cancels, the unit can't go back a second time, so a person decides; it is on record who did, why, and of which incident.
 */
final class ManualReviewStep implements Step {

    private static final String SKU = "fan";
    private static final String INCIDENT = "INC-7";

    @Override
    public String title() {
        return "A unit given back by hand: found, decided by a person, on record; and the whole sale clean at the end";
    }

    @Override
    public boolean needsKafka() {
        return true;
    }

    @Override
    public void walk(Stage stage) throws Exception {
        var report = stage.report();
        var sales = new Sales(stage, "spring");
        sales.open(SKU, 5, 1);
        String ann = sales.buy(SKU, "ann");
        String bob = sales.buy(SKU, "bob");
        sales.ends(ann, "CONFIRMED");
        sales.cancel(bob);
        sales.ends(bob, "REFUNDED");
        giveBackByHand(stage, sales.pool(SKU), ann, bob);

        // What moved within the last seconds is not judged yet: asked until it is.
        Answer found = Wait.until(
                Stage.PATIENCE, () -> stage.reconcile(sales.pool(SKU), "dry-run"), run -> isForAPerson(run, ann));
        stage.show(found);
        Answer repaired = stage.reconcile(sales.pool(SKU), "repair");
        report.check(
                "a comparison names it, and one that repairs leaves it to a person",
                isForAPerson(found, ann) && isForAPerson(repaired, ann));

        sales.cancel(ann);
        sales.order(ann, "CANCELLED");
        Answer waiting = Wait.until(
                Stage.PATIENCE,
                () -> stage.api().get("/v1/compensations?status=MANUAL&reservation_id=" + ann),
                list -> !list.text("/compensations/0/compensation").isEmpty());
        String key = waiting.text("/compensations/0/compensation");
        report.does("./holdfast review list");
        report.saw(key + " " + waiting.text("/compensations/0/status"));
        report.check("the unit does not go back twice: its compensation waits for a person", key.contains(ann));

        resolve(stage, sales, key, ann);
        clean(stage, sales);
    }

    private static boolean isForAPerson(Answer run, String reservation) {
        return run.body()
                .path("findings")
                .valueStream()
                .anyMatch(one -> one.path("reservation_id").asText().equals(reservation)
                        && one.path("class").asText().equals("MANUAL"));
    }

    /** The fence of one that went back over that of one that did not, and the numbers to it. */
    private static void giveBackByHand(Stage stage, String pool, String reservation, String like) {
        String prefix = "hf:{" + pool + "}:";
        stage.report().does("redis-cli COPY …r:" + like + " …r:" + reservation + " REPLACE; HINCRBY …stock, by hand");
        stage.redis().ask("COPY", prefix + "r:" + like, prefix + "r:" + reservation, "REPLACE");
        stage.redis().ask("HINCRBY", prefix + "stock", "sold", "-1");
        stage.redis().ask("HINCRBY", prefix + "stock", "available", "1");
    }

    private static void resolve(Stage stage, Sales sales, String key, String reservation)
            throws IOException, InterruptedException {
        var report = stage.report();
        Answer evidence = stage.api().get("/v1/reservations/" + reservation + "/evidence");
        List<String> sources = evidence.body()
                .path("sources")
                .valueStream()
                .map(source -> source.path("source").asText())
                .toList();
        report.does("GET /v1/reservations/…/evidence");
        report.saw(String.join(", ", sources));
        report.does("./holdfast review resolve " + key + " --as REFUNDED --incident " + INCIDENT);
        Answer resolved = stage.api()
                .post(
                        "/v1/compensations/" + key + "/resolve",
                        Map.of("resolution", "REFUNDED", "reason", "given back by hand", "incident", INCIDENT),
                        "tour-" + INCIDENT);
        report.answered(resolved);
        report.check(
                "the evidence of all systems is one answer, payments first",
                sources.size() > 4 && sources.getFirst().equals("payments"));
        report.check(
                "it is decided, and its reservation ends so: REFUNDED",
                resolved.text("/status").equals("RESOLVED") && sales.ends(reservation, "REFUNDED"));
        report.does("./holdfast audit replay " + key);
        var replay = stage.terminal().replay(key);
        replay.text().lines().limit(20).forEach(report::saw);
        report.check(
                "who decided, why, and of which incident is in its journal",
                replay.exitCode() == 0
                        && replay.text().contains(INCIDENT)
                        && replay.text().contains("given back by hand"));
    }

    private static void clean(Stage stage, Sales sales) throws InterruptedException {
        var report = stage.report();
        report.does("POST /v1/pools/" + sales.pool(SKU) + "/rebuild");
        report.answered(stage.api().post("/v1/pools/" + sales.pool(SKU) + "/rebuild", Map.of(), "tour-" + INCIDENT));
        // What another comparison saw while it moved is gone from the list when the next has looked.
        Seen seen = Wait.until(
                Stage.PATIENCE,
                () -> new Seen(stage.reconcileAll(), stage.api().get("/v1/anomalies?open=true&source=systems")),
                Seen::isClean);
        report.does("POST /v1/reconciliations of all pools and between all systems");
        report.saw(seen.run().body().path("counts").toString());
        seen.open().body().path("anomalies").forEach(one -> report.saw(one.toString()));
        report.check("orders, payments, final stock, reservations and Redis agree: nothing is found", seen.isClean());
    }

    /**
     * What a comparison of everything found.
     *
     * @param open what is on the list after it
     */
    private record Seen(Answer run, Answer open) {
        boolean isClean() {
            return run.number("/counts/findings") == 0
                    && run.number("/counts/compared") > 0
                    && open.body().path("anomalies").isEmpty();
        }
    }
}
