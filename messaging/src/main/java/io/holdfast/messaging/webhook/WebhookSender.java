package io.holdfast.messaging.webhook;

import io.holdfast.messaging.webhook.WebhookCall.Answer;
import io.holdfast.messaging.webhook.WebhookDeliveries.Due;
import io.holdfast.messaging.webhook.WebhookDeliveries.Result;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends deliveries. Every node does: whoever takes a delivery from the table has it for a while, and the next of its entity is not taken
 * before it has ended. A node that dies leaves what it had to the others, so a delivery may be sent twice, under the same id.
 */
public final class WebhookSender implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(WebhookSender.class);
    private static final Duration LEASE_MARGIN = Duration.ofSeconds(30);
    private static final Duration LONGEST_RETRY_AFTER = Duration.ofHours(1);
    private static final Duration FORGET_EVERY = Duration.ofMinutes(1);
    private static final int FORGOTTEN_TOGETHER = 5_000;
    private static final int GONE = 410;
    private static final int TIMEOUT = 408;
    private static final int TOO_MANY = 429;

    private final WebhookDeliveries deliveries;
    private final WebhookCall call;
    private final WebhookSettings settings;
    private final WebhookListener listener;
    private final InstantSource clock;
    private final DoubleSupplier random;
    private final ScheduledExecutorService thread;

    // The thread's alone: calls under way, by webhook.
    private final Map<String, Integer> underWay = new HashMap<>();
    private int underWayAll;
    private long forgetAt = System.nanoTime();
    private boolean failing;

    /**
     * @param clock the time that is signed
     * @param random numbers in [0, 1)
     */
    public WebhookSender(
            WebhookDeliveries deliveries,
            WebhookCall call,
            WebhookSettings settings,
            WebhookListener listener,
            InstantSource clock,
            DoubleSupplier random) {
        this.deliveries = deliveries;
        this.call = call;
        this.settings = settings;
        this.listener = listener;
        this.clock = clock;
        this.random = random;
        this.thread = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("holdfast-webhooks").factory());
    }

    /** Begins. Once. */
    public void start() {
        thread.scheduleWithFixedDelay(this::look, 0, settings.poll().toNanos(), TimeUnit.NANOSECONDS);
    }

    private void look() {
        try {
            send();
            if (System.nanoTime() - forgetAt >= 0) {
                forgetAt = System.nanoTime() + FORGET_EVERY.toNanos();
                deliveries.forget(settings.keep(), FORGOTTEN_TOGETHER);
            }
            failing = false;
        } catch (SQLException | RuntimeException e) {
            if (!failing) {
                failing = true;
                LOG.warn("deliveries to webhooks can't be read or noted; they wait", e);
            }
        }
    }

    private void send() throws SQLException {
        int free = settings.together() - underWayAll;
        if (free <= 0) {
            return;
        }
        List<String> full = underWay.entrySet().stream()
                .filter(each -> each.getValue() >= settings.toOne())
                .map(Map.Entry::getKey)
                .toList();
        for (Due due : deliveries.claim(
                free, settings.toOne(), full, settings.timeout().plus(LEASE_MARGIN))) {
            send(due);
        }
    }

    private void send(Due due) {
        underWay.merge(due.webhook(), 1, Integer::sum);
        underWayAll++;
        long began = System.nanoTime();
        Instant now = clock.instant();
        byte[] body = due.body().getBytes(StandardCharsets.UTF_8);
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("webhook-id", due.messageId());
        headers.put("webhook-timestamp", Long.toString(now.getEpochSecond()));
        headers.put("webhook-signature", WebhookSignature.of(due.secrets(), due.messageId(), now, body));
        CompletionStage<Answer> answer;
        try {
            answer = call.post(due.url(), headers, body, settings.timeout());
        } catch (RuntimeException e) {
            ended(due, failed(due, Optional.empty(), String.valueOf(e.getMessage()), Optional.empty()), began);
            return;
        }
        answer.whenComplete((came, fault) -> {
            Duration took = Duration.ofNanos(System.nanoTime() - began);
            try {
                thread.execute(() -> ended(
                        due,
                        fault == null ? result(due, came) : failed(due, Optional.empty(), why(fault), Optional.empty()),
                        began));
            } catch (RejectedExecutionException e) {
                LOG.debug("{} came to an end after {} when this node had stopped; it is sent again", due, took);
            }
        });
    }

    private static String why(Throwable fault) {
        Throwable cause = fault instanceof CompletionException && fault.getCause() != null ? fault.getCause() : fault;
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }

    private Result result(Due due, Answer answer) {
        return answer.status() >= 200 && answer.status() < 300
                ? new Result.Taken(answer.status())
                : failed(due, Optional.of(answer.status()), "answered " + answer.status(), answer.retryAfter());
    }

    /** An answer that refuses this one delivery says nothing of the others; everything else is about the receiver. */
    private Result failed(Due due, Optional<Integer> status, String why, Optional<Duration> asked) {
        Duration wait = settings.backoff().delayAfter(due.attempt(), random.getAsDouble());
        Duration polite = asked.map(after -> after.compareTo(LONGEST_RETRY_AFTER) < 0 ? after : LONGEST_RETRY_AFTER)
                .orElse(Duration.ZERO);
        boolean itsOwn = status.filter(
                        code -> code >= 400 && code < 500 && code != TIMEOUT && code != TOO_MANY && code != GONE)
                .isPresent();
        return new Result.Failed(
                status,
                why,
                !itsOwn,
                status.filter(code -> code == GONE).isPresent(),
                wait.compareTo(polite) < 0 ? polite : wait);
    }

    private void ended(Due due, Result result, long began) {
        underWay.computeIfPresent(due.webhook(), (_, count) -> count == 1 ? null : count - 1);
        underWayAll--;
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        switch (result) {
            case Result.Taken _ -> listener.delivered(took);
            case Result.Failed _ -> listener.failed(took);
        }
        try {
            deliveries.note(due, result, took, settings).ifPresent(why -> {
                LOG.warn("webhook {} is disabled: {}", due.webhook(), why);
                listener.disabled(due.webhook(), why);
            });
            send();
        } catch (SQLException | RuntimeException e) {
            LOG.warn("what became of {} can't be noted; it is sent again", due, e);
        }
    }

    /** Takes no more; what is under way is sent again by whoever comes next, unless it is noted in time. */
    @Override
    public void close() {
        thread.shutdownNow();
    }
}
