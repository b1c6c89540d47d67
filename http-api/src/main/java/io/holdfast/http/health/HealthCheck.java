package io.holdfast.http.health;

import java.util.concurrent.CompletionStage;

/** One thing this node depends on: it can't serve without it, or something waits while it is away. */
public interface HealthCheck {

    /** What is checked; stable, lower case, part of the API (for example {@code postgresql}). */
    String name();

    /** How it stands now. Must not block the calling thread; too slow an answer counts as down. */
    CompletionStage<Health> check();
}
