package io.holdfast.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.client.Result;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** One run: a fleet under load and faults, then quiet, then the check. */
final class ChaosRun {

    private static final Duration REST_PATIENCE = Duration.ofMinutes(5);
    private static final Duration TOLD_EVERY = Duration.ofSeconds(15);

    /** Longer than {@code reconciliation.margin}. */
    private static final Duration MARGIN = Duration.ofSeconds(6);

    /** Within so long a node must have noticed that it can't serve. */
    private static final long NOTICED_MICROS = 8_000_000;

    private final Plan plan;
    private final PrintStream out;
    private final History history = new History();
    private final List<Violation> violations = new ArrayList<>();

    /**
     * What is to be run.
     *
     * @param nodes how many
     * @param dishBuyers buyers at a time that hold by reservations
     * @param saleBuyers buyers at a time at the gate
     * @param seed of faults and buyers
     * @param time how long faults go on
     * @param folder where everything is kept
     * @param kinds which faults
     * @param from the version that nodes run at first
     * @param to the version they are rolled to
     */
    record Plan(
            int nodes,
            int dishBuyers,
            int saleBuyers,
            long seed,
            Duration time,
            Path folder,
            List<FaultKind> kinds,
            Distribution from,
            Distribution to) {}

    ChaosRun(Plan plan, PrintStream out) {
        this.plan = plan;
        this.out = out;
    }

    /** Runs it, and gives what was broken. */
    List<Violation> run() throws IOException, InterruptedException, SQLException {
        try (Stage stage = Stage.open(plan.folder(), plan.nodes(), plan.from());
                var fleet = new Fleet(history, addresses(stage));
                var receiver = new Receiver(new SplittableRandom(plan.seed()));
                var follower = new Follower(addresses(stage));
                var news = new OrderNews(history, stage.broker().bootstrapServers());
                var supervisor = new Supervisor(stage.members())) {
            var shelf = new Shelf(fleet);
            var workload = new Workload(plan.seed());
            Optional<Duration> rested = Optional.empty();
            try {
                // One that is told of everything from the beginning.
                fleet.begin("/v1/webhooks", Map.of("url", receiver.address().toString(), "types", Announced.TYPES));
                workload.begin(fleet, shelf, news, stage.provider().address(), plan.dishBuyers(), plan.saleBuyers());
                try {
                    disturb(stage);
                } finally {
                    workload.end();
                }
                workload.failures()
                        .forEach(failure -> violations.add(new Violation("buyers can buy", failure.toString())));
                rested = rest(fleet, new Rest(stage, fleet, shelf, follower));
                if (rested.isPresent()) {
                    compare(fleet);
                }
                // Also of what never came to rest: whoever looks for the reason wants to know all that is wrong.
                violations.addAll(Checker.check(
                        history.ops(),
                        history.injections(),
                        new PictureOfStores(stage, shelf, follower, receiver).take()));
            } finally {
                history.write(plan.folder().resolve("history.tsv"));
            }
            Report.print(out, history.ops(), history.injections(), supervisor.ended(), rested, List.copyOf(violations));
        }
        return List.copyOf(violations);
    }

    private static List<URI> addresses(Stage stage) {
        return stage.members().stream().map(Member::address).toList();
    }

    private void disturb(Stage stage) throws InterruptedException {
        var faults = new FaultPlan(new SplittableRandom(plan.seed()), plan.kinds(), plan.to());
        pause(faults.pause());
        if (!plan.from().equals(plan.to())) {
            upgrade(stage, faults);
        }
        long end = System.nanoTime() + plan.time().toNanos();
        while (System.nanoTime() < end) {
            Fault one = faults.next(stage.members());
            long from = begin(one, stage);
            Optional<Fault> beside = one.alone() ? Optional.empty() : faults.beside(stage.members());
            if (beside.isPresent()) {
                Fault other = beside.get();
                pause(faults.lasts().dividedBy(4));
                long otherFrom = begin(other, stage);
                pause(faults.lasts());
                end(other, otherFrom, stage);
            } else {
                pause(faults.lasts());
            }
            end(one, from, stage);
            pause(faults.pause());
        }
    }

