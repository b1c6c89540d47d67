package io.holdfast.http.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.holdfast.json.Integers;
import io.holdfast.messaging.webhook.Webhook;
import io.holdfast.messaging.webhook.WebhookDeliveries.Attempt;
import io.holdfast.messaging.webhook.WebhookDeliveries.Delivery;
import io.holdfast.messaging.webhook.WebhookDeliveries.Replayed;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Webhooks and what was sent to them. Secrets are in the answer to whoever makes one, and in no other. */
public final class WebhookViews {

    private WebhookViews() {}

    /**
     * A webhook.
     *
     * @param types what it is about; everything if empty
     * @param merchants whose events it may hear of; absent where it is not limited
     * @param secrets versions that sign
     * @param failingSince since when nothing was taken; absent while it works
     * @param failures in a row
     * @param disabled since when and why it is not called
     */
    public record WebhookView(
            String id,
            String url,
            Set<String> types,
            Optional<String> pool,
            Optional<Set<String>> merchants,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) String description,
            String status,
            String createdBy,
            Instant createdAt,
            List<Integer> secrets,
            Optional<Instant> failingSince,
            int failures,
            Optional<DisabledView> disabled) {

        /** The wire form. */
        public static WebhookView of(Webhook webhook) {
            return new WebhookView(
                    webhook.id(),
                    webhook.url().toString(),
                    new TreeSet<>(webhook.about().types()),
                    webhook.about().pool(),
                    webhook.about().merchants().map(TreeSet::new),
                    webhook.description(),
                    webhook.disabled().isPresent() ? "DISABLED" : "ENABLED",
                    webhook.createdBy(),
                    webhook.createdAt(),
                    webhook.secrets(),
                    webhook.failingSince(),
                    webhook.failures(),
                    webhook.disabled().map(one -> new DisabledView(one.at(), one.why())));
        }
    }

    /** Why it is not called. */
    public record DisabledView(Instant at, String reason) {}

    /**
     * One that was made.
     *
     * @param secret told now and never again; absent where it was made before
     */
    public record CreatedView(@JsonUnwrapped WebhookView webhook, Optional<String> secret) {}

    /** A secret that signs from now on. */
    public record SecretView(int version, String secret) {}

    /** All that the caller may see. */
    public record WebhooksView(List<WebhookView> webhooks) {}

    /**
     * One delivery.
     *
     * @param id within this list
     * @param messageId what the receiver tells repetitions by
     * @param subject whose journal it is from
     * @param place in the journal, as streams of events name it
     * @param attempts since it was made, or asked for again
     */
    public record DeliveryView(
            String id,
            String messageId,
            String type,
            String subject,
            String place,
            Instant createdAt,
            String status,
            int attempts,
            Optional<Instant> nextAt,
            Optional<Integer> lastStatus,
            Optional<String> lastError,
            Optional<Instant> endedAt) {

        /** The wire form. */
        public static DeliveryView of(Delivery one) {
            return new DeliveryView(
                    Long.toString(one.id()),
                    one.messageId(),
                    one.type(),
                    one.entity(),
                    one.place().text(),
                    one.createdAt(),
                    one.status(),
                    one.tried(),
                    one.nextAt(),
                    one.lastStatus(),
                    one.lastError(),
                    one.endedAt());
        }
    }

    /**
     * One delivery with what was sent and each time it was tried.
     *
     * @param log newest first
     */
    public record DeliveryLogView(
            @JsonUnwrapped DeliveryView delivery,
            @JsonRawValue String body,
            List<AttemptView> log) {
        /** The wire form. */
        public static DeliveryLogView of(Delivery one, List<Attempt> attempts) {
            return new DeliveryLogView(
                    DeliveryView.of(one),
                    one.body(),
                    attempts.stream().map(AttemptView::of).toList());
        }
    }

    /** One time it was tried. */
    public record AttemptView(int number, Instant at, long tookMs, Optional<Integer> status, Optional<String> error) {
        static AttemptView of(Attempt one) {
            return new AttemptView(one.number(), one.at(), one.tookMillis(), one.status(), one.error());
        }
    }

    /**
     * One page of deliveries, newest first.
     *
     * @param nextCursor where the next page begins; absent on the last one
     * @param next address of the next page; absent on the last one
     */
    public record DeliveriesView(List<DeliveryView> deliveries, Optional<String> nextCursor, Optional<String> next) {

        /** The wire form of what was read with one more than is shown. */
        public static DeliveriesView of(String webhook, List<Delivery> read, Optional<String> status, int limit) {
            List<Delivery> page = read.size() > limit ? read.subList(0, limit) : read;
            Optional<String> cursor = read.size() > limit
                    ? Optional.of(cursor(webhook, page.getLast().id()))
                    : Optional.empty();
            return new DeliveriesView(
                    page.stream().map(DeliveryView::of).toList(),
                    cursor,
                    cursor.map(place -> "/v1/webhooks/" + webhook + "/deliveries?"
                            + status.map(one -> "status=" + one + "&").orElse("") + "limit=" + limit + "&cursor="
                            + place));
        }

        /** A place in the list of one webhook is none in that of another. */
        private static String cursor(String webhook, long behind) {
            return webhook + "-" + behind;
        }

        /** The delivery behind which a page begins; empty for what is no cursor of this list. */
        public static Optional<Long> behind(String webhook, String cursor) {
            return Optional.of(cursor)
                    .filter(text -> text.startsWith(webhook + "-"))
                    .flatMap(text -> Integers.parse(text.substring(webhook.length() + 1)))
                    .filter(number -> number > 0);
        }
    }

    /**
     * How far a replay has come.
     *
     * @param queued deliveries that are sent, or sent again
     * @param reached ask again with this as from while there is more
     */
    public record ReplayView(int queued, String reached, boolean more) {
        /** The wire form. */
        public static ReplayView of(Replayed replayed) {
            return new ReplayView(replayed.queued(), replayed.reached().text(), replayed.more());
        }
    }
}
