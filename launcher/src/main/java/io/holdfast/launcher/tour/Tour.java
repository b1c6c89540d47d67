package io.holdfast.launcher.tour;

import io.holdfast.launcher.Api;
import io.holdfast.launcher.NodeProcess;
import io.holdfast.launcher.Terminal;
import io.holdfast.localstack.RedisServer;
import java.io.PrintStream;
import java.net.URI;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Walks every step and says whether all promises were kept. */
public final class Tour {

    private static final List<Step> STEPS = List.of(
            new HoldStep(),
            new DuplicateStep(),
            new SellOutStep(),
            new ConfirmStep(),
            new CancelStep(),
            new RefundStep(),
            new OrderLinesStep(),
            new KafkaOrderStep(),
            new FlashSaleStep(),
            new PaymentStep(),
            new ManualReviewStep(),
            new ScheduledOrderStep(),
            new DayChangeStep(),
            new LateTryStep(),
            new KilledNodeStep(),
            new RedisRestartStep(),
            new RedisFlushStep(),
            new ReconciliationStep(),
            new AuditStep());

    /**
     * Settings of the node it walks, by full name: a day that is over is closed and archived while the tour looks on, a pool that was rebuilt
     * is open again soon, what a person decided is heard of soon, what rests is compared soon, and one merchant's lines can be held together.
     */
    public static final Map<String, Object> SETTINGS = Map.of(
            "holdfast.days.interval", "200ms",
            "holdfast.days.close-after", "1s",
            "holdfast.days.archive-after", "2s",
            "holdfast.days.archive-again", "1s",
            "holdfast.reservation.reopen-over", "1s",
            "holdfast.reservation.retry-longest", "2s",
            "holdfast.reconciliation.margin", "1s",
            "holdfast.reservation.shared-tag-merchants", List.of(OrderLinesStep.MERCHANT));

    private Tour() {}

    /**
     * Walks, on a stack nobody else uses: the steps kill its node and restart its Redis.
     *
     * @param kafka bootstrap servers of its Kafka; without one its steps are left out
     * @param sandbox where buyers pay
     * @return true when every check holds
     */
    public static boolean walk(
            NodeProcess node,
            RedisServer redis,
            Optional<String> kafka,
            URI sandbox,
            Terminal terminal,
            PrintStream out) {
        long begun = System.nanoTime();
        var report = new Report(out);
        // A day that does not end on the way, wherever the machine is.
        LocalDate day = LocalDate.now(ZoneOffset.UTC).plusDays(1);
        try (var shop = new Shop(node.address())) {
            var stage = new Stage(shop, node, redis, kafka.map(Broker::new), new Api(sandbox), terminal, report, day);
            walk(stage);
        }
        return report.end(Duration.ofNanos(System.nanoTime() - begun).toSeconds());
    }

    private static void walk(Stage stage) {
        for (Step step : STEPS) {
            stage.report().step(step.title());
            if (step.needsKafka() && stage.kafka().isEmpty()) {
                stage.report().saw("this stack has no Kafka; the step is left out");
                continue;
            }
            try {
                step.walk(stage);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                stage.report().failed(e);
                break;
            } catch (Exception e) {
                stage.report().failed(e);
            }
        }
    }
}