    /** Both versions run side by side for a while after each step. */
    private void upgrade(Stage stage, FaultPlan faults) throws InterruptedException {
        for (Member member : stage.members()) {
            var step = new Fault.Roll(List.of(member), plan.to());
            end(step, begin(step, stage), stage);
            pause(faults.pause().plus(faults.lasts()));
        }
    }

    private long begin(Fault fault, Stage stage) throws InterruptedException {
        long from = history.now();
        try {
            fault.await(stage);
            from = history.now();
            out.printf("%8.1f s  %s %s%n", from / 1e6, fault.kind(), fault.what());
            fault.begin(stage);
        } catch (Fault.NotHarmless e) {
            violations.add(new Violation("what is harmless disturbs nobody", e.what()));
        } catch (ChaosException e) {
            violations.add(new Violation("everything comes to rest", String.valueOf(e.getMessage())));
        }
        return from;
    }

    private void end(Fault fault, long from, Stage stage) throws InterruptedException {
        if (history.now() - from > NOTICED_MICROS) {
            fault.unready()
                    .filter(Member::ready)
                    .ifPresent(member -> violations.add(new Violation(
                            "readiness tells the truth",
                            member.name() + " says that it serves: " + fault.kind() + ", " + fault.what())));
        }
        fault.end(stage);
        history.add(
                new Injection(from, history.now(), fault.kind(), fault.what(), fault.losesRedis(), fault.harmless()));
    }

    private static void pause(Duration time) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(time.toMillis());
    }

    /** Waits until nothing moves any more; how long that took, or empty where it never came. */
    private Optional<Duration> rest(Fleet fleet, Rest rest) throws InterruptedException {
        long begun = System.nanoTime();
        List<String> moving = moving(rest);
        if (moving.isEmpty()) {
            Duration took = Duration.ofNanos(System.nanoTime() - begun);
            settlePayments(fleet);
            moving = moving(rest);
            if (moving.isEmpty()) {
                return Optional.of(took);
            }
        }
        violations.add(new Violation("everything comes to rest", String.join(", ", moving)));
        return Optional.empty();
    }

    /** What still moves after a long time; empty as soon as nothing does. */
    private List<String> moving(Rest rest) throws InterruptedException {
        long begun = System.nanoTime();
        long told = begun;
        List<String> moving = rest.moving();
        while (!moving.isEmpty() && System.nanoTime() - begun < REST_PATIENCE.toNanos()) {
            TimeUnit.MILLISECONDS.sleep(500);
            if (System.nanoTime() - told > TOLD_EVERY.toNanos()) {
                told = System.nanoTime();
                out.println("not at rest yet: " + String.join(", ", moving));
            }
            moving = rest.moving();
        }
        return moving;
    }

    /** Payments that nobody told of are found by the provider's statement, as somebody does every night. */
    private void settlePayments(Fleet fleet) throws InterruptedException {
        Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        Result result = fleet.post(
                "/v1/payment-reconciliations",
                Map.of(
                        "from", now.minusSeconds(24 * 3600L).toString(),
                        "to", now.plusSeconds(60).toString(),
                        "mode", "repair"));
        if (!(result instanceof Result.Done)) {
            violations.add(new Violation("everything comes to rest", "payments can't be reconciled: " + result));
        }
    }

    /** What the product itself says of its stores. */
    private void compare(Fleet fleet) throws InterruptedException {
        pause(MARGIN); // what has just moved is not judged
        String run = fleet.begin("/v1/reconciliations", Map.of("all", true, "mode", "dry-run", "full", true))
                .path("run")
                .asText();
        long deadline = System.nanoTime() + REST_PATIENCE.toNanos();
        while (System.nanoTime() < deadline) {
            if (fleet.get("/v1/reconciliations/" + run) instanceof Result.Done(var _, JsonNode seen, var _)) {
                String status = seen.path("status").asText();
                if (status.equals("FAILED") || status.equals("COMPLETED")) {
                    if (status.equals("FAILED") || !seen.path("findings").isEmpty()) {
                        violations.add(new Violation("reconciliation finds nothing", seen.toString()));
                    }
                    return;
                }
            }
            TimeUnit.MILLISECONDS.sleep(300);
        }
        violations.add(new Violation("reconciliation finds nothing", "it did not end: run " + run));
    }
}
