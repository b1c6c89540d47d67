package io.holdfast.messaging.webhook;

import java.time.Duration;

/** Told what becomes of calls. For metrics; must be quick and not throw. */
public interface WebhookListener {

    /** Hears nothing. */
    WebhookListener NONE = new WebhookListener() {};

    /** A delivery was taken. */
    default void delivered(Duration took) {}

    /** A call failed. */
    default void failed(Duration took) {}

    /** A webhook is called no more. */
    default void disabled(String id, String why) {}
}
