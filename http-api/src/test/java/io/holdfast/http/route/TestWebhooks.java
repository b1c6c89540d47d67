package io.holdfast.http.route;

import io.holdfast.engine.projection.Offset;
import io.holdfast.messaging.follow.Place;
import io.holdfast.messaging.webhook.Webhook;
import io.holdfast.messaging.webhook.WebhookDeliveries.Attempt;
import io.holdfast.messaging.webhook.WebhookDeliveries.Delivery;
import io.holdfast.messaging.webhook.WebhookDeliveries.Replayed;
import io.holdfast.messaging.webhook.WebhookDesk;
import io.holdfast.messaging.webhook.Webhooks.Made;
import io.holdfast.messaging.webhook.Webhooks.Wish;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/** Webhooks in memory, to which a test says what was sent. */
final class TestWebhooks implements WebhookDesk {

    private static final Instant NOW = Instant.parse("2026-11-29T10:00:00Z");

    private final Map<String, Webhook> all = new TreeMap<>();
    private final Map<String, String> made = new ConcurrentHashMap<>();
    /** Newest first. */
    final List<Delivery> sent = new ArrayList<>();

    static Delivery delivery(long id, String status) {
        return new Delivery(
                id,
                "msg_" + id,
                "InventoryReserved",
                "reservation|r",
                new Place(new Offset(700, id), 1),
                NOW,
                status,
                1,
                Optional.empty(),
                Optional.of(500),
                Optional.of("answered 500"),
                status.equals("PENDING") ? Optional.empty() : Optional.of(NOW),
                "{\"id\":\"reservation|r#" + id + "\"}");
    }

    @Override
    public synchronized Made make(Wish wish) {
        String earlier = made.putIfAbsent(wish.causeId(), wish.id() + " " + wish.contentHash());
        if (earlier != null) {
            String[] parts = earlier.split(" ");
            return parts[1].equals(wish.contentHash())
                    ? new Made.Already(find(parts[0]).orElseThrow())
                    : new Made.OtherContent();
        }
        if (all.size() >= 20) {
            return new Made.TooMany();
        }
        var webhook = new Webhook(
                wish.id(),
                wish.url(),
                wish.about(),
                wish.description(),
                wish.createdBy(),
                NOW,
                List.of(1),
                Optional.empty(),
                0,
                Optional.empty());
        all.put(wish.id(), webhook);
        return new Made.New(webhook);
    }

    @Override
    public synchronized List<Webhook> all() {
        return List.copyOf(all.values());
    }

    @Override
    public synchronized Optional<Webhook> find(String id) {
        return Optional.ofNullable(all.get(id));
    }

    @Override
    public synchronized void remove(String id) {
        all.remove(id);
    }

    private synchronized void change(String id, UnaryOperator<Webhook> change) {
        all.computeIfPresent(id, (_, one) -> change.apply(one));
    }

    private static Webhook with(Webhook one, List<Integer> secrets, Optional<Webhook.Disabled> disabled) {
        return new Webhook(
                one.id(),
                one.url(),
                one.about(),
                one.description(),
                one.createdBy(),
                one.createdAt(),
                secrets,
                one.failingSince(),
                one.failures(),
                disabled);
    }

    @Override
    public void enable(String id) {
        change(id, one -> with(one, one.secrets(), Optional.empty()));
    }

    @Override
    public void disable(String id, String why) {
        change(id, one -> with(one, one.secrets(), Optional.of(new Webhook.Disabled(NOW, why))));
    }

    @Override
    public synchronized Optional<Integer> addSecret(String id, byte[] secret) {
        Webhook one = find(id).orElseThrow();
        if (one.secrets().size() >= 5) {
            return Optional.empty();
        }
        int version = one.secrets().stream().max(Comparator.naturalOrder()).orElse(0) + 1;
        List<Integer> more = new ArrayList<>(one.secrets());
        more.add(version);
        change(id, each -> with(each, more, each.disabled()));
        return Optional.of(version);
    }

    @Override
    public synchronized boolean retireSecret(String id, int version) {
        List<Integer> fewer = new ArrayList<>(find(id).orElseThrow().secrets());
        if (fewer.size() == 1 || !fewer.remove((Integer) version)) {
            return false;
        }
        change(id, each -> with(each, fewer, each.disabled()));
        return true;
    }

    @Override
    public List<Delivery> deliveries(String webhook, Optional<String> status, Optional<Long> before, int limit) {
        return sent.stream()
                .filter(one ->
                        status.filter(wanted -> !wanted.equals(one.status())).isEmpty())
                .filter(one -> before.filter(id -> one.id() >= id).isEmpty())
                .limit(limit)
                .toList();
    }

    @Override
    public Optional<Delivery> delivery(String webhook, long id) {
        return sent.stream().filter(one -> one.id() == id).findFirst();
    }

    @Override
    public List<Attempt> attempts(long id) {
        return List.of(new Attempt(1, NOW, 12, Optional.of(500), Optional.empty()));
    }

    @Override
    public boolean again(String webhook, long id) {
        return delivery(webhook, id).isPresent();
    }

    @Override
    public Optional<Replayed> replay(Webhook webhook, Place from) {
        return from.row().xid() > 1000 ? Optional.empty() : Optional.of(new Replayed(2, from, true));
    }
}
