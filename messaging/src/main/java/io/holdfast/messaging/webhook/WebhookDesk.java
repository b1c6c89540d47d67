package io.holdfast.messaging.webhook;

import io.holdfast.messaging.follow.Place;
import io.holdfast.messaging.webhook.WebhookDeliveries.Attempt;
import io.holdfast.messaging.webhook.WebhookDeliveries.Delivery;
import io.holdfast.messaging.webhook.WebhookDeliveries.Replayed;
import io.holdfast.messaging.webhook.Webhooks.Made;
import io.holdfast.messaging.webhook.Webhooks.Wish;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** What people ask and order of webhooks. Blocking; called on threads made for that. */
public interface WebhookDesk {

    /** See {@link Webhooks#make}. */
    Made make(Wish wish) throws SQLException;

    /** All of them, by id. */
    List<Webhook> all() throws SQLException;

    /** The one of this id. */
    Optional<Webhook> find(String id) throws SQLException;

    /** See {@link Webhooks#remove}. */
    void remove(String id) throws SQLException;

    /** See {@link Webhooks#enable}. */
    void enable(String id) throws SQLException;

    /** See {@link Webhooks#disable}. */
    void disable(String id, String why) throws SQLException;

    /** See {@link Webhooks#addSecret}. */
    Optional<Integer> addSecret(String id, byte[] secret) throws SQLException;

    /** See {@link Webhooks#retireSecret}. */
    boolean retireSecret(String id, int version) throws SQLException;

    /** See {@link WebhookDeliveries#list}. */
    List<Delivery> deliveries(String webhook, Optional<String> status, Optional<Long> before, int limit)
            throws SQLException;

    /** One delivery to this webhook. */
    Optional<Delivery> delivery(String webhook, long id) throws SQLException;

    /** Each time it was tried, newest first. */
    List<Attempt> attempts(long id) throws SQLException;

    /** See {@link WebhookDeliveries#again}. */
    boolean again(String webhook, long id) throws SQLException;

    /** See {@link WebhookDeliveries#replay}. */
    Optional<Replayed> replay(Webhook webhook, Place from) throws SQLException;
}
