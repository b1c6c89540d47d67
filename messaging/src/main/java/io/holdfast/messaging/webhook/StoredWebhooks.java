package io.holdfast.messaging.webhook;

import io.holdfast.messaging.follow.Place;
import io.holdfast.messaging.out.JournalMessages;
import io.holdfast.messaging.webhook.WebhookDeliveries.Attempt;
import io.holdfast.messaging.webhook.WebhookDeliveries.Delivery;
import io.holdfast.messaging.webhook.WebhookDeliveries.Replayed;
import io.holdfast.messaging.webhook.Webhooks.Made;
import io.holdfast.messaging.webhook.Webhooks.Wish;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** The desk over the tables. */
public final class StoredWebhooks implements WebhookDesk {

    private static final int REPLAYED_ROWS = 2_000;

    private final Webhooks webhooks;
    private final WebhookDeliveries deliveries;
    private final JournalMessages messages;
    private final String source;
    private final int most;

    /**
     * @param messages of what is sent again from a place on; used by nobody else
     * @param source where events of this fleet come from
     * @param most webhooks there may be
     */
    public StoredWebhooks(
            Webhooks webhooks, WebhookDeliveries deliveries, JournalMessages messages, String source, int most) {
        this.webhooks = webhooks;
        this.deliveries = deliveries;
        this.messages = messages;
        this.source = source;
        this.most = most;
    }

    @Override
    public Made make(Wish wish) throws SQLException {
        return webhooks.make(wish, most);
    }

    @Override
    public List<Webhook> all() throws SQLException {
        return webhooks.all();
    }

    @Override
    public Optional<Webhook> find(String id) throws SQLException {
        return webhooks.find(id);
    }

    @Override
    public void remove(String id) throws SQLException {
        webhooks.remove(id);
    }

    @Override
    public void enable(String id) throws SQLException {
        webhooks.enable(id);
    }

    @Override
    public void disable(String id, String why) throws SQLException {
        webhooks.disable(id, why);
    }

    @Override
    public Optional<Integer> addSecret(String id, byte[] secret) throws SQLException {
        return webhooks.addSecret(id, secret);
    }

    @Override
    public boolean retireSecret(String id, int version) throws SQLException {
        return webhooks.retireSecret(id, version);
    }

    @Override
    public List<Delivery> deliveries(String webhook, Optional<String> status, Optional<Long> before, int limit)
            throws SQLException {
        return deliveries.list(webhook, status, before, limit);
    }

    @Override
    public Optional<Delivery> delivery(String webhook, long id) throws SQLException {
        return deliveries.find(webhook, id);
    }

    @Override
    public List<Attempt> attempts(long id) throws SQLException {
        return deliveries.attempts(id);
    }

    @Override
    public boolean again(String webhook, long id) throws SQLException {
        return deliveries.again(webhook, id);
    }

    @Override
    public Optional<Replayed> replay(Webhook webhook, Place from) throws SQLException {
        return deliveries.replay(webhook, from, REPLAYED_ROWS, messages, source);
    }
}
