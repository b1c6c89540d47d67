package io.holdfast.node;

import io.holdfast.config.Settings;
import io.holdfast.config.WebhooksSection;
import io.holdfast.engine.effect.Backoff;
import io.holdfast.http.route.WebhookParts;
import io.holdfast.messaging.webhook.StoredWebhooks;
import io.holdfast.messaging.webhook.WebhookDeliveries;
import io.holdfast.messaging.webhook.WebhookListener;
import io.holdfast.messaging.webhook.WebhookProjection;
import io.holdfast.messaging.webhook.WebhookSender;
import io.holdfast.messaging.webhook.WebhookSettings;
import io.holdfast.messaging.webhook.Webhooks;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import javax.sql.DataSource;
import org.apache.pekko.actor.ClassicActorSystemProvider;

/** Calls webhooks, and lets people say which. */
final class Calls {

    private static final int REMEMBERED = 5_000;
    private static final int REMEMBERED_OF_REPLAYS = 200;
    private static final Duration POLL = Duration.ofMillis(200);
    private static final double FACTOR = 3;
    private static final double JITTER = 0.4;
    private static final int SECRET_BYTES = 32;
    private static final int ID_BYTES = 16;

    private Calls() {}

    /** Makes deliveries; to be run with the other projections. */
    static WebhookProjection projection(Settings settings, DataSource views) {
        return new WebhookProjection(Follow.messages(settings, views, REMEMBERED), Follow.source(settings));
    }

    /** Begins to send. */
    static WebhookParts start(
            Settings settings,
            ClassicActorSystemProvider system,
            DataSource views,
            MeterRegistry registry,
            InstantSource clock,
            Closing closing) {
        WebhooksSection section = settings.webhooks();
        boolean any = section.any(settings.node().mode());
        var deliveries = new WebhookDeliveries(views);
        var client = closing.add(
                "the client of webhooks", new WebhookClient(system, any, section.toOne(), section.timeout()));
        closing.add("the gauges of webhooks", WaitingGauges.ofWebhooks(registry, deliveries))
                .start();
        var sender = closing.add(
                "the calls to webhooks",
                new WebhookSender(
                        deliveries,
                        client,
                        new WebhookSettings(
                                section.together(),
                                section.toOne(),
                                section.timeout(),
                                new Backoff(section.retryFirst(), section.retryLongest(), FACTOR, JITTER),
                                section.giveUpAfter(),
                                section.disableAfter(),
                                section.keep(),
                                POLL),
                        metrics(registry),
                        clock,
                        () -> ThreadLocalRandom.current().nextDouble()));
        sender.start();
        var random = new SecureRandom();
        return new WebhookParts(
                new StoredWebhooks(
                        new Webhooks(views),
                        deliveries,
                        Follow.messages(settings, views, REMEMBERED_OF_REPLAYS),
                        Follow.source(settings),
                        section.most()),
                any,
                () -> bytes(random, SECRET_BYTES),
                () -> HexFormat.of().formatHex(bytes(random, ID_BYTES)));
    }

    private static byte[] bytes(SecureRandom random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private static WebhookListener metrics(MeterRegistry registry) {
        Timer taken = call(registry, "taken");
        Timer failed = call(registry, "failed");
        Counter disabled = Counter.builder("holdfast.webhook.disabled")
                .description(
                        "Webhooks that were disabled because nothing was taken for too long, or the receiver is gone")
                .register(registry);
        return new WebhookListener() {
            @Override
            public void delivered(Duration took) {
                taken.record(took);
            }

            @Override
            public void failed(Duration took) {
                failed.record(took);
            }

            @Override
            public void disabled(String id, String why) {
                disabled.increment();
            }
        };
    }

    private static Timer call(MeterRegistry registry, String outcome) {
        return Timer.builder("holdfast.webhook.calls")
                .description("Calls to webhooks by outcome")
                .tag("outcome", outcome)
                .register(registry);
    }
}
