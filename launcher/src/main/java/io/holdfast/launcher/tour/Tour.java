package io.holdfast.launcher.tour;

import io.holdfast.launcher.Api;
import io.holdfast.launcher.AuditProcess;
import io.holdfast.launcher.NodeProcess;
import io.holdfast.localstack.RedisServer;
import java.io.PrintStream;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;

/** Walks every step and says whether all promises were kept. */
public final class Tour {

    private static final List<Step> STEPS = List.of(
            new HoldStep(),
            new DuplicateStep(),
            new SellOutStep(),
            new ConfirmStep(),
            new CancelStep(),
            new RefundStep(),
            new LateTryStep(),
            new KilledNodeStep(),
            new RedisRestartStep(),
            new AuditStep());

    private Tour() {}

    /**
     * Walks, on a stack nobody else uses: the steps kill its node and restart its Redis.
     *
     * @return true when every check holds
     */
    public static boolean walk(NodeProcess node, RedisServer redis, AuditProcess audit, PrintStream out) {
        long begun = System.nanoTime();
        var report = new Report(out);
        var stage =
                new Stage(new Api(node.address()), node, redis, audit, report, LocalDate.now(ZoneId.systemDefault()));
        for (Step step : STEPS) {
            report.step(step.title());
            try {
                step.walk(stage);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                report.failed(e);
                break;
            } catch (Exception e) {
                report.failed(e);
            }
        }
        return report.end(Duration.ofNanos(System.nanoTime() - begun).toSeconds());
    }
}
